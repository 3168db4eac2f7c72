#include <string.h>

#include "pipelines/cli.h"
#include "pipelines/recipe.h"

static const char *type_word(const vel_opt *row) {
    if (row->choices && *row->choices && !vel_opt_range(row)) return row->choices;
    switch (row->type) {
        case VEL_OBOOL:
        case VEL_OSWITCH:
            return "true|false";
        case VEL_OINT:
        case VEL_OCOUNT:
            return "N";
        case VEL_OREAL:
        case VEL_ONUMBER:
            return "X";
        case VEL_OTEXT:
            return "NAME";
        case VEL_OANY:
            break;
    }
    return "VALUE";
}

static void print_row(FILE *out, const char *left, const vel_opt *row) {
    fprintf(out, strlen(left) > 34 ? "  %s\n  %-34s" : "  %-34s%.0s", left, "");
    fprintf(out, "  %s", row->help);
    if (vel_opt_range(row)) fprintf(out, " (%s)", vel_opt_range(row));
    if (strcmp(row->def, "none") != 0) fprintf(out, " (default %s)", row->def);
    fputc('\n', out);
}

static void print_options(FILE *out, const vel_opt *rows) {
    for (const vel_opt *row = rows; row && row->name; row++) {
        char left[160];
        snprintf(left, sizeof left, "--%s %s", row->name, type_word(row));
        print_row(out, left, row);
    }
}

static void print_common(FILE *out) {
    fputs("\nCommon options ('-' and '_' are the same in every name):\n", out);
    for (const vel_opt *row = vel_common_rows; row->name; row++) {
        char left[80];
        snprintf(left, sizeof left, "--%s%s", row->name, row->type == VEL_OBOOL ? "" : " VALUE");
        for (char *c = left; *c; c++)
            if (*c == '_') *c = '-';
        vel_opt shown = *row;
        shown.def = "none";
        print_row(out, left, &shown);
    }
}

static void print_named(FILE *out, bool lacking) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    for (int i = 0; ctx.scratch && i < vel_n_named; i++) {
        const char *lacks;
        if (vel_recipe_lacks(&ctx, ctx.scratch, vel_named_rows[i], &lacks) || lacking != (*lacks != 0)) continue;
        fprintf(out, "  %-30s %s\n", vel_named_rows[i]->name, lacking ? lacks : vel_named_rows[i]->help);
    }
    vel_arena_free(ctx.scratch);
}

static void print_recipes(FILE *out) {
    fputs("\nRecipes:\n", out);
    print_named(out, false);
    fputs("\nRecipes with steps that this version does not have yet:\n", out);
    print_named(out, true);
}

void vel_help_program(FILE *out) {
    fputs(
        "vel: RNA velocity on AnnData files\n\n"
        "  vel STEP IN.h5ad [-o OUT.h5ad] [--OPTION VALUE …]      one step\n"
        "  vel run RECIPE IN.h5ad -o OUT.h5ad [--OPTION VALUE …]  several: a recipe, or the name of one\n"
        "  vel steps [--json]       the steps: what they read, write and take (?: optional)\n"
        "  vel recipes [--json]     the named recipes\n"
        "  vel info FILE [--json]   what is in a file\n"
        "  vel COMMAND --help       more about a command or a step (vel help COMMAND)\n"
        "  vel --version\n\n"
        "Example:\n"
        "  vel run dynamical counts.h5ad -o velocity.h5ad\n\n"
        "Steps, in pipeline order:\n",
        out);
    for (int i = 0; i < vel_n_steps; i++) fprintf(out, "  %-26s %s\n", vel_steps[i]->name, vel_steps[i]->help);
    print_recipes(out);
    print_common(out);
}

static void print_keys(FILE *out, const char *title, const vel_key *keys) {
    if (!keys || !keys->name) return;
    fprintf(out, "\n%s:\n", title);
    for (const vel_key *k = keys; k->name; k++) {
        fprintf(out, "  %s", k->name);
        if (k->when) fprintf(out, "  (when %s)", k->when);
        if (k->optional) fputs("  (optional)", out);
        if (k->maker) fprintf(out, "  (made by %s if missing)", k->maker);
        fputc('\n', out);
    }
}

void vel_help_step(FILE *out, const vel_step *step) {
    fprintf(out, "vel %s: %s\n\n", step->name, step->help);
    fprintf(out, "  vel %s %s [--OPTION VALUE …]\n", step->name,
            step->inputs ? "IN.h5ad [-o OUT.h5ad]" : "-o OUT.h5ad");
    if (step->example) fprintf(out, "\nExample:\n  %s\n", step->example);
    if (step->opts && step->opts->name) fputs("\nOptions:\n", out);
    print_options(out, step->opts);
    print_keys(out, "Reads", step->reads);
    print_keys(out, "Writes", step->writes);
    print_common(out);
}

void vel_help_run(FILE *out) {
    fputs(
        "vel run: the steps of a recipe, one after the other\n\n"
        "  vel run RECIPE IN.h5ad -o OUT.h5ad [--OPTION VALUE …]\n\n"
        "A recipe is `step key=value … | step …`, or the name of one of those below. A value is a word, a number, "
        "none,\n"
        "true, false or a JSON array; quotes protect spaces and '|'. An option of the command line goes to the one "
        "step\n"
        "that has it and beats the recipe; where several have it, --STEP.OPTION says which; --vkey goes to all.\n\n"
        "Examples:\n"
        "  vel run dynamical counts.h5ad -o velocity.h5ad --neighbors.n_neighbors 15\n"
        "  vel run 'moments | velocity mode=deterministic | velocity_graph' counts.h5ad -o velocity.h5ad\n",
        out);
    print_recipes(out);
    print_common(out);
}

void vel_help_steps(FILE *out) {
    fputs(
        "vel steps: the steps in pipeline order, with what they read and write, and their options with defaults\n\n"
        "  vel steps [--json]       --json: all that is known about them, one JSON array\n\n"
        "Example:\n"
        "  vel steps --json\n",
        out);
}

void vel_help_recipes(FILE *out) {
    fputs(
        "vel recipes: the named recipes, spelled out, and the steps that this version does not have\n\n"
        "  vel recipes [--json]     --json: one JSON array\n\n"
        "Example:\n"
        "  vel recipes --json\n",
        out);
}

void vel_help_info(FILE *out) {
    fputs(
        "vel info: cells and genes of a file, its fields with type and shape, and what was computed with which "
        "options\n\n"
        "  vel info FILE.h5ad [--json]   --json: one JSON object\n\n"
        "Example:\n"
        "  vel info velocity.h5ad\n",
        out);
}
