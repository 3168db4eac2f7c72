#include "bench/units.h"

#include <math.h>

#include "tests/bench/made.h"

static void three_digits_and_the_unit_that_makes_them_short(void **state) {
    const struct {
        bench_unit *unit;
        double x;
        const char *text;
    } rows[] = {{bench_unit_seconds, 0.00123, "1.23 ms"},
                {bench_unit_seconds, 361, "361 s"},
                {bench_unit_seconds, 12345, "12345 s"},
                {bench_unit_seconds, 4e-10, "0.4 ns"},
                {bench_unit_seconds, 0.99999, "1 s"},
                {bench_unit_seconds, 0, "0 ns"},
                {bench_unit_bytes, 1.809e9, "1.81 GB"},
                {bench_unit_bytes, 12500, "12.5 kB"},
                {bench_unit_count, 50, "50"},
                {bench_unit_count, 100000, "100k"},
                {bench_unit_count, 1.5e6, "1.5M"},
                {bench_unit_count, NAN, "–"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[BENCH_UNIT];
        rows[i].unit(rows[i].x, text);
        assert_string_equal(text, rows[i].text);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_digits_and_the_unit_that_makes_them_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
