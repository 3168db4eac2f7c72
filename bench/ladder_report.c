#include "bench/ladder_report.h"

#include <fnmatch.h>

#include "bench/files.h"
#include "bench/host.h"
#include "bench/ladder_climb.h"
#include "bench/ladder_json.h"
#include "bench/ladder_plot.h"
#include "bench/ladder_table.h"
#include "bench/report.h"
#include "bench/units.h"

typedef struct {
    vel_ctx *ctx;
    const bench_ladder *ladder;
    FILE *people;
} teller;

static void tell(const teller *t, const bench_side *side, const bench_climb *climb, int rung) {
    const bench_rung *r = &climb->rung[rung];
    int64_t cells, genes;
    char time[BENCH_UNIT], added[BENCH_UNIT];
    if (!t->people) return;
    bench_ladder_shape(t->ladder, side, rung, &cells, &genes);
    bench_unit_seconds(r->wall_s, time);
    bench_unit_bytes(r->added_b, added);
    fprintf(t->people, "%7lld x %-5lld %-23s ", (long long)cells, (long long)genes, climb->step->name);
    if (r->n)
        fprintf(t->people, "%9s  %9s%s%s\n", time, added, r->reason ? "  " : "", r->reason ? r->reason : "");
    else
        fprintf(t->people, "%s\n", r->reason ? r->reason : "not measured");
}

vel_err bench_ladder_write(vel_ctx *ctx, const bench_ladder *ladder) {
    const char *text;
    VEL_TRY(bench_report_put_json(ctx, ladder->run, "ladder.json", bench_ladder_json(ladder)));
    VEL_TRY(bench_ladder_table(ctx, ladder, &text));
    VEL_TRY(bench_report_put(ctx, ladder->run, "ladder.md", text));
    VEL_TRY(bench_ladder_plot(ctx, ladder, &text));
    return bench_report_put(ctx, ladder->run, "ladder.svg", text);
}

/* What is there is always the ladder as far as it has been climbed. */
static vel_err on_done(void *user, const bench_side *side, const bench_climb *climb, int rung) {
    const teller *t = user;
    tell(t, side, climb, rung);
    return bench_ladder_write(t->ctx, t->ladder);
}

vel_err bench_ladder_perform(vel_ctx *ctx, const bench_ladder_request *request, bench_run *run, FILE *out, FILE *people,
                             int *code) {
    bench_ladder *ladder = vel_arena_zalloc(run->arena, 1, sizeof *ladder);
    if (!ladder) return vel_no_memory(ctx, 1, sizeof *ladder);
    teller t = {ctx, ladder, people};
    ladder->run = run;
    ladder->done = on_done;
    ladder->user = &t;
    VEL_TRY(bench_ladder_plan(ctx, request, ladder));
    VEL_TRY(bench_make_folder(ctx, run->request.out));
    VEL_TRY(bench_host_look(ctx, run));
    const vel_err e = bench_ladder_climb(ctx, ladder);
    if (e != VEL_OK && !run->interrupted) return e;
    VEL_TRY(bench_time_now(ctx, run->arena, &run->finished));
    VEL_TRY(bench_ladder_write(ctx, ladder));
    const char *table;
    VEL_TRY(bench_ladder_table(ctx, ladder, &table));
    fprintf(out, "%s\nWritten: %s/ladder.{json,md,svg}\n", table, run->request.out);
    *code = bench_ladder_exit(ladder);
    return e;
}

void bench_ladder_list(FILE *out, const char *only) {
    for (int i = 0; i < bench_n_ladder_steps; i++) {
        const bench_ladder_step *s = &bench_ladder_steps[i];
        if (only && fnmatch(only, s->name, 0) != 0) continue;
        fprintf(out, "%-24s %s%s%s\n", s->name, s->before, *s->before ? " | timed: " : "", s->op);
    }
}
