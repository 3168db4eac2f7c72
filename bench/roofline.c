#include "bench/roofline.h"

#include <fnmatch.h>
#include <math.h>

#include "bench/clock.h"
#include "bench/units.h"

enum { LEAST_RUNS = 3, MOST_RUNS = 400, DISK_BYTES = 256000000 };

/* A kernel is timed again and again for so long. */
static const double long_enough_s = 0.5;

const char *bench_limit_of_word(bench_limited_by limit) {
    static const char *const words[] = {
#define LIMIT_WORD(name, word) word,
        BENCH_LIMIT_ROWS(LIMIT_WORD)
#undef LIMIT_WORD
    };
    return words[limit];
}

static double peak_of(const bench_speeds *s, bench_arithmetic arithmetic) {
    const double peaks[] = {s->fused_f64, s->fused_f32, s->apart_f64, s->apart_f32};
    return peaks[arithmetic];
}

bench_placed bench_place(const bench_kernel *kernel, const bench_speeds *s, const bench_shape *shape, double seconds) {
    const bench_work w = kernel->work(shape);
    const bench_level *level = bench_level_of(s, w.set);
    bench_placed p = {.kernel = kernel,
                      .work = w,
                      .seconds = seconds,
                      .level = level,
                      .need_s = {w.bytes / bench_bandwidth(level), w.flops / peak_of(s, kernel->arithmetic),
                                 w.gathers / bench_level_of(s, w.jumps)->gather, w.exps / s->exp + w.logs / s->log,
                                 w.divides / s->divide, w.chain / s->chain}};
    for (int i = 0; i < BENCH_LIMITS; i++)
        if (p.need_s[i] > p.need_s[p.limit]) p.limit = (bench_limited_by)i;
    p.roof_s = p.need_s[p.limit];
    return p;
}

/* The least of several calls, the first one apart: CPU time, which on one thread is wall time without the neighbours.
 */
static vel_err time_kernel(vel_ctx *ctx, const bench_kernel *kernel, bench_kernel_data *d, double *seconds) {
    double total = 0;
    *seconds = INFINITY;
    for (int i = -1; i < LEAST_RUNS || (total < long_enough_s && i < MOST_RUNS); i++) {
        const vel_mark mark = vel_arena_mark(ctx->scratch);
        const int64_t start = bench_thread_cpu_ns();
        VEL_TRY(kernel->run(ctx, d));
        const double took = (double)(bench_thread_cpu_ns() - start) / 1e9;
        vel_arena_release(ctx->scratch, mark);
        VEL_TRY(vel_poll(ctx));
        if (i < 0) continue;
        *seconds = fmin(*seconds, took);
        total += took;
    }
    return VEL_OK;
}

static vel_err probe_machine(vel_ctx *ctx, bench_roofline *r, FILE *people) {
    const int threads = r->run->request.threads;
    if (people) fprintf(people, "what the machine gives, on one thread …\n");
    ctx->threads = 1;
    VEL_TRY(bench_probe(ctx, &r->one));
    if (threads > 1) {
        if (people) fprintf(people, "… on %d threads\n", threads);
        ctx->threads = threads;
        VEL_TRY(bench_probe(ctx, &r->all));
        ctx->threads = 1;
    }
    return bench_probe_disk(ctx, r->run->request.out, DISK_BYTES, &r->disk_written, &r->disk_read);
}

static bool selected(const bench_roofline *r, const bench_kernel *kernel) {
    const char *only = r->run->request.only;
    return !only || fnmatch(only, kernel->name, 0) == 0;
}

vel_err bench_roofline_measure(vel_ctx *ctx, bench_roofline *r, FILE *people) {
    bench_kernel_data d;
    int wanted = 0;
    for (int i = 0; i < bench_n_kernels; i++) wanted += selected(r, &bench_kernels[i]);
    if (!wanted) return vel_fail(ctx, VEL_EUSAGE, "--only %s matches no kernel", r->run->request.only);
    VEL_TRY(probe_machine(ctx, r, people));
    VEL_TRY(bench_kernel_data_make(ctx, &r->shape, &d));
    for (int i = 0; i < bench_n_kernels; i++) {
        const bench_kernel *kernel = &bench_kernels[i];
        double seconds;
        char time[BENCH_UNIT];
        if (!selected(r, kernel)) continue;
        VEL_TRY(time_kernel(ctx, kernel, &d, &seconds));
        const bench_placed *p = &r->placed[r->n];
        r->placed[r->n++] = bench_place(kernel, &r->one, &r->shape, seconds);
        bench_unit_seconds(seconds, time);
        if (people)
            fprintf(people, "%-14s %9s  %3.0f %% of %s\n", kernel->name, time, 100 * p->roof_s / seconds,
                    bench_limit_of_word(p->limit));
    }
    return VEL_OK;
}
