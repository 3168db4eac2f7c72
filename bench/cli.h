/* cli.h - velbench's command line, read. */
#ifndef VEL_BENCH_CLI_H
#define VEL_BENCH_CLI_H

#include <stdio.h>

#include "bench/compare.h"
#include "bench/ladder.h"
#include "bench/result.h"

typedef enum {
    BENCH_DO_RUN,
    BENCH_DO_RIVALS,
    BENCH_DO_DATA,
    BENCH_DO_LADDER,
    BENCH_DO_ROOFLINE,
    BENCH_DO_COMPARE
} bench_verb;

typedef struct {
    bench_verb verb;
    bench_request request;
    bench_ladder_request ladder;
    bench_compare_request compare;
    const char *rivals, *python;
    bool list, json, setup, help, version;
} bench_command;

/* Reads the arguments; VEL_EUSAGE says in ctx what is wrong with them. Texts are borrowed from argv. */
vel_err bench_parse(vel_ctx *ctx, int argc, char **argv, bench_command *command) VEL_CHECKED;

/* The help text, made from the table of options. */
void bench_help(FILE *out);

#endif
