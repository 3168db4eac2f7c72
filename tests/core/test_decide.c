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
static double row[VEL_DECIDE_ROWS][N], u[N], s[N];
static vel_ctx ctx;
static vel_segments segments;
static vel_steady_sums steady;

/* A state that the cells are about as far from as from the origin. */
static vel_trajectory path(void) {
    return (vel_trajectory){.rates = {vel_double(2), vel_double(1.25), vel_double(1)}, .sigma = vel_double(1.25)};
}

/* Of x over the neighbours of each cell. */
static void sums_over_neighbors(const double *x, float *sum) {
    int32_t term[VEL_SEGMENT_PIECE];
    for (int64_t c = 0; c < N; c++) {
        double all = 0;
        for (int64_t from = 0, n; (n = vel_segments_terms(&segments, c, from, term)); from += n)
            for (int64_t k = 0; k < n; k++) all += x[term[k]];
        sum[c] = (float)all;
    }
}

/* The third and the fourth row, of u and s, and what is known of them; the centre is beside the state. */
static void make_steady(void) {
    double x[N], y[N];
    vel_trajectory p = path(), near = p;
    const double a = p.rates.alpha.v / p.rates.beta.v * p.sigma.v, b = p.rates.alpha.v / p.rates.gamma.v;
    near.rates.alpha.v *= 1.1;
    vel_steady_sums_around(&steady, &near, 1.5, 1.25);
    vel_steady_distances(&steady, N, u, s, x, y);
    sums_over_neighbors(x, steady.origin);
    sums_over_neighbors(y, steady.centre);
    vel_steady_offsets(&steady, N, u, s, x, y);
    sums_over_neighbors(x, steady.u);
    sums_over_neighbors(y, steady.s);
    vel_steady_sums_at(&steady, &p);
    for (int i = 0; i < N; i++) {
        row[2][i] = (u[i] / 1.5) * (u[i] / 1.5) + (s[i] / 1.25) * (s[i] / 1.25);
        row[3][i] = ((u[i] - a) / 1.5) * ((u[i] - a) / 1.5) + ((s[i] - b) / 1.25) * ((s[i] - b) / 1.25);
    }
}

static vel_choice choice_of(const vel_segments *all, int count, vel_tag tag) {
    return (vel_choice){all, N, count, {row[0], row[1], row[2], row[3]}, tag, &steady};
}

static int begin(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    vel_csr graph = make_neighbors(&g);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < N; i++) row[r][i] = vel_rounded(1 + noise((uint64_t)(N * r + i)), VEL_SINGLE);
    for (int i = 0; i < N; i++) {
        u[i] = 1 + noise((uint64_t)(N * 2 + i));
        s[i] = 1 + noise((uint64_t)(N * 3 + i));
    }
    if (vel_segments_make(&ctx, &graph, &segments) || vel_steady_sums_new(&ctx, N, &steady)) return 1;
    make_steady();
    return 0;
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

static void again(const vel_choice *choice, const vel_changed changed[2], vel_screen *screen, uint8_t *state) {
    bool open = vel_decide_again(choice, changed, screen, state);
    assert_int_equal(open, memchr(state, VEL_UNDECIDED, N) != NULL);
    vel_decide_rest(choice, state);
}

static void screened_equals_plain(const vel_segments *all) {
    vel_screen screen;
    uint8_t fast[N], plain[N];
    int32_t cells[2][N];
    assert_int_equal(vel_screen_new(&ctx, all, (vel_part){0}, &screen), VEL_OK);
    for (vel_tag tag = VEL_SINGLE; tag <= VEL_DOUBLE; tag++)
        for (int count = 2; count <= VEL_DECIDE_ROWS; count += 2)
            for (int step = 1; step < 500; step *= 3) {
                vel_choice choice = choice_of(all, count, tag);
                vel_decide(&choice, &screen, fast);
                vel_decide_plain(&choice, 2, plain);
                assert_memory_equal(fast, plain, N);
                vel_changed changed[] = {change(0, step, cells[0]), change(1, 7 * step, cells[1])};
                again(&choice, changed, &screen, fast);
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
    for (int i = 0; i < N; i++) row[1][i] = i % 3 ? row[0][i] : nextafter(row[0][i], i % 2 ? 0 : 9);
    screened_equals_plain(&segments);
}

static void ties_and_near_ties_with_steady_states_are_too(void **state) {
    (void)state;
    for (double off = 1e-15; off < 1e-2; off *= 10)
        for (int r = 2; r < VEL_DECIDE_ROWS; r++) {
            for (int i = 0; i < N; i++) {
                row[0][i] = i % 5 ? row[r][i] : nextafter(row[r][i], i % 2 ? 0 : 9);
                row[1][i] = row[r][i] * (1 + off * noise((uint64_t)i));
            }
            screened_equals_plain(&segments);
        }
}

static uint8_t least_at(int64_t cell) {
    vel_screen screen;
    uint8_t states[N];
    vel_changed none[2] = {{NULL, 0}, {NULL, 0}};
    vel_choice choice = choice_of(&segments, VEL_DECIDE_ROWS, VEL_DOUBLE);
    assert_int_equal(vel_screen_new(&ctx, &segments, (vel_part){0}, &screen), VEL_OK);
    vel_decide(&choice, &screen, states);
    vel_decide_again(&choice, none, &screen, states);
    return states[cell];
}

static void steady_states_are_decided_by_their_sums(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) row[0][i] = row[1][i] = 3;
    for (int i = 0; i < N; i++) u[i] = s[i] = i < N / 2 ? 0.1 : 1.9;
    make_steady();
    assert_int_equal(least_at(10), 2);
    assert_int_equal(least_at(N - 10), 3);
    row[0][N - 10] = 0;
    for (int i = N - 16; i < N - 4; i++) row[0][i] = 0;
    assert_int_equal(least_at(N - 10), 0);
}

static void sums_that_are_not_known_decide_nothing(void **state) {
    (void)state;
    steady.by_u = NAN;
    assert_int_equal(least_at(10), VEL_UNDECIDED);
    screened_equals_plain(&segments);
}

static void the_bodies_of_all_instruction_sets_agree(void **state) {
    (void)state;
    const vel_decide_bodies *bodies[] = {&vel_decide_bodies_plain, &vel_decide_bodies_avx2};
    vel_screen screen[2];
    uint8_t states[2][N];
    if (vel_cpu_level() == VEL_CPU_PLAIN) return;
    vel_choice choice = choice_of(&segments, 4, VEL_DOUBLE);
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
    vel_two *cell, *sum;
    uint8_t two[N], all[N], each[N], wanted[N], some[N];
    assert_int_equal(VEL_ALLOC(&ctx, cell, segments.places), VEL_OK);
    assert_int_equal(VEL_ZALLOC(&ctx, sum, N + VEL_SEGMENT_BLOCK), VEL_OK);
    for (int i = 0; i < N; i++) {
        row[1][i] = i % 3 ? row[1][i] : row[0][i];
        wanted[i] = i % 7 < 3;
    }
    for (int k = 0; k < 2; k++)
        for (int count = 2; count <= VEL_DECIDE_ROWS; count += 2) {
            vel_choice choice = choice_of(&segments, count, VEL_DOUBLE);
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
    vel_choice choice[] = {{&segments, N, 2, {row[0], row[1]}, VEL_DOUBLE, NULL},
                           {&segments, N, 2, {row[3], row[2]}, VEL_DOUBLE, NULL}};
    static vel_two alone[N + 8], apart[N + 8], both[VEL_VOICES][N + 8];
    vel_two *cell, *cells, *const out[] = {both[0], both[1]};
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
        u[i] = i > 80 ? 1e-22 * i : 0;
        s[i] = 0;
    }
    make_steady();
    screened_equals_plain(&segments);
    for (int i = 0; i < N; i++) u[i] = i > 100 ? 1e17 * i : 0;
    make_steady();
    screened_equals_plain(&segments);
    for (int i = 0; i < N; i++) row[1][i] = i > 100 ? 1e35 * i : 0;
    screened_equals_plain(&segments);
}

static void values_that_become_infinite_or_nan_are_too(void **state) {
    (void)state;
    vel_screen screen;
    uint8_t fast[N], plain[N];
    int32_t cells[] = {20, 90, 91};
    vel_changed changed[] = {{cells, 1}, {cells + 1, 2}};
    vel_choice choice = choice_of(&segments, 4, VEL_DOUBLE);
    assert_int_equal(vel_screen_new(&ctx, &segments, (vel_part){0}, &screen), VEL_OK);
    vel_decide(&choice, &screen, fast);
    row[0][20] = INFINITY;
    row[1][90] = NAN;
    row[1][91] = 1e300;
    again(&choice, changed, &screen, fast);
    vel_decide_plain(&choice, 4, plain);
    assert_memory_equal(fast, plain, N);
}

static void a_nan_is_the_least(void **state) {
    (void)state;
    row[3][50] = NAN;
    steady.apart = NAN;
    screened_equals_plain(&segments);
    row[1][120] = INFINITY;
    screened_equals_plain(&segments);
    vel_choice choice = choice_of(&segments, 4, VEL_DOUBLE);
    uint8_t states[N];
    vel_decide_plain(&choice, 4, states);
    assert_int_equal(states[52], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_far_apart_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(ties_and_near_ties_are_decided_as_by_averages, begin, end),
        cmocka_unit_test_setup_teardown(ties_and_near_ties_with_steady_states_are_too, begin, end),
        cmocka_unit_test_setup_teardown(steady_states_are_decided_by_their_sums, begin, end),
        cmocka_unit_test_setup_teardown(sums_that_are_not_known_decide_nothing, begin, end),
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
