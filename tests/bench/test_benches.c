#include "bench/benches.h"

#include "tests/bench/made.h"

static void rows_are_whole(void **state) {
    static const char *const prefixes[] = {"speed_", "step_", "threads_", "mem_", "whole_", "io_", "vendor_"};
    for (int i = 0; i < bench_n_rows; i++) {
        const bench_row *r = &bench_rows[i];
        assert_true(r->cells > 1000 && r->genes >= 30 && r->limit_s >= 600);
        assert_true(r->op || r->scope == BENCH_SCOPE_READ || r->scope == BENCH_SCOPE_WRITE);
        assert_true(!r->op || r->op[0] != '\0');
        assert_int_equal(strncmp(r->name, prefixes[r->kind], strlen(prefixes[r->kind])), 0);
        assert_true(r->tier != BENCH_QUICK || r->limit_s <= 3600);
    }
    (void)state;
}

static void kinds_and_tiers_have_words(void **state) {
    assert_string_equal(bench_kind_word(BENCH_SPEED), "speed");
    assert_string_equal(bench_kind_word(BENCH_VENDOR), "vendor");
    assert_string_equal(bench_kind_title(BENCH_MEMORY), "Memory: peak added");
    assert_string_equal(bench_tier_word(BENCH_STEPS_LONG), "steps-long");
    assert_string_equal(bench_scope_word(BENCH_SCOPE_WHOLE), "whole");
    assert_string_equal(bench_form_word(BENCH_COUNTS_CSR), "csr");
    assert_true(bench_is_memory(BENCH_WHOLE) && !bench_is_memory(BENCH_STEP));
    (void)state;
}

static void parity_is_asked_of_two_long_speed_rows_and_every_workflow(void **state) {
    int speed = 0, memory = 0, vendor = 0;
    for (int i = 0; i < bench_n_rows && bench_rows[i].tier <= BENCH_EXTRA_LONG; i++) {
        speed += bench_rows[i].parity && bench_rows[i].kind == BENCH_SPEED;
        memory += bench_rows[i].parity && bench_rows[i].kind == BENCH_MEMORY;
        vendor += bench_rows[i].parity && bench_rows[i].kind == BENCH_VENDOR;
    }
    assert_true(speed == 2 && memory == 0 && vendor == 5);
    (void)state;
}

/* Rounding to counts comes after the fixture's steps. */
static void counts_are_made_of_what_was_simulated_alone(void **state) {
    for (int i = 0; i < bench_n_rows; i++)
        if (bench_rows[i].form != BENCH_AS_MADE) assert_string_equal(bench_rows[i].fixture, "");
    (void)state;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static void every_bench_of_two_threads_has_its_twin_with_one(void **state) {
    for (int i = 0; i < bench_n_rows; i++) {
        const bench_row *two = &bench_rows[i];
        int twins = 0;
        if (two->kind != BENCH_THREADS || two->threads != 2) continue;
        for (int k = 0; k < bench_n_rows; k++) {
            const bench_row *one = &bench_rows[k];
            twins += one->kind == BENCH_THREADS && one->threads == 1 && one->cells == two->cells &&
                     same_text(one->op, two->op) && same_text(one->fixture, two->fixture);
        }
        assert_int_equal(twins, 1);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(kinds_and_tiers_have_words),
        cmocka_unit_test(parity_is_asked_of_two_long_speed_rows_and_every_workflow),
        cmocka_unit_test(counts_are_made_of_what_was_simulated_alone),
        cmocka_unit_test(every_bench_of_two_threads_has_its_twin_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
