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
static vel_segments segments;

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    for (int r = 0; r < VEL_DECIDE_ROWS; r++)
        for (int i = 0; i < N; i++) row[r][i] = vel_rounded(1 + noise((uint64_t)(N * r + i)), VEL_SINGLE);
    return vel_segments_make(&ctx, &graph, &segments) != VEL_OK;
}

static int end(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

/* Every `step`th cell of row r gets another value; returns which. */
static vel_changed change(int r, int step, int32_t *cells) {
    vel_changed changed = {cells, 0};
    for (int i = r; i < N; i += step) {
        row[r][i] = row[r][i] * 1.25f;
        cells[changed.n++] = i;
    }
    return changed;
}

static void screened_equals_plain(const vel_segments *all) {
    vel_screen screen;
    uint8_t fast[N], plain[N];
    int32_t cells[2][N];
    assert_int_equal(vel_screen_new(&ctx, all, (vel_part){0}, &screen), VEL_OK);
    for (vel_tag tag = VEL_SINGLE; tag <= VEL_DOUBLE; tag++)
        for (int count = 2; count <= VEL_DECIDE_ROWS; count += 2)
            for (int step = 1; step < 500; step *= 3) {
                vel_choice choice = {all, N, count, {row[0], row[1], row[2], row[3]}, tag};
                vel_decide(&choice, &screen, fast);
                vel_decide_plain(&choice, 2, plain);
                assert_memory_equal(fast, plain, N);
                vel_changed changed[] = {change(0, step, cells[0]), change(1, 7 * step, cells[1])};
                vel_decide_again(&choice, changed, &screen, fast);
                vel_decide_plain(&choice, count, plain);
                assert_memory_equal(fast, plain, N);
            }
}

static void rows_far_apart_are_decided_as_by_averages(void **state) {
    (void)state;
    assert_true(segments.symmetric);
    screened_equals_plain(&segments);
    segments.symmetric = false;
    screened_equals_plain(&segments);
    screened_equals_plain(NULL);
}

static void ties_and_near_ties_are_decided_as_by_averages(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) {
        row[1][i] = i % 3 ? row[0][i] : nextafter(row[0][i], i % 2 ? 0 : 9);
        row[2][i] = row[0][i] * (1 + 1e-9 * noise((uint64_t)i));
        row[3][(i * 7) % N] = row[0][(i * 7) % N];
    }
    screened_equals_plain(&segments);
}

static void the_bodies_of_all_instruction_sets_agree(void **state) {
    (void)state;
    const vel_decide_bodies *bodies[] = {&vel_decide_bodies_plain, &vel_decide_bodies_avx2};
    vel_screen screen[2];
    uint8_t states[2][N];
    if (vel_cpu_level() == VEL_CPU_PLAIN) return;
    vel_choice choice = {&segments, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
    double total[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(vel_screen_new(&ctx, &segments, (vel_part){0}, &screen[k]), VEL_OK);
        total[k] = bodies[k]->interleave(&choice, 1, screen[k].cell);
        bodies[k]->sum(&segments, 1, screen[k].cell, NULL, screen[k].sum);
        bodies[k]->compare(&choice, 4, screen[k].sum, states[k]);
    }
    assert_true(total[0] == total[1]);
    assert_memory_equal(screen[0].sum, screen[1].sum, sizeof *screen->sum * N);
    assert_memory_equal(states[0], states[1], N);
}

static void comparisons_of_some_cells_and_of_two_numbers_of_rows_are_those_of_all_and_each(void **state) {
    (void)state;
    const vel_decide_bodies *bodies[] = {&vel_decide_bodies_plain, vel_decide_bodies_now()};
    vel_quad *cell, *sum;
    uint8_t two[N], all[N], each[N], wanted[N], some[N];
    assert_int_equal(VEL_ALLOC(&ctx, cell, segments.places), VEL_OK);
    assert_int_equal(VEL_ZALLOC(&ctx, sum, N + VEL_SEGMENT_BLOCK), VEL_OK);
    for (int i = 0; i < N; i++) {
        row[1][i] = i % 3 ? row[1][i] : row[0][i];
        wanted[i] = i % 7 < 3;
    }
    for (int k = 0; k < 2; k++)
        for (int count = 2; count <= VEL_DECIDE_ROWS; count += 2) {
            vel_choice choice = {&segments, N, count, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
            bodies[k]->interleave(&choice, 1, cell);
            bodies[k]->sum(&segments, 1, cell, NULL, sum);
            bodies[k]->compare_twice(&choice, sum, two, all);
            bodies[k]->compare(&choice, 2, sum, each);
            assert_memory_equal(two, each, N);
            bodies[k]->compare(&choice, count, sum, each);
            assert_memory_equal(all, each, N);
            memset(some, 77, N);
            bodies[k]->compare_wanted(&choice, sum, wanted, some);
            for (int i = 0; i < N; i++) assert_int_equal(some[i], wanted[i] ? each[i] : 77);
        }
}

/* Each voice's sums are those of its rows alone. */
static void sums_of_two_voices_are_those_of_each(void **state) {
    (void)state;
    const vel_decide_bodies *bodies[] = {&vel_decide_bodies_plain, vel_decide_bodies_now()};
    vel_choice choice[] = {{&segments, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE},
                           {&segments, N, 4, {row[3], row[2], row[0], row[1]}, VEL_DOUBLE}};
    static vel_quad alone[N + 8], apart[N + 8], both[VEL_VOICES][N + 8];
    vel_quad *cell, *cells, *const out[] = {both[0], both[1]};
    assert_int_equal(VEL_ALLOC(&ctx, cell, segments.places), VEL_OK);
    assert_int_equal(VEL_ALLOC(&ctx, cells, VEL_VOICES * segments.places), VEL_OK);
    for (int k = 0; k < 2; k++) {
        for (int v = 0; v < VEL_VOICES; v++) bodies[k]->interleave(&choice[v], VEL_VOICES, cells + v);
        bodies[k]->sum_both(&segments, cells, out);
        for (int v = 0; v < VEL_VOICES; v++) {
            bodies[k]->interleave(&choice[v], 1, cell);
            bodies[k]->sum(&segments, 1, cell, NULL, alone);
            bodies[k]->sum(&segments, VEL_VOICES, cells + v, NULL, apart);
            assert_memory_equal(both[v], alone, sizeof *alone * N);
            assert_memory_equal(apart, alone, sizeof *alone * N);
        }
    }
}

static void zeros_and_values_at_the_edge_of_float32_are_too(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) {
        row[0][i] = i < 60 ? 0 : 1e-42 * i;
        row[1][i] = i < 30 ? 0 : 1.1e-42 * i;
        row[2][i] = i > 100 ? 1e35 * i : 0;
    }
    screened_equals_plain(&segments);
}

static void values_that_become_infinite_or_nan_are_too(void **state) {
    (void)state;
    vel_screen screen;
    uint8_t fast[N], plain[N];
    int32_t cells[] = {20, 90, 91};
    vel_changed changed[] = {{cells, 1}, {cells + 1, 2}};
    vel_choice choice = {&segments, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
    assert_int_equal(vel_screen_new(&ctx, &segments, (vel_part){0}, &screen), VEL_OK);
    vel_decide(&choice, &screen, fast);
    row[0][20] = INFINITY;
    row[1][90] = NAN;
    row[1][91] = 1e300;
    vel_decide_again(&choice, changed, &screen, fast);
    vel_decide_plain(&choice, 4, plain);
    assert_memory_equal(fast, plain, N);
}

static void a_nan_is_the_least(void **state) {
    (void)state;
    row[3][50] = NAN;
    row[1][120] = INFINITY;
    screened_equals_plain(&segments);
    vel_choice choice = {&segments, N, 4, {row[0], row[1], row[2], row[3]}, VEL_DOUBLE};
    uint8_t states[N];
    vel_decide_plain(&choice, 4, states);
    assert_int_equal(states[52], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_far_apart_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(ties_and_near_ties_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(the_bodies_of_all_instruction_sets_agree, begin, end),
        cmocka_unit_test_setup_teardown(comparisons_of_some_cells_and_of_two_numbers_of_rows_are_those_of_all_and_each,
                                        begin, end),
        cmocka_unit_test_setup_teardown(sums_of_two_voices_are_those_of_each, begin, end),
        cmocka_unit_test_setup_teardown(zeros_and_values_at_the_edge_of_float32_are_too, begin, end),
        cmocka_unit_test_setup_teardown(values_that_become_infinite_or_nan_are_too, begin, end),
        cmocka_unit_test_setup_teardown(a_nan_is_the_least, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
