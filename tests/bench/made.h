/* made.h - a run with made-up figures: one line of every state, every kind of cell. */
#ifndef VEL_TESTS_BENCH_MADE_H
#define VEL_TESTS_BENCH_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/result.h"

enum { MADE_REPEATS = 3 };

static inline vel_ctx *made_ctx(void) {
    vel_ctx *ctx = calloc(1, sizeof *ctx);
    assert_non_null(ctx);
    ctx->scratch = vel_arena_new();
    ctx->threads = 1;
    return ctx;
}

static inline void made_ctx_free(vel_ctx *ctx) {
    vel_arena_free(ctx->scratch);
    free(ctx);
}

/* Markdown: every row of a table has as many cells as its head. */
static inline void made_rows_are_even(const char *text) {
    int head = 0;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        int bars = 0;
        for (const char *p = line; p < end; p++) bars += *p == '|';
        if (*line != '|') head = 0;
        if (*line == '|' && !head) head = bars;
        assert_int_equal(*line == '|' ? bars : 0, head);
        line = end + 1;
    }
}

static inline void made_cell(bench_run *run, bench_cell *c, double wall_s, double added_mb) {
    c->state = BENCH_CELL_RAN;
    c->samples = vel_arena_zalloc(run->arena, MADE_REPEATS, sizeof *c->samples);
    c->frame = "{\"versions\": {\"vel\": \"0.1.0\"}, \"threads\": 1}";
    for (int i = 0; i < MADE_REPEATS; i++)
        c->samples[c->n++] = (bench_sample){.wall_ns = (int64_t)(wall_s * 1e9) + 1000000 * i,
                                            .cpu_ns = (int64_t)(wall_s * 1e9),
                                            .peak_added_kb = (int64_t)(added_mb * 1024),
                                            .sampled_added_kb = (int64_t)(added_mb * 1000),
                                            .cgroup_peak_bytes = -1,
                                            .pressure_us = -1,
                                            .exact = true,
                                            .order = i};
}

static inline bench_line *made_line(bench_run *run, const char *name) {
    bench_line *line = &run->lines[run->n_lines++];
    for (int i = 0; i < bench_n_rows; i++)
        if (strcmp(bench_rows[i].name, name) == 0) line->row = &bench_rows[i];
    assert_non_null(line->row);
    line->cells = line->row->cells;
    line->genes = line->row->genes;
    line->op = line->row->op;
    line->before = line->row->before ? line->row->before : "";
    line->fixture = "";
    line->threads = 1;
    line->bytes = (bench_bytes){-1, 16 << 20, -1, -1, -1};
    line->wants_parity = line->row->parity;
    return line;
}

static inline void made_failure(bench_cell *c, bench_outcome outcome, const char *reason) {
    *c = (bench_cell){
        .state = BENCH_CELL_RAN, .outcome = outcome, .reason = reason, .words = "the last <words> & more\n"};
}

/* Freed by made_run_free. */
static inline bench_run *made_run(void) {
    bench_run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->arena = vel_arena_new();
    run->request = (bench_request){.set = BENCH_SET_LONG, .scale = 1, .repeat = MADE_REPEATS, .threads = 1, .out = "."};
    run->started = "2026-01-02T03:04:05Z";
    run->host = (bench_host){.cpu = "A CPU", .cpus = 2, .memory_kb = 24 << 20, .kernel = "Linux 6", .commit = "abc"};
    run->backends[0] = (bench_backend){.name = "vel", .version = "0.1.0"};
    run->backends[1] = (bench_backend){.name = "scvelo", .version = "0.3.4", .reference = true};
    run->backends[2] = (bench_backend){.name = "scvelo-rs", .missing = "it is not installed"};
    run->n_backends = 3;

    bench_line *fast = made_line(run, "speed_recover_dynamics_5k"), *full = made_line(run, "speed_full_pipeline_50k");
    bench_line *lean = made_line(run, "mem_recover_dynamics_5k"), *oom = made_line(run, "mem_oom_crash_100k");
    bench_line *late = made_line(run, "mem_full_pipeline_50k"), *crash = made_line(run, "speed_velocity_20k");
    bench_line *skipped = made_line(run, "vendor_pancreas_tutorial"),
               *fixture = made_line(run, "mem_steady_state_layers");
    bench_line *ran[] = {fast, full, lean, oom, late, crash};
    for (size_t i = 0; i < sizeof ran / sizeof ran[0]; i++) {
        made_cell(run, &ran[i]->cell[0], 0.5 * (double)(i + 1), 20 + (double)i);
        made_cell(run, &ran[i]->cell[1], 30 * (double)(i + 1), 80 + (double)i);
        ran[i]->cell[2].state = BENCH_CELL_SKIPPED;
        ran[i]->cell[2].reason = run->backends[2].missing;
        ran[i]->state = BENCH_LINE_RAN;
    }
    full->cell[0].parity = (bench_parity){.done = true, .passes = true, .passed = 14, .total = 14};
    fast->cell[0].samples[1].doubts = BENCH_STOLEN | BENCH_SWITCHED;
    made_failure(&oom->cell[1], BENCH_OOM, "out of memory (cgroup v1)");
    made_failure(&late->cell[1], BENCH_TIMEOUT, "stopped after 7200 s");
    made_failure(&crash->cell[1], BENCH_SIGNAL, "signal 11 (Segmentation fault)");
    skipped->state = BENCH_LINE_SKIPPED;
    skipped->reason = "the data is not there: endocrinogenesis_day15.h5ad";
    fixture->state = BENCH_LINE_FIXTURE;
    fixture->reason = "the fixture could not be made: exit status 3";
    fixture->words = "no space\n";
    for (int i = 0; i < run->n_lines; i++) bench_conclude_line(run, &run->lines[i]);
    bench_conclude_run(run);
    return run;
}

static inline void made_run_free(bench_run *run) {
    vel_arena_free(run->arena);
    free(run);
}

#endif
