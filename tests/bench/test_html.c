#include "bench/html.h"

#include <stdio.h>

#include "bench/history.h"
#include "tests/bench/made.h"

/* The page of the made-up run, with a history of a few runs. */
static const char *page_of(vel_ctx *ctx, bench_run *run) {
    json_t *history = json_array(), *line = bench_history_line(run);
    const char *page;
    for (int i = 0; i < 6; i++) json_array_append(history, line);
    assert_int_equal(bench_html_page(ctx, run, history, &page), VEL_OK);
    json_decref(line);
    json_decref(history);
    return page;
}

static int count(const char *text, const char *what) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
    return n;
}

static void the_page_has_its_four_kinds_of_plot(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *page = page_of(ctx, run);
    assert_non_null(strstr(page, "Wall time over ours"));
    assert_non_null(strstr(page, "Peak memory added"));
    assert_non_null(strstr(page, "Time over cells"));
    assert_non_null(strstr(page, "History"));
    assert_true(count(page, "<svg ") >= 4);
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "inf\""));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void it_takes_nothing_from_elsewhere(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *page = page_of(ctx, run);
    const char *const foreign[] = {"http:", "https:", "src=", "<link", "@import", "<script"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) assert_null(strstr(page, foreign[i]));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void every_tag_that_opens_closes(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    const char *page = page_of(ctx, run);
    const char *const tags[] = {"table", "tr", "td", "th",    "svg",  "figure", "figcaption", "text",
                                "ul",    "li", "h2", "title", "body", "div",    "span"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        char bare[24], with[24], closing[24];
        snprintf(bare, sizeof bare, "<%s>", tags[i]);
        snprintf(with, sizeof with, "<%s ", tags[i]);
        snprintf(closing, sizeof closing, "</%s>", tags[i]);
        if (count(page, bare) + count(page, with) != count(page, closing)) fail_msg("<%s> is not balanced", tags[i]);
    }
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void what_others_wrote_is_escaped(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    run->lines[0].reason = "<script>alert(\"x\")</script> & more";
    const char *page = page_of(ctx, run);
    assert_null(strstr(page, "<script>"));
    assert_non_null(strstr(page, "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more"));
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_run_without_figures_is_a_page_too(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    for (int i = 0; i < run->n_lines; i++) run->lines[i].state = BENCH_LINE_PENDING;
    json_t *none = json_array();
    const char *page;
    assert_int_equal(bench_html_page(ctx, run, none, &page), VEL_OK);
    assert_int_equal(count(page, "<svg "), 0);
    json_decref(none);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

/* test_bench_html --write FILE: the page, for a browser to look at. */
static int write_page(const char *path) {
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    FILE *f = fopen(path, "w");
    const bool done = f && fputs(page_of(ctx, run), f) >= 0;
    if (f && fclose(f) != 0) return 1;
    made_run_free(run);
    made_ctx_free(ctx);
    return !done;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) return write_page(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_has_its_four_kinds_of_plot), cmocka_unit_test(it_takes_nothing_from_elsewhere),
        cmocka_unit_test(every_tag_that_opens_closes),         cmocka_unit_test(what_others_wrote_is_escaped),
        cmocka_unit_test(a_run_without_figures_is_a_page_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
