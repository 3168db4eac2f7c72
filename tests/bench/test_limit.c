#include "bench/limit.h"

#include <sys/stat.h>

#include "tests/bench/made.h"

static void sizes_are_read_with_their_units(void **state) {
    assert_true(bench_parse_size("100000") == 100000);
    assert_true(bench_parse_size("8G") == INT64_C(8) << 30);
    assert_true(bench_parse_size("512mb") == 512 << 20);
    assert_true(bench_parse_size("1.5K") == 1536);
    const char *const wrong[] = {"", "G", "-1G", "0", "1X", "1GG", "99999999T", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) assert_true(bench_parse_size(wrong[i]) == -1);
    (void)state;
}

static void no_bytes_is_no_limit(void **state) {
    bench_limit l;
    bench_limit_make(&l, 0, false);
    assert_int_equal(l.kind, BENCH_NO_LIMIT);
    assert_true(bench_limit_enter(&l));
    assert_false(bench_limit_hit(&l));
    assert_true(bench_limit_peak(&l) == -1);
    bench_limit_remove(&l);
    (void)state;
}

static void a_group_is_gone_once_removed(void **state) {
    bench_limit l;
    struct stat st;
    char dir[sizeof l.dir];
    bench_limit_make(&l, 64 << 20, false);
    assert_int_not_equal(l.kind, BENCH_NO_LIMIT);
    strcpy(dir, l.dir);
    if (l.kind != BENCH_RLIMIT) assert_int_equal(stat(dir, &st), 0);
    assert_false(bench_limit_hit(&l));
    bench_limit_remove(&l);
    assert_int_not_equal(stat(dir, &st), 0);
    (void)state;
}

static void the_machine_is_never_filled(void **state) {
    const int64_t safe = bench_limit_safe();
    assert_true(safe > 0 && safe < INT64_C(1) << 50);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read_with_their_units),
        cmocka_unit_test(no_bytes_is_no_limit),
        cmocka_unit_test(a_group_is_gone_once_removed),
        cmocka_unit_test(the_machine_is_never_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
