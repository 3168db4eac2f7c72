#include "bench/changes.h"

#include <math.h>
#include <string.h>

static const double least_mb = 1; /* the kernel counts pages in batches: less says nothing */

const char *bench_figure_word(bench_figure f) {
    static const char *const words[] = {"CPU", "wall", "peak"};
    return words[f];
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- one figure */

typedef struct {
    double median, low, high;
    bool covered; /* low and high hold the median with 95 % */
} span;

static double number_of(const json_t *summary, const char *key) {
    const json_t *n = json_object_get(summary, key);
    return json_is_number(n) ? json_number_value(n) : NAN;
}

static span span_of(const json_t *result, const char *key) {
    const json_t *summary = json_object_get(result, key);
    const bool covered = number_of(summary, "coverage") >= 0.95;
    return (span){number_of(summary, "median"), number_of(summary, covered ? "low" : "min"),
                  number_of(summary, covered ? "high" : "max"), covered};
}

static bench_verdict judge(const bench_shift *s) {
    const double within = 1 + BENCH_MARGIN;
    if (s->low > 1 / within && s->high < within) return BENCH_SAME;
    if (s->high < 1 / within) return BENCH_LESS;
    return s->low > within ? BENCH_MORE : BENCH_INCONCLUSIVE;
}

/* NaN compares as false: what is not known is neither judged nor lost. */
static bench_shift shift_of(span old, span new, double margin, bool doubtful) {
    bench_shift s = {new.median / old.median, new.low / old.high, new.high / old.low, false, BENCH_INCONCLUSIVE, false};
    if (!(old.low > 0 && new.low > 0)) return (bench_shift){NAN, NAN, NAN, false, BENCH_INCONCLUSIVE, false};
    s.judged = old.covered && new.covered && !doubtful;
    if (s.judged) s.verdict = judge(&s);
    s.lost = s.low > 1 + margin;
    return s;
}

static bool is_doubtful(const json_t *result) {
    const json_t *samples = json_object_get(result, "samples");
    return 2 * number_of(result, "contaminated") > (double)json_array_size(samples);
}

static void compare_figures(const json_t *old, const json_t *new, const char *kind, double margin, bench_change *c) {
    const bool doubtful = is_doubtful(old) || is_doubtful(new);
    const char *peak = strcmp(kind, "whole") == 0 ? "peak_mb" : "peak_added_mb";
    const span before = span_of(old, peak), after = span_of(new, peak);
    c->of[BENCH_CPU] = shift_of(span_of(old, "cpu_s"), span_of(new, "cpu_s"), margin, false);
    c->of[BENCH_WALL] = shift_of(span_of(old, "wall_s"), span_of(new, "wall_s"), margin, doubtful);
    c->of[BENCH_WALL].lost = c->of[BENCH_WALL].lost && !doubtful; /* it counts the neighbours too */
    c->of[BENCH_PEAK] = shift_of(before, after, margin, false);
    if (before.median < least_mb || after.median < least_mb) c->of[BENCH_PEAK] = shift_of((span){0}, after, 0, false);
}

/* ---- one bench and program */

static bool same_work(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"cells", "genes", "threads", "op", "before", "stand_in"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        if (x && y && !json_equal(x, y)) return false;
    }
    return true;
}

static bool drifts(const json_t *result) {
    return strcmp(text_of(json_object_get(result, "parity"), "verdict"), "DRIFT") == 0;
}

static void compare_results(const json_t *old, const json_t *new, const char *kind, double margin, bench_change *c) {
    const bool was_good = strcmp(text_of(old, "status"), "ok") == 0, good = strcmp(text_of(new, "status"), "ok") == 0;
    if (was_good && good) compare_figures(old, new, kind, margin, c);
    if (!good) c->why = text_of(new, "status");
    if (was_good && !good) c->broken = strcmp(c->why, "SKIPPED") != 0 && strcmp(c->why, "LEFT OUT") != 0;
    if (!drifts(old) && drifts(new)) {
        c->why = "DRIFT, which it was not";
        c->broken = true;
    }
}

static const json_t *named(const json_t *list, const char *key, const char *name) {
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)(uintptr_t)list, i, one) if (strcmp(text_of(one, key), name) == 0) return one;
    return NULL;
}

static void compare_benches(const json_t *old, const json_t *new, double margin, bench_changes *changes) {
    const json_t *results = json_object_get(new, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        bench_change *c = &changes->list[changes->n];
        *c = (bench_change){.bench = text_of(new, "name"), .program = text_of(result, "backend"), .own = i == 0};
        const json_t *before = named(json_object_get(old, "results"), "backend", c->program);
        for (int f = 0; f < BENCH_N_FIGURES; f++) c->of[f] = shift_of((span){0}, (span){0}, 0, false);
        if (!old)
            c->why = "new";
        else if (!same_work(old, new))
            c->why = "other work than before: shape, threads or recipe";
        else if (before)
            compare_results(before, result, text_of(new, "kind"), margin, c);
        if (!before && !c->why) continue;
        changes->n++;
        changes->lost += c->own && c->broken;
        for (int f = 0; f < BENCH_N_FIGURES; f++) changes->lost += c->own && c->of[f].lost;
    }
}

static const json_t *host_cpu(const json_t *run) { return json_object_get(json_object_get(run, "host"), "cpu"); }

static size_t most_changes(const json_t *old, const json_t *new) {
    size_t n = json_array_size(old), i;
    json_t *bench;
    json_array_foreach((json_t *)(uintptr_t) new, i, bench) n += json_array_size(json_object_get(bench, "results"));
    return n;
}

vel_err bench_find_changes(vel_ctx *ctx, const json_t *old, const json_t *new, double margin, bench_changes *changes) {
    const json_t *before = json_object_get(old, "benches"), *after = json_object_get(new, "benches");
    *changes = (bench_changes){0};
    if (!json_is_array(before) || !json_is_array(after))
        return vel_fail(ctx, VEL_EFORMAT, "no results of velbench: there is no list of benches");
    VEL_TRY(VEL_ZALLOC(ctx, changes->list, most_changes(before, after) + 1));
    if (!json_equal(host_cpu(old), host_cpu(new))) changes->warning = "the two runs are of different processors";
    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *bench = json_array_get(after, i);
        compare_benches(named(before, "name", text_of(bench, "name")), bench, margin, changes);
    }
    for (size_t i = 0; i < json_array_size(before); i++) {
        const char *name = text_of(json_array_get(before, i), "name");
        if (named(after, "name", name)) continue;
        bench_change *c = &changes->list[changes->n++];
        *c = (bench_change){.bench = name, .program = "", .why = "not in the new run"};
        for (int f = 0; f < BENCH_N_FIGURES; f++) c->of[f] = shift_of((span){0}, (span){0}, 0, false);
    }
    return VEL_OK;
}
