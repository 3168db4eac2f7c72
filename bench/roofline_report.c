#include "bench/roofline_report.h"

#include "bench/files.h"
#include "bench/host.h"
#include "bench/report.h"
#include "bench/roofline_json.h"
#include "bench/roofline_plot.h"
#include "bench/roofline_table.h"

vel_err bench_roofline_write(vel_ctx *ctx, const bench_roofline *r) {
    const char *text;
    VEL_TRY(bench_report_put_json(ctx, r->run, "roofline.json", bench_roofline_json(r)));
    VEL_TRY(bench_roofline_table(ctx, r, &text));
    VEL_TRY(bench_report_put(ctx, r->run, "roofline.md", text));
    VEL_TRY(bench_roofline_plot(ctx, r, &text));
    return bench_report_put(ctx, r->run, "roofline.svg", text);
}

vel_err bench_roofline_perform(vel_ctx *ctx, bench_run *run, FILE *out, FILE *people) {
    bench_roofline *r = vel_arena_zalloc(run->arena, 1, sizeof *r);
    const char *table;
    if (!r) return vel_no_memory(ctx, 1, sizeof *r);
    r->run = run;
    r->shape = bench_shape_default;
    VEL_TRY(bench_make_folder(ctx, run->request.out));
    VEL_TRY(bench_host_look(ctx, run));
    VEL_TRY(bench_roofline_measure(ctx, r, people));
    VEL_TRY(bench_time_now(ctx, run->arena, &run->finished));
    VEL_TRY(bench_roofline_write(ctx, r));
    VEL_TRY(bench_roofline_table(ctx, r, &table));
    fprintf(out, "%s\nWritten: %s/roofline.{json,md,svg}\n", table, run->request.out);
    return VEL_OK;
}

void bench_roofline_list(FILE *out) {
    for (int i = 0; i < bench_n_kernels; i++) fprintf(out, "%-14s %s\n", bench_kernels[i].name, bench_kernels[i].what);
}
