/* program.h - velbench as a whole: what main calls. */
#ifndef VEL_BENCH_PROGRAM_H
#define VEL_BENCH_PROGRAM_H

#include "bench/cli.h"

/* Returns the exit code. */
int bench_main(int argc, char **argv);

/* --list: a line a bench, its name first; with json an object a line. */
vel_err bench_list(vel_ctx *ctx, FILE *out, const bench_command *command) VEL_CHECKED;

/* Runs what the request asks for with the backends that are set in run, and writes the outputs after each bench. */
vel_err bench_perform(vel_ctx *ctx, const bench_command *command, bench_run *run) VEL_CHECKED;

#endif
