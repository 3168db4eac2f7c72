#include "core/extremes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/extremes_bodies.h"
#include "tests/random.h"

enum { N = 101 };

static int count(const uint8_t *x) {
    int sum = 0;
    for (int c = 0; c < N; c++) sum += x[c];
    return sum;
}

static void a_ramp(float *s, float *u) {
    for (int c = 0; c < N; c++) {
        s[c] = (float)c;
        u[c] = 2 * (float)c;
    }
}

static void the_upper_five_percent_are_chosen(void **state) {
    (void)state;
    float s[N], u[N], work[2 * N];
    uint8_t selected[N] = {0};
    a_ramp(s, u);
    vel_extremes_f32(&(vel_extremes){.lower = 5, .upper = 95}, N, s, u, work, selected);
    assert_int_equal(count(selected), 6);
    for (int c = 95; c < N; c++) assert_true(selected[c]);
}

static void both_ends_are_chosen_if_asked_for(void **state) {
    (void)state;
    float s[N], u[N], work[2 * N];
    uint8_t selected[N] = {0};
    a_ramp(s, u);
    vel_extremes_f32(&(vel_extremes){.lower = 5, .upper = 95, .both = true}, N, s, u, work, selected);
    assert_int_equal(count(selected), 12);
    assert_true(selected[0] && selected[5] && selected[95] && selected[100] && !selected[6]);
}

static void the_scale_of_either_abundance_does_not_matter(void **state) {
    (void)state;
    double s[N], u[N], work[2 * N];
    uint8_t one[N] = {0}, other[N] = {0};
    for (int c = 0; c < N; c++) {
        s[c] = (c * 37) % N;
        u[c] = (c * 53) % N;
    }
    vel_extremes e = {.upper = 90};
    vel_extremes_f64(&e, N, s, u, work, one);
    for (int c = 0; c < N; c++) u[c] *= 1024; /* a power of two: exact */
    vel_extremes_f64(&e, N, s, u, work, other);
    assert_memory_equal(one, other, sizeof one);
}

static void selections_add_up(void **state) {
    (void)state;
    double s[N], work[2 * N];
    uint8_t selected[N] = {0};
    for (int c = 0; c < N; c++) s[c] = c;
    selected[3] = 1;
    vel_extremes_f64(&(vel_extremes){.upper = 99}, N, s, NULL, work, selected);
    assert_int_equal(count(selected), 3);
    assert_true(selected[3] && selected[99] && selected[100]);
}

static void a_gene_without_counts_selects_every_cell(void **state) {
    (void)state;
    float s[N] = {0}, u[N] = {0}, work[2 * N];
    uint8_t selected[N] = {0};
    vel_extremes_f32(&(vel_extremes){.upper = 95}, N, s, u, work, selected);
    assert_int_equal(count(selected), N); /* z = 0 everywhere, and so is its percentile */
}

static void a_nan_selects_no_cell(void **state) {
    (void)state;
    float s[N], u[N], work[2 * N];
    uint8_t selected[N] = {0};
    a_ramp(s, u);
    u[50] = NAN;
    vel_extremes_f32(&(vel_extremes){.upper = 95}, N, s, u, work, selected);
    assert_int_equal(count(selected), 0);
}

static double ceiling_of(int64_t n, const double *x, double least) {
    for (int64_t c = 0; c < n; c++) {
        if (isnan(x[c])) return x[c];
        if (x[c] > least) least = x[c];
    }
    return least;
}

static void every_body_finds_the_maximum_or_a_nan_and_flags_what_reaches_the_bound(void **state) {
    (void)state;
    uint64_t seed = 1;
    double x[N];
    float xf[N];
    for (int c = 0; c < N; c++) xf[c] = (float)(x[c] = random_between(&seed, -1, 1));
    const double odd[] = {0, NAN, INFINITY, -INFINITY, 1};
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int n = 0; n <= N; n++) {
            const vel_extremes_bodies *body = vel_extremes_at((vel_cpu)level);
            xf[n / 2] = (float)(x[n / 2] = odd[n % 5]);
            const double most = body->ceiling_f64(n, x, 1e-3), expected = ceiling_of(n, x, 1e-3);
            const float most_f = body->ceiling_f32(n, xf, 1e-3F), expected_f = (float)ceiling_of(n, x, 1e-3);
            assert_memory_equal(&most, &expected, sizeof most);
            assert_memory_equal(&most_f, &expected_f, sizeof most_f);
            uint8_t flags[N] = {[3] = 1}, flags_f[N] = {[7] = 1};
            body->flag_f64(n, x, 0.25, flags);
            body->flag_f32(n, xf, 0.25F, flags_f);
            for (int c = 0; c < N; c++) {
                assert_int_equal(flags[c], (c < n && x[c] >= 0.25) || c == 3);
                assert_int_equal(flags_f[c], (c < n && xf[c] >= 0.25F) || c == 7);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_upper_five_percent_are_chosen),
        cmocka_unit_test(both_ends_are_chosen_if_asked_for),
        cmocka_unit_test(the_scale_of_either_abundance_does_not_matter),
        cmocka_unit_test(selections_add_up),
        cmocka_unit_test(every_body_finds_the_maximum_or_a_nan_and_flags_what_reaches_the_bound),
        cmocka_unit_test(a_gene_without_counts_selects_every_cell),
        cmocka_unit_test(a_nan_selects_no_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
