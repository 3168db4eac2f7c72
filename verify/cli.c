#include "verify/cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FLAG, TEXT, AMOUNT, SHARE, COUNT, STRICTNESS } kind;

typedef struct {
    const char *name, *value, *help;
    kind kind;
    size_t offset;
} row;

#define AT(field) offsetof(vel_cmp_command, field)

static const row rows[] = {
    {"--steps", "A,B", "only what these steps write", TEXT, AT(parity.steps)},
    {"--only", "GLOB", "only fields that match, such as 'layers/*'", TEXT, AT(parity.only)},
    {"--tolerance", "spec|loose|exact", "what is allowed; spec: what each field can reach (default)", STRICTNESS,
     AT(parity.strictness)},
    {"--atol", "X", "absolute part of the tolerance, for every field", AMOUNT, AT(parity.atol)},
    {"--rtol", "X", "relative part of the tolerance, for every field", AMOUNT, AT(parity.rtol)},
    {"--outliers", "F", "share of a field's elements that may lie outside, 0 to 1", SHARE, AT(parity.outliers)},
    {"--worst", "N", "genes and cells named for a field that drifts, at most 20 (default: 5)", COUNT, AT(parity.worst)},
    {"--json", NULL, "the report as one JSON object", FLAG, AT(json)},
    {"--help", NULL, "-h: this text", FLAG, AT(help)},
    {"--version", NULL, "the version", FLAG, AT(version)},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

void vel_cmp_help(FILE *out) {
    fprintf(out,
            "velcmp REFERENCE.h5ad RESULT.h5ad [OPTION …]\n\n"
            "Does the result agree with the reference? Compares every field of the reference that a step writes.\n\n");
    for (int i = 0; i < N_ROWS; i++) {
        char head[64];
        snprintf(head, sizeof head, "%s%s%s", rows[i].name, rows[i].value ? " " : "",
                 rows[i].value ? rows[i].value : "");
        fprintf(out, "  %-30s %s\n", head, rows[i].help);
    }
    fprintf(out,
            "\nExit codes: 0 PASS, 1 DRIFT or nothing to compare, 2 wrong usage, 3 a file cannot be read,\n"
            "4 shapes or sets of names differ.\n\n"
            "Example: velcmp scvelo.h5ad vel.h5ad --only 'layers/velocity*' --worst 3\n");
}

static vel_err set_amount(vel_ctx *ctx, const row *r, const char *text, double *out) {
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end || !(x >= 0) || (r->kind == SHARE && x > 1))
        return vel_fail(ctx, VEL_EUSAGE, "%s takes a number%s, not \"%s\"", r->name,
                        r->kind == SHARE ? " from 0 to 1" : ", 0 or more", text);
    *out = x;
    return VEL_OK;
}

static vel_err set_count(vel_ctx *ctx, const row *r, const char *text, int *out) {
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 0 || n > VEL_WORST)
        return vel_fail(ctx, VEL_EUSAGE, "%s takes a whole number from 0 to %d, not \"%s\"", r->name, VEL_WORST, text);
    *out = (int)n;
    return VEL_OK;
}

static vel_err set_strictness(vel_ctx *ctx, const row *r, const char *text, vel_strictness *out) {
    static const char *const words[] = {[VEL_SPEC] = "spec", [VEL_LOOSE] = "loose", [VEL_EXACT] = "exact"};
    for (int i = VEL_SPEC; i <= VEL_EXACT; i++)
        if (strcmp(words[i], text) == 0) {
            *out = (vel_strictness)i;
            return VEL_OK;
        }
    return vel_fail(ctx, VEL_EUSAGE, "%s takes %s, not \"%s\"", r->name, r->value, text);
}

static vel_err set(vel_ctx *ctx, const row *r, const char *text, vel_cmp_command *command) {
    void *at = (char *)command + r->offset;
    switch (r->kind) {
        case FLAG:
            *(bool *)at = true;
            return VEL_OK;
        case TEXT:
            *(const char **)at = text;
            return VEL_OK;
        case AMOUNT:
        case SHARE:
            return set_amount(ctx, r, text, at);
        case COUNT:
            return set_count(ctx, r, text, at);
        case STRICTNESS:
            return set_strictness(ctx, r, text, at);
    }
    return VEL_OK;
}

static const row *find(const char *argument, const char **value) {
    if (!strcmp(argument, "-h")) argument = "--help";
    size_t length = strcspn(argument, "=");
    *value = argument[length] ? argument + length + 1 : NULL;
    for (int i = 0; i < N_ROWS; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, argument, length) == 0) return &rows[i];
    return NULL;
}

static vel_err take_option(vel_ctx *ctx, int argc, char **argv, int *i, vel_cmp_command *command) {
    const char *value;
    const row *r = find(argv[*i], &value);
    if (!r) return vel_fail(ctx, VEL_EUSAGE, "there is no option %s", argv[*i]);
    if (r->kind == FLAG && value) return vel_fail(ctx, VEL_EUSAGE, "%s takes no value", r->name);
    if (r->kind != FLAG && !value) {
        if (*i + 1 >= argc) return vel_fail(ctx, VEL_EUSAGE, "%s takes a value: %s", r->name, r->value);
        value = argv[++*i];
    }
    return set(ctx, r, value, command);
}

vel_err vel_cmp_parse(vel_ctx *ctx, int argc, char **argv, vel_cmp_command *command) {
    *command = (vel_cmp_command){.parity = VEL_PARITY_DEFAULTS};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-h") == 0) {
            VEL_TRY(take_option(ctx, argc, argv, &i, command));
        } else if (!command->reference) {
            command->reference = argv[i];
        } else if (!command->result) {
            command->result = argv[i];
        } else {
            return vel_fail(ctx, VEL_EUSAGE, "two files are compared; \"%s\" is a third", argv[i]);
        }
    }
    if (command->reference && !command->result && strcmp(command->reference, "help") == 0) command->help = true;
    if (command->help || command->version || command->result) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "two files are needed: REFERENCE.h5ad RESULT.h5ad");
}
