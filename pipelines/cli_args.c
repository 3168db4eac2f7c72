#include "pipelines/cli_args.h"

#include <string.h>

#include "core/near.h"
#include "pipelines/word.h"

const vel_opt vel_common_rows[] = {
    VEL_OPT(vel_common, output, VEL_OTEXT, "none", NULL,
            "-o: the file to write; without it a step writes into its input"),
    VEL_OPT(vel_common, threads, VEL_OCOUNT, "none", NULL, "threads; none: the cores that the process may use"),
    VEL_OPT(vel_common, max_memory, VEL_OTEXT, "none", NULL,
            "memory to keep to (8G, 500M), by a scratch file beside the output if need be"),
    VEL_OPT(vel_common, compression, VEL_OTEXT, "none", NULL, "arrays written are compressed: gzip, lzf or none"),
    VEL_OPT(vel_common, compression_opts, VEL_OCOUNT, "none", NULL, "the level of gzip, 0 to 9; none: 4"),
    VEL_OPT(vel_common, spliced, VEL_OTEXT, "none", NULL, "the layer that holds the spliced counts"),
    VEL_OPT(vel_common, unspliced, VEL_OTEXT, "none", NULL, "the layer that holds the unspliced counts"),
    VEL_OPT(vel_common, genes, VEL_OTEXT, "none", NULL, "a file of gene names, one a line: the genes to keep"),
    VEL_OPT(vel_common, quiet, VEL_OBOOL, "false", NULL, "-q: say nothing but errors"),
    VEL_OPT(vel_common, json, VEL_OBOOL, "false", NULL, "events on stdout, one JSON object a line"),
    VEL_OPT(vel_common, dry_run, VEL_OBOOL, "false", NULL, "say what would be done and what memory it would take"),
    VEL_OPT(vel_common, help, VEL_OBOOL, "false", NULL, "-h: this page"),
    VEL_OPT(vel_common, version, VEL_OBOOL, "false", NULL, "the version of the program"),
    {0},
};

static const struct {
    char letter;
    const char *name;
} short_names[] = {{'o', "output"}, {'h', "help"}, {'q', "quiet"}};

static const char *long_name(char letter) {
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
        if (short_names[i].letter == letter) return short_names[i].name;
    return NULL;
}

/* An option wherever it is known, of every command or of some step; NULL: nobody has it. */
static const vel_opt *known_option(const char *name) {
    const vel_opt *row = vel_opt_find(vel_common_rows, name);
    const char *dot = strchr(name, '.');
    for (int i = 0; !row && i < vel_n_steps; i++) row = vel_opt_find(vel_steps[i]->opts, dot ? dot + 1 : name);
    return row;
}

/* Whether it is true without a value. */
static bool is_bool(const vel_opt *row) { return row && (row->type == VEL_OBOOL || row->type == VEL_OSWITCH); }

static bool is_bool_word(const char *word) {
    static const char *const words[] = {"true", "True", "false", "False", "none", "None"};
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) return true;
    return false;
}

/* The dashes off, "=value" cut off: *name, and *value if there is one. */
static vel_err split_flag(vel_ctx *ctx, vel_arena *arena, const char *arg, const char **name, const char **value) {
    *value = NULL;
    if (arg[1] != '-') {
        *name = arg[2] ? NULL : long_name(arg[1]);
        if (*name) return VEL_OK;
        return vel_fail(ctx, VEL_EUSAGE, "unknown option %s%s%s", arg, arg[2] ? "; a file of that name is ./" : "",
                        arg[2] ? arg : "");
    }
    char *copy = vel_arena_strdup(arena, arg + 2);
    if (!copy) return vel_no_memory(ctx, strlen(arg), 1);
    *name = copy;
    char *equals = strchr(copy, '=');
    if (!equals) return VEL_OK;
    *equals = 0;
    *value = equals + 1;
    return VEL_OK;
}

static bool is_flag(const char *arg) {
    return arg[0] == '-' && (arg[1] == '-' || ((arg[1] | 0x20) >= 'a' && arg[1] <= 'z'));
}

vel_err vel_args_parse(vel_ctx *ctx, vel_arena *arena, int argc, char **argv, vel_args *args) {
    size_t most = (size_t)argc + 1;
    *args = (vel_args){.words = vel_arena_alloc(arena, most, sizeof *args->words),
                       .flags = vel_arena_alloc(arena, most, sizeof *args->flags)};
    if (!args->words || !args->flags) return vel_no_memory(ctx, most, sizeof *args->flags);
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        if (!only_words && !strcmp(argv[i], "--")) {
            only_words = true;
        } else if (only_words || !is_flag(argv[i])) {
            args->words[args->n_words++] = argv[i];
        } else {
            vel_flag *flag = &args->flags[args->n_flags++];
            VEL_TRY(split_flag(ctx, arena, argv[i], &flag->name, &flag->value));
            const vel_opt *row = known_option(flag->name);
            if (flag->value || (is_bool(row) && !is_bool_word(argv[i + 1]))) continue;
            bool alone = i + 1 == argc || !strncmp(argv[i + 1], "--", 2);
            if (alone && row) return vel_fail(ctx, VEL_EUSAGE, "option --%s needs a value", flag->name);
            if (!alone) flag->value = argv[++i]; /* else it is refused later, by whoever knows what would be right */
        }
    }
    return VEL_OK;
}

/* A value of a common option that is text is taken as it stands: a file may be called 1 or none. */
static vel_err flag_value(vel_ctx *ctx, vel_arena *arena, const vel_flag *flag, bool is_text, vel_value *value) {
    *value = (vel_value){.kind = VEL_VBOOL, .boolean = true};
    if (flag->value && is_text) *value = (vel_value){.kind = VEL_VTEXT, .text = flag->value};
    return flag->value && !is_text ? vel_word_value(ctx, arena, flag->name, flag->value, value) : VEL_OK;
}

vel_err vel_args_common(vel_ctx *ctx, vel_arena *arena, vel_args *args, vel_common *common) {
    *common = (vel_common){0};
    int kept = 0;
    for (int i = 0; i < args->n_flags; i++) {
        const vel_opt *row = vel_opt_find(vel_common_rows, args->flags[i].name);
        if (!row) {
            args->flags[kept++] = args->flags[i];
            continue;
        }
        vel_value value;
        VEL_TRY(flag_value(ctx, arena, &args->flags[i], row->type == VEL_OTEXT, &value));
        VEL_TRY(vel_opt_set(ctx, row, &value, common));
    }
    args->n_flags = kept;
    return VEL_OK;
}

/* ---- which step an option belongs to */

static bool has_option(const vel_call *call, const char *name) {
    return call->step && vel_opt_find(call->step->opts, name);
}

static vel_err refuse_several(vel_ctx *ctx, const vel_recipe *recipe, const char *name) {
    vel_text t = vel_text_new(recipe->arena);
    for (int i = 0; i < recipe->n_calls; i++) {
        bool told = false;
        for (int j = 0; j < i; j++) told = told || recipe->calls[j].step == recipe->calls[i].step;
        if (told || !has_option(&recipe->calls[i], name)) continue;
        const vel_opt *row = vel_opt_find(recipe->calls[i].step->opts, name);
        vel_text_add(&t, " --%s.%s", recipe->calls[i].step->name, row->name);
    }
    const char *choices;
    VEL_TRY(vel_text_done(ctx, &t, &choices));
    return vel_fail(ctx, VEL_EUSAGE, "several steps have the option --%s; choose:%s", name, choices);
}

static void offer_rows(vel_near *near, const vel_opt *rows) {
    for (const vel_opt *row = rows; row->name; row++) vel_near_offer(near, row->name);
}

vel_err vel_args_strange(vel_ctx *ctx, const vel_args *args) {
    for (int i = 0; i < args->n_flags; i++) {
        vel_near near = {.name = args->flags[i].name};
        if (known_option(near.name)) continue;
        offer_rows(&near, vel_common_rows);
        for (int s = 0; s < vel_n_steps; s++) offer_rows(&near, vel_steps[s]->opts);
        return vel_fail(ctx, VEL_EUSAGE,
                        "there is no option --%s%s%s%s (vel --help lists those of every command, vel STEP --help a "
                        "step's)",
                        near.name, near.best ? "; did you mean --" : "", near.best ? near.best : "",
                        near.best ? "?" : "");
    }
    return VEL_OK;
}

static vel_err refuse_unknown(vel_ctx *ctx, const vel_recipe *recipe, const char *name) {
    const char *dot = strchr(name, '.');
    vel_near near = {.name = dot ? dot + 1 : name};
    for (int i = 0; i < recipe->n_calls; i++)
        if (recipe->calls[i].step) offer_rows(&near, recipe->calls[i].step->opts);
    offer_rows(&near, vel_common_rows);
    const char *whose = recipe->n_calls == 1 ? recipe->calls[0].name : "no step of the recipe";
    return vel_fail(ctx, VEL_EUSAGE, "%s has %soption --%s%s%s%s", whose, recipe->n_calls == 1 ? "no " : "an ", name,
                    near.best ? "; did you mean --" : "", near.best ? near.best : "", near.best ? "?" : "");
}

/* Sets the option in every call of the step; NULL: of every step that has it. */
static vel_err set_all(vel_ctx *ctx, vel_recipe *recipe, const vel_step *step, const char *name, vel_value value) {
    for (int i = 0; i < recipe->n_calls; i++) {
        vel_call *call = &recipe->calls[i];
        if ((step && call->step != step) || !has_option(call, name)) continue;
        VEL_TRY(vel_call_set(ctx, call, name, value));
    }
    return VEL_OK;
}

/* Whether "STEP.OPTION" names the step; an option without a step may be anybody's. */
static bool is_of(const vel_step *step, const char *flag, const char *dot) {
    if (!dot) return true;
    size_t n = strlen(step->name);
    char name[64];
    if (n != (size_t)(dot - flag) || n >= sizeof name) return false;
    memcpy(name, flag, n);
    name[n] = 0;
    return vel_same_name(name, step->name);
}

/* Whether the call's step has the option that a flag names, by "OPTION" or "STEP.OPTION". */
static bool takes(const vel_call *call, const char *flag) {
    const char *dot = strchr(flag, '.');
    return has_option(call, dot ? dot + 1 : flag) && is_of(call->step, flag, dot);
}

static vel_err route_flag(vel_ctx *ctx, const vel_flag *flag, vel_recipe *recipe) {
    vel_value value;
    VEL_TRY(flag_value(ctx, recipe->arena, flag, false, &value));
    const char *dot = strchr(flag->name, '.'), *name = dot ? dot + 1 : flag->name;
    const vel_step *found = NULL;
    for (int i = 0; i < recipe->n_calls; i++) {
        const vel_call *call = &recipe->calls[i];
        if (!takes(call, flag->name) || call->step == found) continue;
        if (found && vel_same_name(name, "vkey")) return set_all(ctx, recipe, NULL, name, value);
        if (found) return refuse_several(ctx, recipe, name);
        found = call->step;
    }
    return found ? set_all(ctx, recipe, found, name, value) : refuse_unknown(ctx, recipe, flag->name);
}

vel_err vel_args_fit(vel_ctx *ctx, const vel_args *args, const vel_recipe *recipe) {
    for (int i = 0; i < args->n_flags; i++) {
        const char *name = args->flags[i].name;
        bool found = false;
        for (int c = 0; c < recipe->n_calls; c++) found |= takes(&recipe->calls[c], name);
        if (!found) return refuse_unknown(ctx, recipe, name);
    }
    return VEL_OK;
}

vel_err vel_args_route(vel_ctx *ctx, const vel_args *args, vel_recipe *recipe) {
    for (int i = 0; i < args->n_flags; i++) VEL_TRY(route_flag(ctx, &args->flags[i], recipe));
    return VEL_OK;
}
