#include "bench/chart.h"

#include <math.h>
#include <stdio.h>

#include "tests/bench/made.h"

static const double x[] = {1e3, 1e4, 1e5}, up[] = {1, 10, 100}, steep[] = {1, 100, 1e4}, holes[] = {NAN, 0, 5};

static const char *svg_of(vel_ctx *ctx, const bench_trace *traces, int n) {
    vel_text t = vel_text_new(ctx->scratch);
    const char *text;
    const bench_panel panels[] = {{.title = "one & only",
                                   .x_name = "cells",
                                   .traces = traces,
                                   .n_traces = n,
                                   .x_unit = bench_unit_count,
                                   .y_unit = bench_unit_seconds,
                                   .x_ticks = x,
                                   .n_x_ticks = 3,
                                   .diagonals = true},
                                  {.title = "two",
                                   .x_name = "cells",
                                   .traces = traces,
                                   .n_traces = 1,
                                   .x_unit = bench_unit_count,
                                   .y_unit = bench_unit_seconds}};
    bench_chart_svg(
        &t,
        &(bench_chart){
            .title = "T", .panels = panels, .n_panels = 2, .columns = 2, .width = 300, .height = 200, .margin = 120});
    assert_int_equal(vel_text_done(ctx, &t, &text), VEL_OK);
    return text;
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) n++;
    return n;
}

static void the_same_figures_give_the_same_bytes(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_trace traces[] = {{.name = "a", .x = x, .y = up, .n = 3}, {.name = "b", .x = x, .y = steep, .n = 3}};
    assert_string_equal(svg_of(ctx, traces, 2), svg_of(ctx, traces, 2));
    made_ctx_free(ctx);
    (void)state;
}

static void the_file_stands_alone(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_trace traces[] = {{.name = "a<b>", .x = x, .y = up, .n = 3}};
    const char *text = svg_of(ctx, traces, 1);
    assert_non_null(strstr(text, "xmlns=\"http://www.w3.org/2000/svg\""));
    assert_non_null(strstr(text, "a&lt;b&gt;"));
    assert_non_null(strstr(text, "one &amp; only"));
    assert_null(strstr(text, "href"));
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "url("));
    made_ctx_free(ctx);
    (void)state;
}

static void what_a_logarithm_cannot_show_is_left_out(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_trace traces[] = {{.name = "a", .x = x, .y = up, .n = 3}, {.name = "b", .x = x, .y = holes, .n = 3}};
    const char *text = svg_of(ctx, traces, 2);
    assert_int_equal(count(text, "<circle"), 3 + 1 + 3); /* the second panel shows the first trace alone */
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    made_ctx_free(ctx);
    (void)state;
}

/* A diagonal runs with the line of slope 1: the same change of y for the same change of x. */
static void diagonals_have_slope_one(void **state) {
    vel_ctx *ctx = made_ctx();
    const bench_trace traces[] = {{.name = "a", .x = x, .y = up, .n = 3}};
    const char *text = svg_of(ctx, traces, 1), *diagonal = strstr(text, "class=\"d\" d=\""),
               *line = strstr(text, "class=\"l\"");
    double d[4], l[6];
    assert_non_null(diagonal);
    assert_int_equal(sscanf(strchr(diagonal, 'M'), "M%lf %lfL%lf %lf", &d[0], &d[1], &d[2], &d[3]), 4);
    assert_int_equal(sscanf(strchr(line, 'M'), "M%lf %lfL%lf %lfL%lf %lf", &l[0], &l[1], &l[2], &l[3], &l[4], &l[5]),
                     6);
    const double slope = (l[5] - l[1]) / (l[4] - l[0]);
    assert_true(fabs((d[3] - d[1]) - slope * (d[2] - d[0])) < 0.3); /* coordinates have one decimal */
    made_ctx_free(ctx);
    (void)state;
}

static void names_do_not_cover_each_other(void **state) {
    vel_ctx *ctx = made_ctx();
    enum { N = 8 };
    bench_trace traces[N];
    double y[N];
    for (int i = 0; i < N; i++) traces[i] = (bench_trace){.name = "name", .x = x, .y = up, .n = 3};
    const char *text = svg_of(ctx, traces, N);
    int n = 0;
    for (const char *p = text; n < N && (p = strstr(p, ">name</text>")); p++) {
        const char *at = p;
        while (strncmp(at, " y=\"", 4) != 0) at--;
        assert_int_equal(sscanf(at, " y=\"%lf\"", &y[n++]), 1);
    }
    assert_int_equal(n, N);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) assert_true(fabs(y[i] - y[k]) > 11); /* the letters are 12 pixels high at most */
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_figures_give_the_same_bytes),
        cmocka_unit_test(the_file_stands_alone),
        cmocka_unit_test(what_a_logarithm_cannot_show_is_left_out),
        cmocka_unit_test(diagonals_have_slope_one),
        cmocka_unit_test(names_do_not_cover_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
