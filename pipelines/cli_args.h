/* cli_args.h - the words of a command line: what stands by itself, and --name value. */
#ifndef VEL_PIPELINES_CLI_ARGS_H
#define VEL_PIPELINES_CLI_ARGS_H

#include "pipelines/recipe.h"

typedef struct {
    const char *name;  /* as written, without dashes: "n-neighbors", "neighbors.n_neighbors" */
    const char *value; /* NULL: the option of a bool, alone: true */
} vel_flag;

typedef struct {
    const char **words;
    int n_words;
    vel_flag *flags;
    int n_flags;
} vel_args;

/* Options that every command has, whatever the step. */
typedef struct {
    const char *output, *genes, *spliced, *unspliced, *max_memory, *compression;
    vel_value threads, compression_opts;
    bool quiet, json, dry_run, help, version;
} vel_common;
extern const vel_opt vel_common_rows[];

/* Sorts argv[0 .. argc-1] into words and flags: --name value, --name=value, -o FILE, -h, -q; after `--` all are words.
 * A bool option may stand alone, as one that is not known. VEL_EUSAGE if another's value is missing. In the arena. */
vel_err vel_args_parse(vel_ctx *ctx, vel_arena *arena, int argc, char **argv, vel_args *args) VEL_CHECKED;

/* Takes the common options out of the flags. */
vel_err vel_args_common(vel_ctx *ctx, vel_arena *arena, vel_args *args, vel_common *common) VEL_CHECKED;

/* VEL_EUSAGE if a remaining flag is no step's; the nearest of all is named. */
vel_err vel_args_strange(vel_ctx *ctx, const vel_args *args) VEL_CHECKED;

/* VEL_EUSAGE if a remaining flag is of no step of the recipe; the nearest of theirs is named. To be asked before the
 * words are counted: an option that is not known may have taken one of them for its value. */
vel_err vel_args_fit(vel_ctx *ctx, const vel_args *args, const vel_recipe *recipe) VEL_CHECKED;

/* Gives each remaining flag to the step of the recipe that has it. `vkey` goes to all; --STEP.OPTION to that step.
 * VEL_EUSAGE if several steps have it (the choices are named) or none (the nearest is). */
vel_err vel_args_route(vel_ctx *ctx, const vel_args *args, vel_recipe *recipe) VEL_CHECKED;

#endif
