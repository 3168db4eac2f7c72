#include "bench/changes.h"

#include <math.h>

#include "bench/results.h"
#include "tests/bench/made.h"

/* The made-up run as a document, with these repeats and these figures of its first bench: ours, then the rival's. */
static json_t *run_of(int repeats, double wall_s, double added_mb, double rival_s) {
    bench_run *run = made_run();
    bench_line *line = &run->lines[0];
    const double seconds[] = {wall_s, rival_s};
    for (int b = 0; b < 2; b++) {
        bench_cell *c = &line->cell[b];
        c->n = 0;
        c->samples = vel_arena_zalloc(run->arena, (size_t)repeats, sizeof *c->samples);
        for (int i = 0; i < repeats; i++) {
            const int64_t ns = (int64_t)(seconds[b] * 1e9) + 1000 * i;
            c->samples[c->n++] =
                (bench_sample){.wall_ns = ns, .cpu_ns = ns, .peak_added_kb = (int64_t)(added_mb * 1024)};
        }
    }
    bench_conclude_line(run, line);
    json_t *document = bench_results_json(run);
    made_run_free(run);
    return document;
}

static bench_changes between(vel_ctx *ctx, json_t *old, json_t *new, double margin) {
    bench_changes changes;
    assert_int_equal(bench_find_changes(ctx, old, new, margin, &changes), VEL_OK);
    return changes;
}

static const bench_change *first(const bench_changes *changes, const char *program) {
    for (int i = 0; i < changes->n; i++)
        if (strcmp(changes->list[i].bench, "speed_recover_dynamics_5k") == 0 &&
            strcmp(changes->list[i].program, program) == 0)
            return &changes->list[i];
    fail_msg("no %s", program);
    return NULL;
}

static void a_run_against_itself_has_lost_nothing(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *run = run_of(6, 0.5, 20, 30);
    const bench_changes changes = between(ctx, run, run, 0.1);
    const bench_change *c = first(&changes, "vel");
    assert_int_equal(changes.lost, 0);
    assert_null(changes.warning);
    for (int f = 0; f < BENCH_N_FIGURES; f++) {
        assert_true(fabs(c->of[f].ratio - 1) < 1e-3);
        assert_true(c->of[f].judged && c->of[f].verdict == BENCH_SAME && !c->of[f].lost);
    }
    json_decref(run);
    made_ctx_free(ctx);
    (void)state;
}

static void six_repeats_give_a_verdict_and_one_does_not(void **state) {
    vel_ctx *ctx = made_ctx();
    for (int repeats = 1; repeats <= 6; repeats += 5) {
        json_t *old = run_of(repeats, 0.5, 20, 30), *new = run_of(repeats, 0.6, 18, 30);
        const bench_changes changes = between(ctx, old, new, 0.1);
        const bench_change *c = first(&changes, "vel");
        assert_int_equal(c->of[BENCH_CPU].judged, repeats == 6);
        assert_true(c->of[BENCH_CPU].lost); /* either way: all of the interval is beyond a tenth */
        assert_true(c->of[BENCH_PEAK].ratio < 1 && !c->of[BENCH_PEAK].lost);
        if (repeats == 6)
            assert_true(c->of[BENCH_CPU].verdict == BENCH_MORE && c->of[BENCH_PEAK].verdict == BENCH_LESS);
        json_decref(old);
        json_decref(new);
    }
    made_ctx_free(ctx);
    (void)state;
}

static void a_loss_within_the_margin_is_none(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *old = run_of(6, 0.5, 20, 30), *new = run_of(6, 0.53, 20, 30);
    bench_changes changes = between(ctx, old, new, 0.1);
    assert_int_equal(changes.lost, 0);
    assert_int_equal(first(&changes, "vel")->of[BENCH_CPU].verdict, BENCH_MORE); /* said all the same */
    changes = between(ctx, old, new, 0.02);
    assert_int_equal(changes.lost, 2); /* CPU and wall */
    json_decref(old);
    json_decref(new);
    made_ctx_free(ctx);
    (void)state;
}

static void what_a_rival_loses_is_not_our_loss(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *old = run_of(6, 0.5, 20, 30), *new = run_of(6, 0.5, 20, 60);
    const bench_changes changes = between(ctx, old, new, 0.1);
    assert_true(first(&changes, "scvelo")->of[BENCH_CPU].lost);
    assert_int_equal(changes.lost, 0);
    json_decref(old);
    json_decref(new);
    made_ctx_free(ctx);
    (void)state;
}

static json_t *bench_at(json_t *run, size_t i) { return json_array_get(json_object_get(run, "benches"), i); }

static void a_bench_that_fails_or_drifts_now_is_broken(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *old = run_of(6, 0.5, 20, 30), *new = run_of(6, 0.5, 20, 30);
    json_object_set_new(json_array_get(json_object_get(bench_at(new, 0), "results"), 0), "status", json_string("OOM"));
    json_t *parity = json_object_get(json_array_get(json_object_get(bench_at(new, 1), "results"), 0), "parity");
    json_object_set_new(parity, "verdict", json_string("DRIFT"));
    const bench_changes changes = between(ctx, old, new, 0.1);
    assert_true(first(&changes, "vel")->broken);
    assert_string_equal(first(&changes, "vel")->why, "OOM");
    assert_int_equal(changes.lost, 2);
    json_decref(old);
    json_decref(new);
    made_ctx_free(ctx);
    (void)state;
}

static void other_work_and_missing_benches_are_said_and_not_compared(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *old = run_of(6, 0.5, 20, 30), *new = run_of(6, 5, 20, 30);
    json_object_set_new(bench_at(new, 0), "cells", json_integer(7));
    json_array_remove(json_object_get(old, "benches"), 1);
    json_array_remove(json_object_get(new, "benches"), 2);
    json_object_set_new(json_object_get(new, "host"), "cpu", json_string("Another CPU"));
    const bench_changes changes = between(ctx, old, new, 0.1);
    bool is_new = false, is_gone = false;
    for (int i = 0; i < changes.n; i++) {
        const char *why = changes.list[i].why ? changes.list[i].why : "";
        is_new = is_new || strcmp(why, "new") == 0;
        is_gone = is_gone || strcmp(why, "not in the new run") == 0;
    }
    assert_true(is_new && is_gone);
    assert_non_null(strstr(first(&changes, "vel")->why, "other work"));
    assert_true(isnan(first(&changes, "vel")->of[BENCH_CPU].ratio));
    assert_non_null(changes.warning);
    assert_int_equal(changes.lost, 0);
    json_decref(old);
    json_decref(new);
    made_ctx_free(ctx);
    (void)state;
}

static void what_is_no_result_is_refused(void **state) {
    vel_ctx *ctx = made_ctx();
    json_t *run = run_of(1, 0.5, 20, 30), *nothing = json_object();
    bench_changes changes;
    assert_int_equal(bench_find_changes(ctx, nothing, run, 0.1, &changes), VEL_EFORMAT);
    json_decref(run);
    json_decref(nothing);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_against_itself_has_lost_nothing),
        cmocka_unit_test(six_repeats_give_a_verdict_and_one_does_not),
        cmocka_unit_test(a_loss_within_the_margin_is_none),
        cmocka_unit_test(what_a_rival_loses_is_not_our_loss),
        cmocka_unit_test(a_bench_that_fails_or_drifts_now_is_broken),
        cmocka_unit_test(other_work_and_missing_benches_are_said_and_not_compared),
        cmocka_unit_test(what_is_no_result_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
