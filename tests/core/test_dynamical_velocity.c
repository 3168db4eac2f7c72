#include "core/dynamical_velocity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "core/dynamical_velocity_bodies.h"
#include "core/fmath.h"
#include "tests/core/three_genes.h"
#include "tests/nearly.h"
#include "tests/random.h"

static const vel_fitted_gene fits[2] = {
    {.alpha = 3, .beta = 0.6, .gamma = 0.5, .scaling = 1.25, .switch_at = 4, .std_u = 1.5, .std_s = 1},
    {.alpha = 5, .beta = 0.4, .gamma = 0.9, .scaling = 0.75, .switch_at = 3, .std_u = 3, .std_s = 2},
};

/* Every cell averaged with the two before and the two after it, in a ring. */
typedef struct {
    int64_t indptr[N + 1];
    int32_t indices[5 * N];
    float weight[N];
} ring;

static vel_average ring_average(ring *r) {
    int k = 0;
    for (int c = 0; c < N; c++) {
        r->indptr[c] = k;
        r->weight[c] = 1 / 5.0F;
        for (int j = 0; j < N; j++)
            if ((j - c + N) % N <= 2 || (c - j + N) % N <= 2) r->indices[k++] = j;
    }
    r->indptr[N] = k;
    return (vel_average){N, r->indptr, r->indices, r->weight};
}

static void velocity(const vel_dynamical_opts *o, const vel_fitted_gene *f, const vel_gene_data *g, const double *on,
                     const double *off, double *v, double *v_u) {
    double *work = aligned_alloc(64, (vel_dynamical_work(g->n) * sizeof *work + 63) / 64 * 64);
    assert_non_null(work);
    vel_dynamical_velocity(o, 1, &(vel_dynamical_gene){*f, *g, on, off, v, v_u}, work);
    free(work);
}

/* ---- laws */

enum { M = 40 };

/* Cells that lie on the curve, the first half before the switch. */
static void on_the_curve(const vel_fitted_gene *f, double *on, double *off, double *u, double *s) {
    double beta = f->beta * f->scaling, t = f->switch_at;
    double us = f->alpha / beta * (1 - exp(-beta * t));
    double c = f->alpha / (f->gamma - beta);
    double ss = f->alpha / f->gamma * (1 - exp(-f->gamma * t)) + c * (exp(-f->gamma * t) - exp(-beta * t));
    for (int i = 0; i < M; i++) {
        on[i] = i < M / 2 ? t * (i + 1) / M * 1.5 : t;
        off[i] = i < M / 2 ? 0 : (i - M / 2 + 1) * 0.1;
        double eu = exp(-beta * (i < M / 2 ? on[i] : off[i])), es = exp(-f->gamma * (i < M / 2 ? on[i] : off[i]));
        u[i] = i < M / 2 ? f->alpha / beta * (1 - eu) : us * eu;
        s[i] = i < M / 2 ? f->alpha / f->gamma * (1 - es) + c * (es - eu)
                         : ss * es - us * beta / (f->gamma - beta) * (es - eu);
        u[i] = u[i] * f->scaling * (i % 2 ? 1.0001 : 0.9999); /* an exact fit would have no variance */
    }
}

static void cells_on_the_curve_move_along_it(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const vel_fitted_gene *f = &fits[k];
        double on[M], off[M], u[M], s[M], v[M], v_u[M];
        on_the_curve(f, on, off, u, s);
        velocity(&(vel_dynamical_opts){0}, f, &(vel_gene_data){M, VEL_F64, u, s}, on, off, v, v_u);
        for (int i = 0; i < M; i++) { /* to the 1e-4 that u was moved by */
            assert_near(v[i], f->beta * u[i] - f->gamma * s[i], 1e-3);
            assert_near(v_u[i], f->alpha * f->scaling * (i < M / 2) - f->beta * f->scaling * u[i], 2e-3);
        }
    }
}

static void nothing_falls_below_zero(void **state) {
    (void)state;
    double on[M], off[M], u[M], s[M], v[M], v_u[M];
    on_the_curve(&fits[0], on, off, u, s);
    for (int i = 0; i < M; i++) s[i] *= 0.01;
    velocity(&(vel_dynamical_opts){0}, &fits[0], &(vel_gene_data){M, VEL_F64, u, s}, on, off, v, v_u);
    for (int i = 0; i < M; i++) assert_true(v[i] >= -s[i] && v_u[i] >= -u[i] * (1 + 1e-15));
}

static void a_nan_makes_the_gene_nan_but_for_the_bounds(void **state) {
    (void)state;
    double on[M], off[M], u[M], s[M], v[M], v_u[M];
    on_the_curve(&fits[0], on, off, u, s);
    on[3] = NAN;
    velocity(&(vel_dynamical_opts){0}, &fits[0], &(vel_gene_data){M, VEL_F64, u, s}, on, off, v, v_u);
    assert_true(isnan(v[3]));
}

static void residuals_are_those_of_the_equations(void **state) {
    (void)state;
    const vel_fitted_gene *f = &fits[1];
    double on[M], off[M], u[M], s[M], t[M], v[M], v_u[M];
    on_the_curve(f, on, off, u, s);
    for (int i = 0; i < M; i++) t[i] = i < M / 2 ? on[i] : f->switch_at + off[i];
    vel_dynamical_residuals(&(vel_dynamical_gene){*f, {M, VEL_F64, u, s}, t, NULL, v, v_u});
    for (int i = 0; i < M; i++) {
        assert_near(v[i], f->beta * u[i] - f->gamma * s[i], 1e-12);
        assert_near(v_u[i], (f->alpha * (t[i] < f->switch_at) - f->beta * u[i]) * f->scaling, 1e-12);
    }
}

/* ---- the reference: scvelo 0.3.4, compute_divergence(mode="velocity"), on numpy 2.2.6 with the C library's exp */

typedef struct {
    vel_type type;
    bool average, latent;
    double values[2][2][3]; /* [gene][v, v_u][cell 2, 7, 15] */
} reference_row;

static const reference_row rows[] = {
    {VEL_F32,
     true,
     false,
     {{{0x1.ff96b22aae1d4p-1, 0x1.42f45e9c25e02p+0, 0x1.32c6f6f7ca9e8p+0},
       {0x1.5b1d71a45cc80p-2, 0x1.68eb1ba9e479ap-1, 0x1.267107fc9107cp-1}},
      {{0x0.0p+0, 0x0.0p+0, 0x1.c536501c84af8p-1}, {0x0.0p+0, 0x0.0p+0, 0x1.a4b4a1637a846p+0}}}},
    {VEL_F32,
     true,
     true,
     {{{0x1.37dfb047f014cp-1, 0x1.45434c5b55762p+0, 0x1.32c6f6f7ca9e8p+0},
       {0x1.75d30a34be6e0p+1, 0x1.90300234f2a6fp+0, 0x1.267107fc9107cp-1}},
      {{0x1.4ad2621610ae7p-2, 0x1.921b35e60333ep-1, 0x1.ec8bbb18aff14p-1},
       {0x1.bd511e95c2650p+1, 0x1.712e3f4dffdf4p+1, 0x1.117ee9b4de394p+1}}}},
    {VEL_F32,
     false,
     false,
     {{{-0x1.255f3834ce9ecp-1, 0x1.45434c44bc354p+0, 0x1.32c6f720739a3p+0},
       {-0x1.dfa04bd19a10ep+0, 0x1.9030028c7d277p+0, 0x1.2671088696038p-1}},
      {{0x0.0p+0, -0x1.c92b64fca6520p-2, 0x1.ec8bbb1b5bb48p-1},
       {0x0.0p+0, -0x1.cf3d68dca94e8p-1, 0x1.117ee9db54121p+1}}}},
    {VEL_F32,
     false,
     true,
     {{{0x1.37dfb00a2aed6p-1, 0x1.45434c44bc354p+0, 0x1.32c6f720739a3p+0},
       {0x1.75d30a4c1b9eap+1, 0x1.9030028c7d277p+0, 0x1.2671088696038p-1}},
      {{0x1.4ad261cf9c4afp-2, 0x1.921b35b3f6c62p-1, 0x1.ec8bbb1b5bb48p-1},
       {0x1.bd511e9e1bea6p+1, 0x1.712e3f663a1b6p+1, 0x1.117ee9db54121p+1}}}},
    {VEL_F64,
     true,
     false,
     {{{0x1.ff96b22aae1d4p-1, 0x1.42f45e9c25e02p+0, 0x1.32c6f6f7ca9e8p+0},
       {0x1.5b1d71a45cc80p-2, 0x1.68eb1ba9e479ap-1, 0x1.267107fc9107cp-1}},
      {{0x0.0p+0, 0x0.0p+0, 0x1.c536501c84af8p-1}, {0x0.0p+0, 0x0.0p+0, 0x1.a4b4a1637a846p+0}}}},
    {VEL_F64,
     true,
     true,
     {{{0x1.37dfb047f014cp-1, 0x1.45434c5b55762p+0, 0x1.32c6f6f7ca9e8p+0},
       {0x1.75d30a34be6e0p+1, 0x1.90300234f2a6fp+0, 0x1.267107fc9107cp-1}},
      {{0x1.4ad2621610ae7p-2, 0x1.921b35e60333ep-1, 0x1.ec8bbb18aff14p-1},
       {0x1.bd511e95c2650p+1, 0x1.712e3f4dffdf4p+1, 0x1.117ee9b4de394p+1}}}},
    {VEL_F64,
     false,
     false,
     {{{-0x1.255f3834ce9ecp-1, 0x1.45434c44bc354p+0, 0x1.32c6f720739a3p+0},
       {-0x1.dfa04bd19a10ep+0, 0x1.9030028c7d277p+0, 0x1.2671088696038p-1}},
      {{0x0.0p+0, -0x1.c92b64fca6520p-2, 0x1.ec8bbb1b5bb48p-1},
       {0x0.0p+0, -0x1.cf3d68dca94e8p-1, 0x1.117ee9db54121p+1}}}},
    {VEL_F64,
     false,
     true,
     {{{0x1.37dfb00a2aed6p-1, 0x1.45434c44bc354p+0, 0x1.32c6f720739a3p+0},
       {0x1.75d30a4c1b9eap+1, 0x1.9030028c7d277p+0, 0x1.2671088696038p-1}},
      {{0x1.4ad261cf9c4afp-2, 0x1.921b35b3f6c62p-1, 0x1.ec8bbb1b5bb48p-1},
       {0x1.bd511e9e1bea6p+1, 0x1.712e3f663a1b6p+1, 0x1.117ee9db54121p+1}}}},
};

static void velocities_have_the_bits_of_the_reference(void **state) {
    (void)state;
    static const int cells[3] = {2, 7, 15};
    ring r;
    vel_average average = ring_average(&r);
    vel_csr graph = {N, N, average.indptr, average.indices, NULL, VEL_F32};
    vel_nearby nearby;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    assert_int_equal(vel_nearby_make(&ctx, &graph, &nearby), VEL_OK);
    double latent[N], on[N], off[N], v[2][N];
    for (int c = 0; c < N; c++) latent[c] = (c * 7) % N / 22.0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int g = 0; g < 2; g++) {
            gene_arrays a;
            vel_gene_data data = gene(&a, g, rows[i].type);
            for (int c = 0; c < N; c++) {
                on[c] = c / (g ? 8.0 : 6.0);
                off[c] = g ? (c * 5) % N / 4.0 : (c * 3) % N / 7.0;
            }
            vel_dynamical_opts o = {rows[i].average ? &nearby : NULL, rows[i].latent ? latent : NULL};
            velocity(&o, &fits[g], &data, on, off, v[0], v[1]);
            for (int k = 0; k < 2; k++)
                for (int c = 0; c < 3; c++) assert_true(same_double(v[k][cells[c]], rows[i].values[g][k][c]));
        }
    vel_arena_free(ctx.scratch);
}

/* ---- several genes at once, and the bodies */

static void genes_do_not_see_each_other(void **state) {
    (void)state;
    ring r;
    vel_average average = ring_average(&r);
    vel_csr graph = {N, N, average.indptr, average.indices, NULL, VEL_F32};
    vel_nearby nearby;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    assert_int_equal(vel_nearby_make(&ctx, &graph, &nearby), VEL_OK);
    vel_dynamical_opts o = {&nearby, NULL};
    gene_arrays a[2];
    double on[N], off[N], alone[2][N], v[VEL_DYNAMICAL_GENES][2][N], *work;
    vel_dynamical_gene genes[VEL_DYNAMICAL_GENES];
    for (int c = 0; c < N; c++) on[c] = c / 6.0, off[c] = (c * 3) % N / 7.0;
    for (int g = 0; g < VEL_DYNAMICAL_GENES; g++)
        genes[g] = (vel_dynamical_gene){fits[g % 2], gene(&a[g % 2], g % 2, VEL_F32), on, off, v[g][0], v[g][1]};
    assert_int_equal(VEL_ALLOC(&ctx, work, vel_dynamical_work(N)), VEL_OK);
    vel_dynamical_velocity(&o, VEL_DYNAMICAL_GENES, genes, work);
    for (int g = 0; g < VEL_DYNAMICAL_GENES; g++) {
        velocity(&o, &genes[g].fit, &genes[g].data, on, off, alone[0], alone[1]);
        assert_memory_equal(v[g], alone, sizeof alone);
    }
    vel_arena_free(ctx.scratch);
}

static void wide_numbers_give_the_averages_of_narrow_ones(void **state) {
    (void)state;
    ring r;
    vel_average average = ring_average(&r);
    vel_csr graph = {N, N, average.indptr, average.indices, NULL, VEL_F32};
    vel_nearby narrow, wide;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    assert_int_equal(vel_nearby_make(&ctx, &graph, &narrow), VEL_OK);
    int64_t entries = 0;
    for (int64_t k = 0; k < narrow.n_runs; k++) entries += narrow.runs[k].rows * narrow.runs[k].blocks;
    entries *= VEL_NEARBY_BLOCK;
    int32_t *near32;
    assert_int_equal(VEL_ALLOC(&ctx, near32, entries), VEL_OK);
    for (int64_t e = 0; e < entries; e++) near32[e] = narrow.near16[e];
    wide = narrow;
    wide.near16 = NULL;
    wide.near32 = near32;
    uint64_t seed = 4;
    double x[8 * (N + 1)] = {0}, y[2][8 * N];
    for (int i = 0; i < 8 * N; i++) x[i] = random_between(&seed, 0, 1);
    const vel_velocity_loops *loops[] = {&vel_velocity_loops_plain, &vel_velocity_loops_avx2};
    for (int b = 0; b < (vel_cpu_level() == VEL_CPU_PLAIN ? 1 : 2); b++) {
        loops[b]->average(&narrow, x, (const double[]){1.5, 2}, y[0]);
        loops[b]->average(&wide, x, (const double[]){1.5, 2}, y[1]);
        assert_memory_equal(y[0], y[1], sizeof y[0]);
    }
    vel_arena_free(ctx.scratch);
}

static void bodies_agree_to_the_bit(void **state) {
    (void)state;
    if (vel_cpu_level() == VEL_CPU_PLAIN) skip();
    static const double odd[] = {0, -0.0, 1, 1e300, NAN, INFINITY, 3, 3, 0.25};
    enum { ODD = sizeof odd / sizeof *odd, C = 4 * 28 };
    uint64_t seed = 8;
    double x[7][C], p[4 * C], plain[4][4 * C], fast[4][4 * C];
    uint8_t kinds[2][C];
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < C; i++) x[k][i] = i % 5 == k % 5 ? odd[(i + k) % ODD] : random_between(&seed, 0, 2);
    for (int i = 0; i < 4 * C; i++) p[i] = i % 7 == 0 ? odd[i / 7 % ODD] : random_between(&seed, 0, 1);
    const vel_velocity_loops *a = &vel_velocity_loops_plain, *b = &vel_velocity_loops_avx2;
    const vel_branch branch[2] = {{0, 2, 1.5, 0, 0, 0.3}, {3, 0, 0, 5, 6, -30}};
    const vel_beside q = {x[0], x[1], {x[2], x[3]}, {x[4], x[5]}, branch, 1.5, 0.7};
    double *const plain_rows[2] = {plain[0], plain[1]}, *const fast_rows[2] = {fast[0], fast[1]};
    a->branches(C, &q, plain_rows, plain[2], plain[3]), b->branches(C, &q, fast_rows, fast[2], fast[3]);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < C; i++) assert_true(same_double(plain[k][i], fast[k][i]));
    vel_course curve = {{0, 3}, {2, 0}, {1.5, 0}, 0.6, 0.5, -10, 1.25};
    uint8_t at[VEL_VELOCITY_TOGETHER * C];
    for (int i = 0; i < VEL_VELOCITY_TOGETHER * C; i++) at[i] = (uint8_t)(i / 8 % 5);
    vel_moving m = {0.9, at, x[0], x[3], x[4], x[5], x[6]};
    a->move(C - 1, &curve, &m, plain[0], plain[1]), b->move(C - 1, &curve, &m, fast[0], fast[1]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < C - 1; i++) assert_true(same_double(plain[k][i], fast[k][i]));
    a->times(C - 1, at, 3, x[1], x[2], plain[0]), b->times(C - 1, at, 3, x[1], x[2], fast[0]);
    for (int i = 0; i < C - 1; i++) assert_true(same_double(plain[0][i], fast[0][i]));
    for (int type = 0; type < 2; type++) {
        vel_observed o = {type ? VEL_F64 : VEL_F32, x[5], x[6], 0.7, 0.1, 0.2};
        a->observe(C - 2, &o, 1, plain[0], plain[1]), b->observe(C - 2, &o, 1, fast[0], fast[1]);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < C - 2; i++) assert_true(same_double(plain[k][i], fast[k][i]));
    }
    a->likeliest(C - 3, p, 0.3, kinds[0]), b->likeliest(C - 3, p, 0.3, kinds[1]);
    assert_memory_equal(kinds[0], kinds[1], C - 3);
}

/* x[8 c + k]: many are equal, or nearly so, or near the limit of `none`, or odd. */
static void make_exponents(uint64_t *seed, int n, double limit, double *x) {
    static const double odd[] = {0, -0.0, -1, 1e300, NAN, INFINITY, -INFINITY, 4};
    for (int i = 0; i < 8 * n; i++) {
        double way = random_between(seed, 0, 1), some = random_between(seed, 0, 40);
        x[i] = way < 0.1 ? odd[(int)(way * 80)] : way < 0.2 ? limit * (1 + 1e-8 * (some - 20)) : some;
        if (way > 0.9 && i % 8) x[i] = x[i - 1] * (1 + (way > 0.95 ? 1e-15 : 1e-9));
    }
}

static void a_sure_state_is_the_likeliest(void **state) {
    (void)state;
    enum { C = 403, ROOM = C + 3 };
    const vel_velocity_loops *a = &vel_velocity_loops_plain;
    const vel_velocity_loops *b = vel_cpu_level() == VEL_CPU_PLAIN ? a : &vel_velocity_loops_avx2;
    uint64_t seed = 9;
    int sure = 0;
    for (int round = 0; round < 20; round++) {
        double x[8 * ROOM], p[4 * ROOM], scale = pow(10, round - 8),
                                         limit = 2 * vel_log(scale / VEL_LIKELIHOOD_OF_NONE);
        uint8_t kinds[2][C], exact[C];
        make_exponents(&seed, ROOM, limit, x);
        for (int i = 0; i < 4 * ROOM; i++) p[i] = vel_exp(-0.5 * x[8 * (i / 4) + i % 4]);
        a->surest(C, x, limit, kinds[0]), b->surest(C, x, limit, kinds[1]);
        assert_memory_equal(kinds[0], kinds[1], C);
        a->likeliest(C, p, scale, exact);
        for (int c = 0; c < C; c++) assert_true(kinds[0][c] == VEL_UNSURE || kinds[0][c] == exact[c]);
        for (int c = 0; c < C; c++) sure += kinds[0][c] != VEL_UNSURE;
        a->surest(C, x, NAN, kinds[0]);
        for (int c = 0; c < C; c++) assert_true(kinds[0][c] == VEL_UNSURE);
    }
    assert_true(sure > 20 * C / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_on_the_curve_move_along_it),
        cmocka_unit_test(nothing_falls_below_zero),
        cmocka_unit_test(a_nan_makes_the_gene_nan_but_for_the_bounds),
        cmocka_unit_test(residuals_are_those_of_the_equations),
        cmocka_unit_test(velocities_have_the_bits_of_the_reference),
        cmocka_unit_test(genes_do_not_see_each_other),
        cmocka_unit_test(wide_numbers_give_the_averages_of_narrow_ones),
        cmocka_unit_test(bodies_agree_to_the_bit),
        cmocka_unit_test(a_sure_state_is_the_likeliest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
