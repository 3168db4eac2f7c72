/* live.h - a run as it goes on: a line a bench for people, on stderr; events for programs, on stdout. */
#ifndef VEL_BENCH_LIVE_H
#define VEL_BENCH_LIVE_H

#include <stdio.h>

#include "bench/result.h"

typedef struct {
    FILE *people;   /* NULL: nobody */
    bool terminal;  /* people watch a terminal: the line of the bench that runs is redrawn */
    FILE *programs; /* NULL: nobody */
} bench_live;

void bench_live_start(bench_live *live, const bench_run *run, int line, int backend, int repeat);
void bench_live_done(bench_live *live, const bench_run *run, int line);
void bench_live_end(bench_live *live, const bench_run *run, int exit_code);

#endif
