#include "bench/report.h"

#include <string.h>

#include "bench/files.h"
#include "bench/format.h"
#include "bench/history.h"
#include "bench/html.h"
#include "bench/results.h"
#include "bench/table.h"

vel_err bench_report_put(vel_ctx *ctx, const bench_run *run, const char *name, const char *text) {
    const char *path;
    VEL_TRY(bench_format(ctx, ctx->scratch, &path, "%s/%s", run->request.out, name));
    return bench_write_whole(ctx, path, text, strlen(text));
}

vel_err bench_report_put_json(vel_ctx *ctx, const bench_run *run, const char *name, json_t *document) {
    const char *text;
    const vel_err e = bench_json_text(ctx, document, &text);
    json_decref(document);
    return e == VEL_OK ? bench_report_put(ctx, run, name, text) : e;
}

static vel_err put_page(vel_ctx *ctx, const bench_run *run, const char *history_path) {
    json_t *history;
    const char *page;
    VEL_TRY(bench_history_read(ctx, history_path, &history));
    const vel_err e = bench_html_page(ctx, run, history, &page);
    json_decref(history);
    return e == VEL_OK ? bench_report_put(ctx, run, "report.html", page) : e;
}

vel_err bench_report_write(vel_ctx *ctx, const bench_run *run) {
    const char *text, *history;
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(bench_results_text(ctx, run, &text));
    VEL_TRY(bench_report_put(ctx, run, "benchmark_results.json", text));
    VEL_TRY(bench_table_text(ctx, run, &text));
    VEL_TRY(bench_report_put(ctx, run, "benchmark_table.md", text));
    VEL_TRY(bench_format(ctx, ctx->scratch, &history, "%s/benchmark_history.jsonl", run->request.out));
    VEL_TRY(bench_history_write(ctx, run, history));
    VEL_TRY(put_page(ctx, run, history));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
