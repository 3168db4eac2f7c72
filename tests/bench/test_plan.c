#include "bench/plan.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/files.h"
#include "io/h5ad.h"
#include "pipelines/named.h"
#include "tests/bench/made.h"

static bench_run *asked(void) {
    bench_run *run = calloc(1, sizeof *run);
    run->arena = vel_arena_new();
    run->n_backends = 1;
    run->request = (bench_request){.scale = 1, .repeat = 2, .threads = 1};
    return run;
}

#define SMALL(called) .name = called, .cells = 500, .genes = 20, .limit_s = 9
static const bench_row plain = {SMALL("plain"), .before = "log1p", .op = "simulate n_obs=5"};
static const bench_row made = {SMALL("made"), .op = "simulate"};
static const bench_row threaded = {SMALL("threaded"), .op = "log1p", .threads = 3};
static const bench_row absent = {SMALL("absent"), .before = "no_step", .op = "log1p"};
static const bench_row broken = {SMALL("broken"), .op = "log1p ["};
/* a workflow's row, with a recipe in its place that every build has */
static const bench_row file = {.name = "file",
                               .kind = BENCH_VENDOR,
                               .tier = BENCH_LONG,
                               .cells = 3696,
                               .genes = 2000,
                               .op = "log1p",
                               .parity = true,
                               .limit_s = 9};

static void a_bench_keeps_its_shape_and_recipes(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    bench_line line;
    assert_int_equal(bench_plan_line(ctx, run, &plain, &line), VEL_OK);
    assert_int_equal(line.state, BENCH_LINE_PENDING);
    assert_true(line.cells == 500 && line.genes == 20 && !line.wants_parity);
    assert_string_equal(line.before, "log1p");
    run->request.scale = 0.5;
    assert_int_equal(bench_plan_line(ctx, run, &plain, &line), VEL_OK);
    assert_true(line.cells == 250 && line.wants_parity);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void data_that_a_bench_makes_has_the_shape_of_its_row(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    bench_line line;
    run->request.scale = 0.5;
    assert_int_equal(bench_plan_line(ctx, run, &made, &line), VEL_OK);
    assert_true(line.makes_data);
    assert_string_equal(line.op, "simulate n_obs=250 n_vars=20 random_seed=0");
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_row_may_have_threads_of_its_own(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    bench_line line;
    run->request.threads = 2;
    assert_int_equal(bench_plan_line(ctx, run, &plain, &line), VEL_OK);
    assert_int_equal(line.threads, 2);
    assert_int_equal(bench_plan_line(ctx, run, &threaded, &line), VEL_OK);
    assert_int_equal(line.threads, 3);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_step_that_is_not_there_is_named(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    bench_line line;
    assert_int_equal(bench_plan_line(ctx, run, &absent, &line), VEL_OK);
    assert_int_equal(line.state, BENCH_LINE_SKIPPED);
    assert_non_null(strstr(line.reason, "no_step"));
    assert_int_equal(bench_plan_line(ctx, run, &broken, &line), VEL_EUSAGE);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_named_recipe_is_replaced_by_its_steps(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    for (int i = 0; i < bench_n_rows; i++) {
        bench_line line;
        if (bench_rows[i].kind != BENCH_VENDOR) continue;
        assert_non_null(vel_named_find(bench_rows[i].op));
        assert_int_equal(bench_plan_line(ctx, run, &bench_rows[i], &line), VEL_OK);
        assert_non_null(strstr(line.op, "filter_genes min_shared_counts=20"));
        assert_non_null(strstr(line.op, "recover_dynamics"));
    }
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_file_shows_the_cells_that_it_has_and_a_broken_one_is_skipped(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = asked();
    bench_line line;
    char folder[64] = "/tmp/velbench-test-XXXXXX", path[96];
    vel_adata *ad;
    assert_non_null(mkdtemp(folder));
    run->request.data = folder;
    assert_int_equal(bench_plan_line(ctx, run, &file, &line), VEL_OK);
    assert_int_equal(line.state, BENCH_LINE_SKIPPED);
    snprintf(path, sizeof path, "%s/log1p", folder);
    assert_int_equal(bench_write_whole(ctx, path, "no HDF5", 7), VEL_OK);
    assert_int_equal(bench_plan_line(ctx, run, &file, &line), VEL_OK);
    assert_int_equal(line.state, BENCH_LINE_SKIPPED);
    assert_int_equal(vel_adata_new(ctx, 7, 9, &ad), VEL_OK);
    assert_int_equal(vel_h5ad_write(ctx, ad, path), VEL_OK);
    vel_adata_free(ad);
    assert_int_equal(bench_plan_line(ctx, run, &file, &line), VEL_OK);
    assert_int_equal(line.state, BENCH_LINE_PENDING);
    assert_true(line.cells == 7 && line.genes == 9 && !line.stand_in);
    bench_remove_folder(folder);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bench_keeps_its_shape_and_recipes),
        cmocka_unit_test(data_that_a_bench_makes_has_the_shape_of_its_row),
        cmocka_unit_test(a_row_may_have_threads_of_its_own),
        cmocka_unit_test(a_step_that_is_not_there_is_named),
        cmocka_unit_test(a_named_recipe_is_replaced_by_its_steps),
        cmocka_unit_test(a_file_shows_the_cells_that_it_has_and_a_broken_one_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
