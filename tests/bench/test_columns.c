#include "bench/columns.h"

#include <math.h>

#include "tests/bench/made.h"

static void figures_have_three_digits(void **state) {
    char text[BENCH_FIGURE];
    const struct {
        double s;
        const char *text;
    } seconds[] = {{361.4, "361 s"}, {12.34, "12.3 s"}, {1.234, "1.23 s"}, {0.0456, "45.6 ms"}, {NAN, "–"}};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        bench_show_seconds(seconds[i].s, text);
        assert_string_equal(text, seconds[i].text);
    }
    bench_show_mb(1809.4, text);
    assert_string_equal(text, "1809 MB");
    bench_show_mb(3.42, text);
    assert_string_equal(text, "3.4 MB");
    bench_show_ratio(31.24, text);
    assert_string_equal(text, "31.2x");
    (void)state;
}

static const bench_column *column_of(bench_kind kind, bool own, const char *title) {
    for (int i = -1; (i = bench_next_column(kind, own, i)) >= 0;) {
        const char *here = bench_columns[i].title;
        if (title && here ? strncmp(here, title, strlen(title)) == 0 : title == here) return &bench_columns[i];
    }
    return NULL;
}

static void each_section_has_its_own_columns(void **state) {
    for (bench_kind kind = 0; kind < BENCH_N_KINDS; kind++) {
        assert_non_null(column_of(kind, true, NULL));
        assert_non_null(column_of(kind, false, "ratio"));
        assert_null(column_of(kind, true, "ratio")); /* nothing against oneself */
    }
    assert_non_null(column_of(BENCH_THREADS, true, "times one thread"));
    assert_non_null(column_of(BENCH_STEP, true, "of its results"));
    assert_non_null(column_of(BENCH_WHOLE, false, "of inputs and results"));
    assert_non_null(column_of(BENCH_IO, false, "MB/s"));
    assert_non_null(column_of(BENCH_IO, false, "of the disk's speed"));
    assert_non_null(column_of(BENCH_IO, false, "of a read into new memory"));
    assert_null(column_of(BENCH_SPEED, true, "added"));
    (void)state;
}

static void a_share_above_the_bound_is_flagged(void **state) {
    const bench_row row = {.name = "step_x", .kind = BENCH_STEP};
    bench_line line = {.row = &row, .state = BENCH_LINE_RAN};
    bench_cell *cell = &line.cell[0];
    char text[BENCH_FIGURE];
    const bench_column *share = column_of(BENCH_STEP, true, "of its results");
    cell->share = 1.24;
    share->show(&line, cell, cell, text);
    assert_string_equal(text, "1.24");
    cell->share = 1.42;
    share->show(&line, cell, cell, text);
    assert_string_equal(text, "1.42 (above)");
    cell->share = NAN;
    share->show(&line, cell, cell, text);
    assert_string_equal(text, "–");
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_have_three_digits),
        cmocka_unit_test(each_section_has_its_own_columns),
        cmocka_unit_test(a_share_above_the_bound_is_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
