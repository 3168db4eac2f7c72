#include "bench/figures.h"

#include "bench/history.h"
#include "tests/bench/made.h"

typedef vel_err figure(vel_ctx *ctx, const bench_run *run, vel_text *t);

static const char *drawn(vel_ctx *ctx, const bench_run *run, figure *f) {
    vel_text t = vel_text_new(ctx->scratch);
    const char *text;
    vel_text_add(&t, ".");
    assert_int_equal(f(ctx, run, &t), VEL_OK);
    assert_int_equal(vel_text_done(ctx, &t, &text), VEL_OK);
    return text;
}

static void ratios_leave_our_own_bar_out_and_memory_has_it(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *ratios = drawn(ctx, run, bench_figure_ratios), *memory = drawn(ctx, run, bench_figure_memory);
    assert_null(strstr(ratios, ">vel<"));
    assert_non_null(strstr(memory, ">vel<"));
    assert_null(strstr(ratios, "mem_"));
    assert_non_null(strstr(memory, "mem_oom_crash_100k"));
    assert_non_null(strstr(memory, ">OOM<"));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void scaling_needs_two_sizes_of_one_recipe(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    assert_non_null(strstr(drawn(ctx, run, bench_figure_scaling), "velocity_graph"));
    run->n_lines = 1;
    assert_string_equal(drawn(ctx, run, bench_figure_scaling), ".");
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_history_of_one_run_is_no_plot(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *history = json_array();
    vel_text t = vel_text_new(ctx->scratch);
    const char *text;
    vel_text_add(&t, ".");
    json_array_append_new(history, bench_history_line(run));
    assert_int_equal(bench_figure_history(ctx, history, &t), VEL_OK);
    assert_int_equal(vel_text_done(ctx, &t, &text), VEL_OK);
    assert_string_equal(text, ".");
    json_decref(history);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_leave_our_own_bar_out_and_memory_has_it),
        cmocka_unit_test(scaling_needs_two_sizes_of_one_recipe),
        cmocka_unit_test(a_history_of_one_run_is_no_plot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
