#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "core/decide_bodies.h"
#include "tests/core/gene.h"

enum { N = GENE_CELLS };

static gene g;
static double row[VEL_DECIDE_ROWS][N];
static vel_ctx ctx;
static vel_average average;
static vel_nearby nearby;

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    for (int r = 0; r < VEL_DECIDE_ROWS; r++)
        for (int i = 0; i < N; i++) row[r][i] = vel_rounded(1 + noise((uint64_t)(N * r + i)), VEL_SINGLE);
    return vel_average_make(&ctx, &graph, &average) != VEL_OK || vel_nearby_make(&ctx, &average, &nearby) != VEL_OK;
}

static int end(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static void screened_equals_plain(const vel_nearby *nb) {
    double *work;
    uint8_t fast[N], plain[N];
    assert_int_equal(VEL_ALLOC(&ctx, work, 2 * (N + 1)), VEL_OK);
    for (vel_tag tag = VEL_SINGLE; tag <= VEL_DOUBLE; tag++)
        for (int count = 2; count <= VEL_DECIDE_ROWS; count += 2) {
            vel_choice choice = {nb, N, count, {row[0], row[1], row[2], row[3]}, tag};
            vel_decide(&choice, work, fast);
            vel_decide_plain(&choice, plain);
            assert_memory_equal(fast, plain, N);
        }
}

static void rows_far_apart_are_decided_as_by_averages(void **state) {
    (void)state;
    screened_equals_plain(&nearby);
    screened_equals_plain(NULL);
}

static void ties_and_near_ties_are_decided_as_by_averages(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) {
        row[1][i] = i % 3 ? row[0][i] : nextafter(row[0][i], i % 2 ? 0 : 9);
        row[2][i] = row[0][i] * (1 + 1e-9 * noise((uint64_t)i));
        row[3][(i * 7) % N] = row[0][(i * 7) % N];
    }
    screened_equals_plain(&nearby);
}

static void the_bodies_of_all_instruction_sets_agree(void **state) {
    (void)state;
    vel_quad *cell;
    uint8_t plain[N], avx2[N];
    if (vel_cpu_level() == VEL_CPU_PLAIN) return;
    assert_int_equal(VEL_ALLOC(&ctx, cell, N + 1), VEL_OK);
    vel_choice choice = {&nearby, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
    assert_true(vel_decide_screened(&choice, cell, plain));
    assert_true(vel_decide_screened_avx2(&choice, cell, avx2));
    assert_memory_equal(plain, avx2, N);
}

static void zeros_and_values_at_the_edge_of_float32_are_too(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) {
        row[0][i] = i < 60 ? 0 : 1e-42 * i;
        row[1][i] = i < 30 ? 0 : 1.1e-42 * i;
        row[2][i] = i > 100 ? 1e35 * i : 0;
    }
    screened_equals_plain(&nearby);
}

static void a_nan_is_the_least(void **state) {
    (void)state;
    row[3][50] = NAN;
    row[1][120] = INFINITY;
    screened_equals_plain(&nearby);
    vel_choice choice = {&nearby, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
    uint8_t states[N];
    vel_decide_plain(&choice, states);
    assert_int_equal(states[52], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_far_apart_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(ties_and_near_ties_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(the_bodies_of_all_instruction_sets_agree, begin, end),
        cmocka_unit_test_setup_teardown(zeros_and_values_at_the_edge_of_float32_are_too, begin, end),
        cmocka_unit_test_setup_teardown(a_nan_is_the_least, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
