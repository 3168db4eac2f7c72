#include "bench/plot.h"

#include <math.h>

#include "tests/bench/made.h"

static const char *labels[] = {"a <bench>", "b"}, *series[] = {"one", "two"};

static const char *bars_of(vel_ctx *ctx, const double *values, const char *const *words) {
    vel_text t = vel_text_new(ctx->scratch);
    const char *text;
    bench_plot_bars(&t, &(bench_bars){.title = "T",
                                      .unit = "x",
                                      .labels = labels,
                                      .n_labels = 2,
                                      .series = series,
                                      .n_series = 2,
                                      .values = values,
                                      .words = words,
                                      .mark = 1});
    assert_int_equal(vel_text_done(ctx, &t, &text), VEL_OK);
    return text;
}

static void a_missing_bar_shows_its_word(void **state) {
    vel_ctx *ctx = made_ctx();
    const double values[] = {3, NAN, 0.2, 40};
    const char *const words[] = {NULL, "OOM", NULL, NULL};
    const char *text = bars_of(ctx, values, words);
    assert_non_null(strstr(text, ">OOM<"));
    assert_non_null(strstr(text, "a &lt;bench&gt;"));
    assert_null(strstr(text, "nan"));
    made_ctx_free(ctx);
    (void)state;
}

static void the_axis_has_whole_decades(void **state) {
    vel_ctx *ctx = made_ctx();
    const double values[] = {3, 5, 0.2, 40};
    const char *text = bars_of(ctx, values, NULL);
    const char *const ticks[] = {">0.1<", ">1<", ">10<", ">100<"};
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) assert_non_null(strstr(text, ticks[i]));
    assert_null(strstr(text, ">1000<"));
    made_ctx_free(ctx);
    (void)state;
}

static void lines_leave_out_what_a_logarithm_cannot_show(void **state) {
    vel_ctx *ctx = made_ctx();
    vel_text t = vel_text_new(ctx->scratch);
    const char *text;
    const double x[] = {0, 10, 100, 1000}, y[] = {1, 2, 0, 8};
    const bench_points points = {.name = "p", .x = x, .y = y, .n = 4};
    bench_plot_lines(
        &t,
        &(bench_lines){.title = "T", .x_name = "x", .y_name = "y", .log_x = true, .series = &points, .n_series = 1});
    assert_int_equal(vel_text_done(ctx, &t, &text), VEL_OK);
    int circles = 0;
    for (const char *p = text; (p = strstr(p, "<circle")); p++) circles++;
    assert_int_equal(circles, 2);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_bar_shows_its_word),
        cmocka_unit_test(the_axis_has_whole_decades),
        cmocka_unit_test(lines_leave_out_what_a_logarithm_cannot_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
