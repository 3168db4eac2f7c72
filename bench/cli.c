#include "bench/cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/limit.h"

typedef enum { FLAG, SET, TEXT, COUNT, SHARE, SIZE, SECONDS } kind;

typedef struct {
    const char *name, *value, *help;
    kind kind;
    size_t offset;
    bench_set set; /* of SET */
} row;

#define AT(field) offsetof(bench_command, field)

static const row rows[] = {
    {"--quick", NULL, "the seven quick benches", SET, AT(request.set), BENCH_SET_QUICK},
    {"--long", NULL, "the thirteen that are not extra-long (default)", SET, AT(request.set), BENCH_SET_LONG},
    {"--extra-long", NULL, "the three extra-long ones", SET, AT(request.set), BENCH_SET_EXTRA_LONG},
    {"--steps", NULL, "every step alone, one thread and two, memory to its bounds, files", SET, AT(request.set),
     BENCH_SET_STEPS},
    {"--steps-long", NULL, "of these, what takes a rival long", SET, AT(request.set), BENCH_SET_STEPS_LONG},
    {"--vendor-only", NULL, "the five published workflows", SET, AT(request.set), BENCH_SET_VENDOR},
    {"--only", "GLOB", "of these, the ones whose name matches, such as 'mem_*'", TEXT, AT(request.only), 0},
    {"--list", NULL, "print the benches that would run, and stop", FLAG, AT(list), 0},
    {"--scale", "F", "shrink every bench to this share of its cells; parity is checked on all", SHARE,
     AT(request.scale), 0},
    {"--repeat", "N", "repeats of each bench and program, interleaved (default: 1)", COUNT, AT(request.repeat), 0},
    {"--rivals", "A,B|none", "scvelo, scvelo-rs, self (default: scvelo,scvelo-rs)", TEXT, AT(rivals), 0},
    {"--threads", "N", "threads of every program alike (default: 1)", COUNT, AT(request.threads), 0},
    {"--mem-limit", "SIZE", "memory a child may hold, such as 6G (default: what the machine can spare)", SIZE,
     AT(request.memory), 0},
    {"--data", "DIR", "where the workflows' data files are", TEXT, AT(request.data), 0},
    {"--stand-in", NULL, "simulated counts for a workflow whose file is not there", FLAG, AT(request.stand_in), 0},
    {"--out", "DIR", "where the results are written (default: velbench-out)", TEXT, AT(request.out), 0},
    {"--json", NULL, "events, one JSON object a line, on stdout", FLAG, AT(json), 0},
    {"--cells", "LIST", "ladder: sizes to climb over cells, or none (default: " BENCH_LADDER_CELLS ")", TEXT,
     AT(ladder.cells), 0},
    {"--genes", "LIST", "ladder: the same over genes (default: " BENCH_LADDER_GENES ")", TEXT, AT(ladder.genes), 0},
    {"--beside", "CxG", "ladder: cells that genes vary at, genes that cells vary at (default: " BENCH_LADDER_BESIDE ")",
     TEXT, AT(ladder.beside), 0},
    {"--budget", "SECONDS", "ladder: what would not fit is not begun (default: 600)", SECONDS, AT(ladder.budget_s), 0},
    {"--fail-on", "regression", "compare: exit code 1 if this program has lost something", TEXT, AT(compare.fail_on),
     0},
    {"--margin", "F", "compare: what is beyond this share is lost (default: 0.1)", SHARE, AT(compare.margin), 0},
    {"--setup", NULL, "rivals: make their virtual environment, pinned", FLAG, AT(setup), 0},
    {"--python", "PATH", "rivals --setup: the interpreter to make it with", TEXT, AT(python), 0},
    {"--help", NULL, "-h: this text", FLAG, AT(help), 0},
    {"--version", NULL, "the version", FLAG, AT(version), 0},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

void bench_help(FILE *out) {
    fprintf(out,
            "velbench [OPTION …]                        runs benches against the rivals, with parity checked\n"
            "velbench rivals [--setup [--python PATH]]  the rivals, or the environment they run in\n"
            "velbench data [--data DIR]                 the data files of the published workflows\n"
            "velbench ladder [OPTION …]                 how time and memory grow over cells and genes\n"
            "velbench roofline [--threads N] [--out DIR] what the machine gives, and what the kernels take of it\n"
            "velbench compare OLD.json NEW.json         whether the later run has lost speed or memory\n"
            "velbench help                              this text\n\n");
    for (int i = 0; i < N_ROWS; i++) {
        char head[64];
        snprintf(head, sizeof head, "%s%s%s", rows[i].name, rows[i].value ? " " : "",
                 rows[i].value ? rows[i].value : "");
        fprintf(out, "  %-22s %s\n", head, rows[i].help);
    }
    fprintf(
        out,
        "\nWrites benchmark_table.md, benchmark_results.json, benchmark_history.jsonl and report.html under --out, "
        "after\n"
        "each bench. The rivals run under $VELBENCH_PYTHON or the environment that `velbench rivals --setup` makes.\n\n"
        "Exit codes: 0 all ran (or were skipped with a reason) and parity holds, 1 a parity check drifted or compare\n"
        "found a loss, 2 wrong usage, 3 a bench could not be measured, 4 no results can be written, 130 interrupted\n"
        "(what was finished is written).\n\n"
        "Example: velbench --quick --scale 0.01 --repeat 3 --out results\n");
}

static vel_err set_number(vel_ctx *ctx, const row *r, const char *text, void *at) {
    char *end;
    const double x = strtod(text, &end);
    const bool number = end != text && !*end;
    switch (r->kind) {
        case COUNT:
            if (!number || !(x >= 1 && x <= BENCH_MOST_REPEATS) || x != (int)x)
                return vel_fail(ctx, VEL_EUSAGE, "%s takes a whole number from 1 to %d, not \"%s\"", r->name,
                                BENCH_MOST_REPEATS, text);
            *(int *)at = (int)x;
            return VEL_OK;
        case SHARE:
            if (!number || !(x > 0 && x <= 1))
                return vel_fail(ctx, VEL_EUSAGE, "%s takes a number above 0, at most 1, not \"%s\"", r->name, text);
            *(double *)at = x;
            return VEL_OK;
        case SECONDS:
            if (!number || !(x > 0)) return vel_fail(ctx, VEL_EUSAGE, "%s takes seconds, not \"%s\"", r->name, text);
            *(double *)at = x;
            return VEL_OK;
        default:
            *(int64_t *)at = bench_parse_size(text);
            if (*(int64_t *)at > 0) return VEL_OK;
            return vel_fail(ctx, VEL_EUSAGE, "%s takes a size such as 512M or 6G, not \"%s\"", r->name, text);
    }
}

static vel_err set_tier(vel_ctx *ctx, const row *r, bench_command *command, const row **chosen) {
    if (*chosen && *chosen != r) return vel_fail(ctx, VEL_EUSAGE, "%s and %s: choose one", (*chosen)->name, r->name);
    *chosen = r;
    command->request.set = r->set;
    return VEL_OK;
}

static const row *find(const char *argument, const char **value) {
    if (!strcmp(argument, "-h")) argument = "--help";
    const size_t length = strcspn(argument, "=");
    *value = argument[length] ? argument + length + 1 : NULL;
    for (int i = 0; i < N_ROWS; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, argument, length) == 0) return &rows[i];
    return NULL;
}

static vel_err take_option(vel_ctx *ctx, char **argv, int *i, bench_command *command, const row **tier) {
    const char *value;
    const row *r = find(argv[*i], &value);
    if (!r) return vel_fail(ctx, VEL_EUSAGE, "there is no option %s; velbench --help lists them", argv[*i]);
    void *at = (char *)command + r->offset;
    if (!r->value && value) return vel_fail(ctx, VEL_EUSAGE, "%s takes no value", r->name);
    if (r->kind == SET) return set_tier(ctx, r, command, tier);
    if (r->kind == FLAG) {
        *(bool *)at = true;
        return VEL_OK;
    }
    if (!value && !argv[*i + 1]) return vel_fail(ctx, VEL_EUSAGE, "%s takes a value: %s", r->name, r->value);
    if (!value) value = argv[++*i];
    if (r->kind != TEXT) return set_number(ctx, r, value, at);
    *(const char **)at = value;
    return VEL_OK;
}

static vel_err check_compare(vel_ctx *ctx, const bench_command *command) {
    const bench_compare_request *c = &command->compare;
    if ((c->fail_on || c->margin > 0) && command->verb != BENCH_DO_COMPARE)
        return vel_fail(ctx, VEL_EUSAGE, "--fail-on and --margin belong to velbench compare");
    if (command->verb == BENCH_DO_COMPARE && !c->new)
        return vel_fail(ctx, VEL_EUSAGE, "velbench compare takes two files: OLD.json NEW.json");
    if (c->fail_on && strcmp(c->fail_on, "regression") != 0)
        return vel_fail(ctx, VEL_EUSAGE, "--fail-on takes the word regression, not \"%s\"", c->fail_on);
    return VEL_OK;
}

/* Options of another command are a mistake, not to be passed over. */
static vel_err check(vel_ctx *ctx, const bench_command *command) {
    const bool setup_only = command->setup || command->python;
    if (command->help || command->version) return VEL_OK;
    if (setup_only && command->verb != BENCH_DO_RIVALS)
        return vel_fail(ctx, VEL_EUSAGE, "--setup and --python belong to velbench rivals");
    const bench_ladder_request *l = &command->ladder;
    if ((l->cells || l->genes || l->beside || l->budget_s > 0) && command->verb != BENCH_DO_LADDER)
        return vel_fail(ctx, VEL_EUSAGE, "--cells, --genes, --beside and --budget belong to velbench ladder");
    VEL_TRY(check_compare(ctx, command));
    if (command->python && !command->setup) return vel_fail(ctx, VEL_EUSAGE, "--python belongs to rivals --setup");
    return VEL_OK;
}

static bool is_verb(const char *word, bench_verb *verb) {
    static const char *const words[] = {[BENCH_DO_RIVALS] = "rivals",
                                        [BENCH_DO_DATA] = "data",
                                        [BENCH_DO_LADDER] = "ladder",
                                        [BENCH_DO_ROOFLINE] = "roofline",
                                        [BENCH_DO_COMPARE] = "compare"};
    for (int i = BENCH_DO_RUN + 1; i <= BENCH_DO_COMPARE; i++) {
        if (strcmp(words[i], word) != 0) continue;
        *verb = (bench_verb)i;
        return true;
    }
    return false;
}

vel_err bench_parse(vel_ctx *ctx, int argc, char **argv, bench_command *command) {
    const row *tier = NULL;
    *command = (bench_command){.request = {.scale = 1, .repeat = 1, .threads = 1, .out = "velbench-out"}};
    command->help = argc > 1 && strcmp(argv[1], "help") == 0; /* `help COMMAND` is `COMMAND --help` */
    const int first = command->help ? 2 : 1;
    for (int i = first; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-h") == 0)
            VEL_TRY(take_option(ctx, argv, &i, command, &tier));
        else if ((i == first || command->help) && (is_verb(argv[i], &command->verb) || !strcmp(argv[i], "help")))
            continue;
        else if (command->verb == BENCH_DO_COMPARE && !command->compare.new)
            *(command->compare.old ? &command->compare.new : &command->compare.old) = argv[i];
        else
            return vel_fail(ctx, VEL_EUSAGE,
                            "\"%s\" is no command: rivals, data, ladder, roofline, compare, help, or options alone",
                            argv[i]);
    }
    return check(ctx, command);
}
