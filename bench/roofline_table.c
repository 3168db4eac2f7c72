#include "bench/roofline_table.h"

#include <inttypes.h>
#include <math.h>

#include "bench/host.h"
#include "bench/units.h"
#include "core/text.h"

const char *bench_arithmetic_word(bench_arithmetic a) {
    static const char *const words[] = {"double, fused", "single, fused", "double", "single"};
    return words[a];
}

static void add_figure(vel_text *t, double x, bench_unit *unit) {
    char figure[BENCH_UNIT];
    unit(x > 0 ? x : NAN, figure);
    vel_text_add(t, " %s |", figure);
}

static void add_level(vel_text *t, const bench_level *l, int threads) {
    vel_text_add(t, "| %s | %d |", l->name, threads);
    add_figure(t, (double)l->bytes, bench_unit_bytes);
    add_figure(t, l->read, bench_unit_bandwidth);
    add_figure(t, l->copy, bench_unit_bandwidth);
    add_figure(t, l->triad, bench_unit_bandwidth);
    vel_text_add(t, " %.2f G/s |\n", l->gather / 1e9);
}

static void add_memory(vel_text *t, const bench_roofline *r) {
    vel_text_add(t,
                 "\n| memory | threads | working set of each | read | copy | triad | random loads |\n"
                 "|---|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < BENCH_LEVELS; i++) {
        add_level(t, &r->one.level[i], 1);
        if (r->all.threads) add_level(t, &r->all.level[i], r->all.threads);
    }
    vel_text_add(t, "| disk | 1 |");
    add_figure(t, 256e6, bench_unit_bytes);
    add_figure(t, r->disk_read, bench_unit_bandwidth);
    vel_text_add(t, " written and synced:");
    char figure[BENCH_UNIT];
    bench_unit_bandwidth(r->disk_written > 0 ? r->disk_written : NAN, figure);
    vel_text_add(t, " %s | – | – |\n", figure);
}

static void add_rate(vel_text *t, const bench_roofline *r, const char *name, double one, double all) {
    vel_text_add(t, "| %s | %.3g |", name, one / 1e9);
    if (r->all.threads) vel_text_add(t, " %.3g |", all / 1e9);
    vel_text_add(t, "\n");
}

static void add_core(vel_text *t, const bench_roofline *r) {
    const bench_speeds *o = &r->one, *a = &r->all;
    vel_text_add(t, "\n| 10^9 a second, %s | 1 thread |", vel_cpu_name(vel_cpu_level()));
    if (a->threads) vel_text_add(t, " %d threads |", a->threads);
    vel_text_add(t, "\n|---|---:|%s\n", a->threads ? "---:|" : "");
    add_rate(t, r, "operations in single precision, multiplied and added in one", o->fused_f32, a->fused_f32);
    add_rate(t, r, "the same, rounded twice", o->apart_f32, a->apart_f32);
    add_rate(t, r, "operations in double precision, in one", o->fused_f64, a->fused_f64);
    add_rate(t, r, "the same, rounded twice", o->apart_f64, a->apart_f64);
    add_rate(t, r, "divisions of doubles", o->divide, a->divide);
    add_rate(t, r, "exp of doubles", o->exp, a->exp);
    add_rate(t, r, "log of doubles", o->log, a->log);
    add_rate(t, r, "additions that wait for each other", o->chain, a->chain);
}

static void add_kernel(vel_text *t, const bench_placed *p) {
    const bench_work *w = &p->work;
    vel_text_add(t, "| %s | %s |", p->kernel->name, p->kernel->what);
    add_figure(t, p->seconds, bench_unit_seconds);
    add_figure(t, w->bytes, bench_unit_bytes);
    vel_text_add(t, " %.3g M | %.3g |", w->flops / 1e6, w->flops / w->bytes);
    add_figure(t, w->bytes / p->seconds, bench_unit_bandwidth);
    add_figure(t, w->flops / p->seconds, bench_unit_rate);
    vel_text_add(t, " %s | %s |", p->level->name, bench_arithmetic_word(p->kernel->arithmetic));
    add_figure(t, w->flops / p->roof_s, bench_unit_rate);
    vel_text_add(t, " **%.0f %%** | %s |\n", 100 * p->roof_s / p->seconds, bench_limit_of_word(p->limit));
}

static void add_kernels(vel_text *t, const bench_roofline *r) {
    const bench_shape *s = &r->shape;
    vel_text_add(t,
                 "\n## Kernels, one call on one thread\n\n%" PRId64 " cells, %" PRId64 " genes (%" PRId64
                 " where they are normalised and decomposed), %" PRId64 " neighbours with the cell itself, %" PRId64
                 " dimensions,\n%" PRId64 " points of the curve, %" PRId64 " x %" PRId64 " transitions.\n\n",
                 s->cells, s->genes, s->wide, s->neighbors, s->dims, s->points, s->queries, s->candidates);
    vel_text_add(
        t,
        "| kernel | what | time | bytes | operations | a byte | reached | reached | lies in | arithmetic | roof "
        "| of the roof | limited by |\n|---|---|---:|---:|---:|---:|---:|---:|---|---|---:|---:|---|\n");
    for (int i = 0; i < r->n; i++) add_kernel(t, &r->placed[i]);
    vel_text_add(
        t,
        "\nBytes and operations are the least that the kernel's code must do (formulas in roofline.json, their "
        "source in\nbench/kernels.c); the roof is the longest of what each need takes alone.\n");
}

vel_err bench_roofline_table(vel_ctx *ctx, const bench_roofline *r, const char **text) {
    const bench_run *run = r->run;
    vel_text t = vel_text_new(ctx->scratch);
    const char *hardware;
    VEL_TRY(bench_host_line(ctx, &run->host, &hardware));
    vel_text_add(&t, "# What the machine gives, and what the kernels take\n\n%s; %s; vel %s%s%s.\n", hardware,
                 run->started ? run->started : "", VEL_VERSION, run->host.commit ? ", " : "",
                 run->host.commit ? run->host.commit : "");
    for (int i = 0; i < run->host.n_findings; i++)
        if (run->host.findings[i].warn)
            vel_text_add(&t, "Disturbing: %s %s.\n", run->host.findings[i].name, run->host.findings[i].value);
    add_memory(&t, r);
    add_core(&t, r);
    add_kernels(&t, r);
    return vel_text_done(ctx, &t, text);
}
