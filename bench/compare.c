#include "bench/compare.h"

#include <string.h>

#include "bench/columns.h"
#include "bench/files.h"
#include "core/text.h"
#include "io/json.h"

static vel_err load(vel_ctx *ctx, const char *path, json_t **run) {
    const char *text;
    size_t n;
    json_error_t error;
    VEL_TRY(bench_read_whole(ctx, ctx->scratch, path, &text, &n));
    if (!text) return vel_fail(ctx, VEL_EREAD, "%s: not there", path);
    *run = json_loadb(text, n, 0, &error);
    if (!*run) return vel_fail(ctx, VEL_EFORMAT, "%s, line %d: %s", path, error.line, error.text);
    return VEL_OK;
}

/* "1.03x", with its verdict where there is one. */
static void add_shift(vel_text *t, const bench_shift *s) {
    char ratio[BENCH_FIGURE];
    bench_show_ratio(s->ratio, ratio);
    vel_text_add(t, " %s", ratio);
    if (s->lost)
        vel_text_add(t, " LOST");
    else if (s->judged && s->verdict != BENCH_INCONCLUSIVE)
        vel_text_add(t, " %s", bench_verdict_word(s->verdict));
    vel_text_add(t, " |");
}

vel_err bench_changes_text(vel_ctx *ctx, const bench_changes *changes, double margin, const char **text) {
    vel_text t = vel_text_new(ctx->scratch);
    if (changes->warning) vel_text_add(&t, "**Beware: %s.**\n\n", changes->warning);
    vel_text_add(&t, "New over old: more than 1 is a loss.\n\n| bench | program |");
    for (int f = 0; f < BENCH_N_FIGURES; f++) vel_text_add(&t, " %s |", bench_figure_word((bench_figure)f));
    vel_text_add(&t, " note |\n|---|---|---:|---:|---:|---|\n");
    for (int i = 0; i < changes->n; i++) {
        const bench_change *c = &changes->list[i];
        vel_text_add(&t, "| %s | %s |", c->bench, c->program);
        for (int f = 0; f < BENCH_N_FIGURES; f++) add_shift(&t, &c->of[f]);
        vel_text_add(&t, " %s%s |\n", c->broken ? "BROKEN: " : "", c->why ? c->why : "");
    }
    vel_text_add(&t, "\n%d lost beyond a margin of %g %% (%s).\n", changes->lost, 100 * margin,
                 "figures of this program whose whole interval lies beyond it, and benches that broke");
    return vel_text_done(ctx, &t, text);
}

static json_t *change_json(const bench_change *c) {
    json_t *object = json_pack("{s:s, s:s, s:b, s:s?, s:b}", "bench", c->bench, "program", c->program, "own", c->own,
                               "note", c->why, "broken", c->broken);
    for (int f = 0; f < BENCH_N_FIGURES; f++) {
        const bench_shift *s = &c->of[f];
        json_object_set_new(object, bench_figure_word((bench_figure)f),
                            json_pack("{s:o, s:o, s:o, s:s?, s:b}", "ratio", vel_json_real(s->ratio), "low",
                                      vel_json_real(s->low), "high", vel_json_real(s->high), "verdict",
                                      s->judged ? bench_verdict_word(s->verdict) : NULL, "lost", s->lost));
    }
    return object;
}

static void print_json(const bench_changes *changes, double margin, FILE *out) {
    json_t *list = json_array();
    for (int i = 0; i < changes->n; i++) json_array_append_new(list, change_json(&changes->list[i]));
    json_t *object = json_pack("{s:f, s:i, s:s?, s:o}", "margin", margin, "lost", changes->lost, "warning",
                               changes->warning, "changes", list);
    json_dumpf(object, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(object);
}

static vel_err show(vel_ctx *ctx, const json_t *old, const json_t *new, const bench_compare_request *request, FILE *out,
                    bool json, int *code) {
    const double margin = request->margin > 0 ? request->margin : BENCH_LOSS_MARGIN;
    bench_changes changes;
    const char *text;
    VEL_TRY(bench_find_changes(ctx, old, new, margin, &changes));
    VEL_TRY(bench_changes_text(ctx, &changes, margin, &text));
    if (json)
        print_json(&changes, margin, out);
    else
        fputs(text, out);
    *code = request->fail_on && changes.lost > 0;
    return VEL_OK;
}

vel_err bench_compare_files(vel_ctx *ctx, const bench_compare_request *request, FILE *out, bool json, int *code) {
    json_t *old = NULL, *new = NULL;
    vel_err e = load(ctx, request->old, &old);
    if (e == VEL_OK) e = load(ctx, request->new, &new);
    if (e == VEL_OK) e = show(ctx, old, new, request, out, json, code);
    json_decref(old);
    json_decref(new);
    return e;
}
