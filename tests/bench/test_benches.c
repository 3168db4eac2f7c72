#include "bench/benches.h"

#include "bench/made.h"

static void rows_are_whole(void **state) {
    for (int i = 0; i < bench_n_rows; i++) {
        const bench_row *r = &bench_rows[i];
        assert_true(r->cells > 1000 && r->genes >= 30 && r->limit_s >= 600);
        assert_non_null(r->before);
        assert_true(r->op[0] != '\0');
        const char *prefix = r->kind == BENCH_SPEED ? "speed_" : r->kind == BENCH_MEMORY ? "mem_" : "vendor_";
        assert_int_equal(strncmp(r->name, prefix, strlen(prefix)), 0);
        assert_string_equal(bench_kind_word(r->kind), r->kind == BENCH_SPEED    ? "speed"
                                                      : r->kind == BENCH_MEMORY ? "memory"
                                                                                : "vendor");
        assert_true(r->tier != BENCH_QUICK || r->limit_s <= 3600);
    }
    (void)state;
}

static void parity_is_asked_of_two_long_speed_rows_and_every_workflow(void **state) {
    int speed = 0, memory = 0, vendor = 0;
    for (int i = 0; i < bench_n_rows; i++) {
        speed += bench_rows[i].parity && bench_rows[i].kind == BENCH_SPEED;
        memory += bench_rows[i].parity && bench_rows[i].kind == BENCH_MEMORY;
        vendor += bench_rows[i].parity && bench_rows[i].kind == BENCH_VENDOR;
    }
    assert_true(speed == 2 && memory == 0 && vendor == 5);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(parity_is_asked_of_two_long_speed_rows_and_every_workflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
