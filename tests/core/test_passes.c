#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/misfit.h"
#include "core/passes.h"
#include "tests/core/gene.h"

enum { MOST = 37 }; /* no multiple of any width */

static double u[MOST], s[MOST], t[MOST], a[MOST], b[MOST], c[MOST], d[MOST], e[MOST];
static const vel_branch branches[2] = {{0, 3, 4, 0, 0, -2}, {5, 0, 0, 10, 16.5, 1.5}};

static void make_cells(void) {
    for (int i = 0; i < MOST; i++) {
        u[i] = 2 + 2 * noise((uint64_t)i);
        s[i] = i % 6 ? 3 + 3 * noise((uint64_t)i + 100) : 0;
        t[i] = 5 + 6 * noise((uint64_t)i + 200);
    }
}

/* Runs a claim for every width and every length. */
static void each(void (*claim)(const vel_passes *p, int64_t n)) {
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int64_t n = 0; n <= MOST; n += n < 9 ? 1 : 7) {
            make_cells();
            claim(vel_passes_at((vel_cpu)level), n);
        }
}

static bool same(double x, double y) { return x == y || (x != x && y != y); }

static void ratios_claim(const vel_passes *p, int64_t n) {
    u[3] = NAN;
    for (int by_u = 0; by_u < 2; by_u++) {
        vel_pass_ratio r = {by_u != 0, 0.7, 1.25, -2.5, VEL_LOG_LOW, VEL_LOG_HIGH};
        p->ratios(n, &r, u, s, a);
        for (int i = 0; i < n; i++) {
            double x = by_u ? (u[i] - 1.25) / -2.5 : ((s[i] - 0.7 * u[i]) - 1.25) / -2.5;
            x = x < VEL_LOG_LOW ? VEL_LOG_LOW : x > VEL_LOG_HIGH ? VEL_LOG_HIGH : x;
            assert_true(same(a[i], x));
        }
    }
}

static void ratios_are_clipped_and_keep_nan(void **state) {
    (void)state;
    each(ratios_claim);
}

static void times_claim(const vel_passes *p, int64_t n) {
    double most = -INFINITY;
    memcpy(a, t, sizeof a);
    p->scale(n, -1.5, a);
    for (int i = 0; i < n; i++) {
        assert_true(a[i] == -1.5 * t[i]);
        if (s[i] > 0 && a[i] > most) most = a[i];
    }
    assert_true(p->largest(n, a, s) == most);
    p->clip(n, 0.5, a);
    for (int i = 0; i < n; i++) assert_true(a[i] == fmin(fmax(-1.5 * t[i], 0), 0.5));
    if (n == 0) return;
    a[n - 1] = NAN;
    assert_true(isnan(p->largest(n, a, s)));
    a[n - 1] = INFINITY;
    assert_true(isnan(p->largest(n, a, s)));
}

static void times_are_scaled_searched_and_clipped(void **state) {
    (void)state;
    each(times_claim);
}

static void blur_claim(const vel_passes *p, int64_t n) {
    memcpy(a, t, sizeof a);
    p->blur(n, -0.9, u, a);
    for (int i = 0; i < n; i++) assert_true(a[i] == fmax(u[i] + (0.0 - 0.9 * t[i]), 0));
}

static void noise_is_added_to_means(void **state) {
    (void)state;
    each(blur_claim);
}

static void states_claim(const vel_passes *p, int64_t n) {
    p->decays(n, 0.5, 0.3, t, a, b);
    for (int i = 0; i < n; i++) assert_true(a[i] == -0.5 * t[i] && b[i] == -0.3 * t[i]);
    memcpy(c, a, sizeof a);
    memcpy(d, b, sizeof b);
    p->states(n, &branches[1], c, d);
    for (int i = 0; i < n; i++)
        assert_true(c[i] == vel_branch_u(&branches[1], a[i]) && d[i] == vel_branch_s(&branches[1], a[i], b[i]));
}

static void states_are_those_of_the_branch(void **state) {
    (void)state;
    each(states_claim);
}

static void distances_claim(const vel_passes *p, int64_t n) {
    vel_pass_frame f = {u, s, 1.1, 0.7};
    p->distances(n, &f, t, s, a);
    p->distances_to(n, 2, 3, &f, b);
    for (int i = 0; i < n; i++) {
        double du = (u[i] - t[i]) / 1.1, eu = (u[i] - 2) / 1.1, es = (s[i] - 3) / 0.7;
        assert_true(a[i] == du * du + 0.0 && b[i] == eu * eu + es * es);
    }
}

static void distances_are_squares_in_units_of_spread(void **state) {
    (void)state;
    each(distances_claim);
}

static void singles_claim(const vel_passes *p, int64_t n) {
    vel_pass_frame f = {u, s, 1.1, (double)0.7f};
    for (int i = 0; i < MOST; i++) s[i] = (double)(float)s[i];
    p->distances_to_singles(n, 2, 3, &f, a);
    p->divide(n, u, 1.7, b);
    for (int i = 0; i < n; i++) {
        double du = (u[i] - 2) / 1.1;
        float ds = ((float)s[i] - 3.0f) / 0.7f;
        assert_true(a[i] == du * du + (double)(ds * ds) && b[i] == u[i] / 1.7);
    }
}

static void spliced_singles_have_single_squares(void **state) {
    (void)state;
    each(singles_claim);
}

static void misfits_claim(const vel_passes *p, int64_t n) {
    vel_rates r = {vel_double(5), vel_double(0.5), vel_double(0.3)};
    vel_trajectory path = {r, vel_double(1.7), vel_double(4)};
    vel_pass_misfit m = {u, s, 1.7, 1.1, 0.7, 0.01};
    p->since(n, &r, 4, t, c, a, b);
    for (int i = 0; i < n; i++) {
        double tau;
        assert_true((c[i] != 0) == vel_branch_time(&path, vel_double(t[i]), &tau));
        assert_true(a[i] == -0.5 * tau && b[i] == -0.3 * tau);
    }
    p->misfits(n, &(vel_pass_cells){branches, c, a, b}, &m, d, e);
    for (int i = 0; i < n; i++) {
        const vel_branch *branch = &branches[c[i] != 0];
        double du = ((vel_branch_u(branch, a[i]) - u[i] / 1.7) / 1.1) * 1.7;
        double ds = (vel_branch_s(branch, a[i], b[i]) - s[i]) / 0.7, reg = (0.01 * s[i]) / 0.7;
        assert_true(e[i] == ds && d[i] == (du * du + ds * ds) + reg * reg);
    }
}

static void misfits_are_of_the_branch_of_each_cell(void **state) {
    (void)state;
    each(misfits_claim);
}

static void drawn_claim(const vel_passes *p, int64_t n) {
    const vel_rates r = {vel_double(5), vel_double(0.5), vel_double(0.3)};
    const vel_pass_levels levels = {1.7, 0.25, 0.1};
    p->since(n, &r, 4, t, c, a, b);
    p->since(n, &r, 4, t, c, d, e);
    p->drawn(n, branches, &levels, c, d, e);
    for (int i = 0; i < n; i++) {
        const vel_branch *branch = &branches[c[i] != 0];
        assert_true(d[i] == vel_branch_u(branch, a[i]) * 1.7 + 0.25);
        assert_true(e[i] == vel_branch_s(branch, a[i], b[i]) + 0.1);
    }
}

static void curves_are_drawn_on_the_branch_of_each_cell(void **state) {
    (void)state;
    each(drawn_claim);
}

static uint8_t state_of(int i) { return (uint8_t)((i * 7 + i / 5) % 4); }

static void make_states(uint8_t *state) {
    for (int i = 0; i < MOST; i++) state[i] = state_of(i);
    for (int i = 0; i < MOST; i++) b[i] = 9 + 2 * noise((uint64_t)i + 300);
    t[4] = NAN;
    b[5] = NAN;
}

static void move_claim(const vel_passes *p, int64_t n) {
    static const double at[] = {2, 3.5, 6}, width[] = {0.3, 1.25, 0.7};
    uint8_t states[MOST];
    int32_t moved[MOST + 1];
    make_states(states);
    for (int64_t gaps = 0; gaps <= 3; gaps++) {
        vel_gaps all = {gaps, at, width};
        vel_pass_move m = {states, VEL_ON, &all};
        memcpy(a, t, sizeof a);
        int64_t k = p->move(n, &m, a, moved), expected = 0;
        for (int i = 0; i < n; i++) {
            bool moves = states[i] == VEL_ON && t[i] >= vel_first_gap(&all);
            assert_true(same(a[i], moves ? vel_closed(&all, VEL_DOUBLE, t[i]) : t[i]));
            if (moves) assert_int_equal(moved[expected++], i);
        }
        assert_int_equal(k, expected);
    }
}

static void cells_behind_gaps_move_and_are_listed(void **state) {
    (void)state;
    each(move_claim);
}

static void choose_claim(const vel_passes *p, int64_t n) {
    uint8_t states[MOST], on[MOST];
    make_states(states);
    vel_pass_times times = {states, t, b, 4};
    p->mine(n, &times, a);
    p->choose(n, &times, c, on);
    for (int i = 0; i < n; i++) {
        bool is_on = states[i] == VEL_ON || states[i] == VEL_STEADY_OFF;
        double early = t[i] * (states[i] == VEL_ON), late = b[i] * (states[i] == VEL_OFF) + 4;
        assert_true(same(a[i], states[i] == VEL_ON ? t[i] : b[i]));
        assert_true(same(c[i], early * is_on + late * !is_on));
        assert_int_equal(on[i], is_on);
    }
}

static void times_are_those_of_the_branch_and_nan_stays(void **state) {
    (void)state;
    each(choose_claim);
}

static void reach_claim(const vel_passes *p, int64_t n) {
    uint8_t on[MOST] = {0};
    double last = -INFINITY, last_on = -INFINITY;
    int64_t waiting = 0;
    for (int i = 0; i < n; i++) {
        on[i] = i % 3 == 1;
        if (i % 5 == 2) t[i] = 4;
        last = fmax(last, t[i]);
        if (on[i]) last_on = fmax(last_on, t[i]);
        waiting += t[i] == 4;
    }
    vel_pass_reach r;
    p->reach(n, t, on, 4, &r);
    assert_true(r.last == last && r.last_on == last_on && r.waiting == waiting && r.finite);
    if (n == 0) return;
    t[n / 2] = n % 2 ? NAN : INFINITY;
    p->reach(n, t, on, 4, &r);
    assert_false(r.finite);
}

static void the_reach_is_that_of_all_and_of_those_on(void **state) {
    (void)state;
    each(reach_claim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_clipped_and_keep_nan),
        cmocka_unit_test(times_are_scaled_searched_and_clipped),
        cmocka_unit_test(noise_is_added_to_means),
        cmocka_unit_test(states_are_those_of_the_branch),
        cmocka_unit_test(distances_are_squares_in_units_of_spread),
        cmocka_unit_test(spliced_singles_have_single_squares),
        cmocka_unit_test(misfits_are_of_the_branch_of_each_cell),
        cmocka_unit_test(curves_are_drawn_on_the_branch_of_each_cell),
        cmocka_unit_test(cells_behind_gaps_move_and_are_listed),
        cmocka_unit_test(times_are_those_of_the_branch_and_nan_stays),
        cmocka_unit_test(the_reach_is_that_of_all_and_of_those_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
