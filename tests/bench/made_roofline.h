/* made_roofline.h - a roofline with made-up speeds and times. */
#ifndef VEL_TESTS_BENCH_MADE_ROOFLINE_H
#define VEL_TESTS_BENCH_MADE_ROOFLINE_H

#include "bench/roofline.h"
#include "tests/bench/made.h"

static inline bench_speeds made_speeds(int threads) {
    bench_speeds s = {.threads = threads,
                      .fused_f64 = 60e9,
                      .fused_f32 = 120e9,
                      .apart_f64 = 50e9,
                      .apart_f32 = 100e9,
                      .divide = 3e9,
                      .exp = 1e9,
                      .log = 0.9e9,
                      .chain = 1.2e9};
    static const char *const names[] = {"L1", "L2", "L3", "memory"};
    const double bandwidths[] = {250e9, 110e9, 60e9, 16e9}, gathers[] = {6e9, 1.5e9, 0.4e9, 0.1e9};
    const int64_t bytes[] = {16000, 500000, 16000000, 256000000};
    for (int i = 0; i < BENCH_LEVELS; i++)
        s.level[i] = (bench_level){names[i], bytes[i], bandwidths[i], bandwidths[i] / 2, bandwidths[i] / 3, gathers[i]};
    return s;
}

/* Every kernel, twice as slow as its roof. Freed by made_roofline_free. */
static inline bench_roofline *made_roofline(void) {
    bench_roofline *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->run = made_run();
    r->one = made_speeds(1);
    r->all = made_speeds(2);
    r->disk_written = 1e9;
    r->disk_read = 2e9;
    r->shape = bench_shape_default;
    for (int i = 0; i < bench_n_kernels; i++) {
        bench_placed p = bench_place(&bench_kernels[i], &r->one, &r->shape, 1);
        p.seconds = 2 * p.roof_s;
        r->placed[r->n++] = p;
    }
    return r;
}

static inline void made_roofline_free(bench_roofline *r) {
    made_run_free(r->run);
    free(r);
}

#endif
