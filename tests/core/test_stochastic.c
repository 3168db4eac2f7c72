#include "core/stochastic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/core/three_genes.h"
#include "tests/nearly.h"
#include "tests/random.h"

/* Second moments: the squares and products, and some spread on top. */
static void second_moments(int g, float *ss, float *us) {
    static const int step[GENES] = {9, 4, 2};
    static const double scale[GENES] = {17, 3, 5};
    for (int c = 0; c < N; c++) {
        double spread = (float)((c * step[g]) % N / scale[g]);
        ss[c] = (float)(spliced(g, c) * spliced(g, c) + spread);
        us[c] = (float)(spliced(g, c) * unspliced(g, c) + spread / 2);
    }
}

static vel_stochastic fit(const vel_stochastic_opts *o, const vel_gene_data *data, const vel_second_moments *second) {
    void *work = aligned_alloc(64, (vel_stochastic_work(data->n) + vel_steady_work(data->n) + 63) / 64 * 64);
    assert_non_null(work);
    vel_steady steady;
    vel_stochastic f;
    vel_steady_fit(&o->steady, 1, data, work, &steady);
    vel_stochastic_fit(o, data, second, &steady, work, &f);
    free(work);
    return f;
}

static void moments_of_one_line_give_its_slope(void **state) {
    (void)state;
    double u[N], s[N];
    float ss[N], us[N];
    for (int c = 0; c < N; c++) { /* c = 0.5 v as well, apart from a wiggle that keeps the residuals from vanishing */
        double wiggle = c % 2 ? 0x1p-10 : -0x1p-10;
        s[c] = c;
        u[c] = 0.5 * c + wiggle;
        ss[c] = (float)(s[c] * s[c]);
        us[c] = (float)((0.5 * (2 * s[c] * s[c] - s[c]) - u[c] + wiggle) / 2);
    }
    vel_stochastic_opts o = {.steady = vel_steady_defaults()};
    vel_stochastic f = fit(&o, &(vel_gene_data){N, VEL_F64, u, s}, &(vel_second_moments){ss, us});
    assert_near(f.gamma, 0.5, 1e-4); /* the wiggle over the abundances */
    assert_true(f.offset == 0 && f.offset2 == 0);
}

static void the_ratio_is_a_float32(void **state) {
    (void)state;
    gene_arrays a;
    float ss[N], us[N];
    second_moments(0, ss, us);
    vel_gene_data data = gene(&a, 0, VEL_F64);
    vel_stochastic_opts o = {.steady = vel_steady_defaults()};
    vel_stochastic f = fit(&o, &data, &(vel_second_moments){ss, us});
    assert_true(f.gamma == (double)(float)f.gamma);
}

static void nothing_expressed_gives_nothing(void **state) {
    (void)state;
    float zero[N] = {0};
    double variance[N];
    vel_gene_data data = {N, VEL_F32, zero, zero};
    vel_stochastic_opts o = {.steady = vel_steady_defaults(), .pairwise = true};
    vel_second_moments second = {zero, zero};
    vel_stochastic f = fit(&o, &data, &second);
    assert_true(f.gamma == 0);
    vel_stochastic_variance(&o, &data, &second, &f, variance);
    for (int c = 0; c < N; c++) assert_true(variance[c] == 0);
}

/* ---- the reference: scvelo 0.3.4 on numpy 2.2.6, given the second moments */

typedef struct {
    vel_type type;
    bool offset, offset2, pairwise;
    double gamma[GENES], o[GENES], o2[GENES], variance7[GENES]; /* variance7: of cell 7 */
} reference_row;

static const reference_row rows[] = {
    {VEL_F32,
     false,
     false,
     false,
     {0x1.b07852p+0, 0x1.1f193ep+1, 0x1.651318p-5},
     {0},
     {0},
     {0x1.7be764p+1, 0x1.0af790p+2, 0x1.032c88p+2}},
    {VEL_F32,
     true,
     false,
     false,
     {0x1.b12a34p+0, 0x1.1f4036p+1, 0x1.653174p-5},
     {-0x1.ecb0ccp-3, -0x1.21c372p-4, -0x1.975fcap-7},
     {0},
     {0x1.23b992p+1, 0x1.e589e8p+1, 0x1.dcb2d2p+1}},
    {VEL_F32,
     false,
     true,
     false,
     {0x1.962d8cp+0, 0x1.1b5984p+1, 0x1.4c18c6p-5},
     {0},
     {0x1.44be22p+1, 0x1.124992p+1, 0x1.1b592ap+3},
     {0x1.f562b0p-2, 0x1.06255ep+1, -0x1.34fc02p+2}},
    {VEL_F32,
     true,
     true,
     false,
     {0x1.95fb56p+0, 0x1.1b8e42p+1, 0x1.4c0a64p-5},
     {-0x1.68522ap-3, -0x1.6b9a24p-5, -0x1.390edcp-10},
     {0x1.461724p+1, 0x1.09fa88p+1, 0x1.1b8712p+3},
     {-0x1.7b11fcp-6, 0x1.e008d0p+0, -0x1.3758f2p+2}},
    {VEL_F32,
     false,
     false,
     true,
     {0x1.b07852p+0, 0x1.1f193ep+1, 0x1.651318p-5},
     {0},
     {0},
     {0x1.7be764p+1, 0x1.0af790p+2, 0x1.032c88p+2}},
    {VEL_F32,
     true,
     false,
     true,
     {0x1.b12a34p+0, 0x1.1f4036p+1, 0x1.653174p-5},
     {-0x1.ecb0ccp-3, -0x1.21c372p-4, -0x1.975fcap-7},
     {0},
     {0x1.23b992p+1, 0x1.e589e8p+1, 0x1.dcb2d2p+1}},
    {VEL_F32,
     false,
     true,
     true,
     {0x1.962d8cp+0, 0x1.1b5984p+1, 0x1.4c18c6p-5},
     {0},
     {0x1.44be22p+1, 0x1.124992p+1, 0x1.1b592ap+3},
     {0x1.f562b0p-2, 0x1.06255ep+1, -0x1.34fc02p+2}},
    {VEL_F32,
     true,
     true,
     true,
     {0x1.95fb56p+0, 0x1.1b8e42p+1, 0x1.4c0a64p-5},
     {-0x1.68522ap-3, -0x1.6b9a24p-5, -0x1.390edcp-10},
     {0x1.461724p+1, 0x1.09fa88p+1, 0x1.1b8712p+3},
     {-0x1.7b11fcp-6, 0x1.e008d0p+0, -0x1.3758f2p+2}},
    {VEL_F64,
     false,
     false,
     false,
     {0x1.b07852p+0, 0x1.1f193ep+1, 0x1.651318p-5},
     {0},
     {0},
     {0x1.7be764p+1, 0x1.0af78cp+2, 0x1.032c84p+2}},
    {VEL_F64,
     true,
     false,
     false,
     {0x1.b12a34p+0, 0x1.1f4036p+1, 0x1.653174p-5},
     {-0x1.ecb0ccp-3, -0x1.21c374p-4, -0x1.975fccp-7},
     {0},
     {0x1.23b992p+1, 0x1.e589e0p+1, 0x1.dcb2cap+1}},
    {VEL_F64,
     false,
     true,
     false,
     {0x1.962d8cp+0, 0x1.1b5986p+1, 0x1.4c18c6p-5},
     {0},
     {0x1.44be26p+1, 0x1.12498ep+1, 0x1.1b592cp+3},
     {0x1.f56296p-2, 0x1.06255ap+1, -0x1.34fc0ap+2}},
    {VEL_F64,
     true,
     true,
     false,
     {0x1.95fb56p+0, 0x1.1b8e42p+1, 0x1.4c0a64p-5},
     {-0x1.68522ap-3, -0x1.6b9a36p-5, -0x1.390f04p-10},
     {0x1.461726p+1, 0x1.09fa82p+1, 0x1.1b8712p+3},
     {-0x1.7b12b8p-6, 0x1.e008c8p+0, -0x1.3758f4p+2}},
    {VEL_F64,
     false,
     false,
     true,
     {0x1.b07852p+0, 0x1.1f193ep+1, 0x1.651318p-5},
     {0},
     {0},
     {0x1.7be764p+1, 0x1.0af78cp+2, 0x1.032c84p+2}},
    {VEL_F64,
     true,
     false,
     true,
     {0x1.b12a34p+0, 0x1.1f4036p+1, 0x1.653174p-5},
     {-0x1.ecb0ccp-3, -0x1.21c374p-4, -0x1.975fccp-7},
     {0},
     {0x1.23b992p+1, 0x1.e589e0p+1, 0x1.dcb2cap+1}},
    {VEL_F64,
     false,
     true,
     true,
     {0x1.962d8cp+0, 0x1.1b5986p+1, 0x1.4c18c6p-5},
     {0},
     {0x1.44be26p+1, 0x1.12498ep+1, 0x1.1b592cp+3},
     {0x1.f56296p-2, 0x1.06255ap+1, -0x1.34fc0ap+2}},
    {VEL_F64,
     true,
     true,
     true,
     {0x1.95fb56p+0, 0x1.1b8e42p+1, 0x1.4c0a64p-5},
     {-0x1.68522ap-3, -0x1.6b9a36p-5, -0x1.390f04p-10},
     {0x1.461726p+1, 0x1.09fa82p+1, 0x1.1b8712p+3},
     {-0x1.7b12b8p-6, 0x1.e008c8p+0, -0x1.3758f4p+2}},
};

static void check_gene(const reference_row *r, int g) {
    gene_arrays a;
    float ss[N], us[N];
    double variance[N];
    second_moments(g, ss, us);
    vel_second_moments second = {ss, us};
    vel_gene_data data = gene(&a, g, r->type);
    vel_stochastic_opts o = {.steady = vel_steady_defaults(), .offset2 = r->offset2, .pairwise = r->pairwise};
    o.steady.offset = o.steady.extremes.both = r->offset;
    vel_stochastic f = fit(&o, &data, &second);
    assert_true(same_double(f.gamma, r->gamma[g]));
    assert_true(same_double(f.offset, r->o[g]));
    assert_true(same_double(f.offset2, r->o2[g]));
    vel_stochastic_variance(&o, &data, &second, &f, variance);
    assert_true(same_float((float)variance[7], (float)r->variance7[g]));
}

static void fits_have_the_bits_of_the_reference(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int g = 0; g < GENES; g++) check_gene(&rows[i], g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_of_one_line_give_its_slope),
        cmocka_unit_test(the_ratio_is_a_float32),
        cmocka_unit_test(nothing_expressed_gives_nothing),
        cmocka_unit_test(fits_have_the_bits_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
