#include "core/steady_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/core/three_genes.h"
#include "tests/nearly.h"
#include "tests/random.h"

static vel_steady fit(const vel_steady_opts *opts, const vel_gene_data *data) {
    void *work = aligned_alloc(64, (vel_steady_work(data->n) + 63) / 64 * 64);
    assert_non_null(work);
    vel_steady f;
    vel_steady_fit(opts, 1, data, work, &f);
    free(work);
    return f;
}

/* ---- laws */

static void a_line_through_the_origin_is_found(void **state) {
    (void)state;
    double u[N], s[N];
    for (int c = 0; c < N; c++) {
        s[c] = c;
        u[c] = 0.25 * c; /* exact, so the ratio is too */
    }
    vel_steady_opts o = vel_steady_defaults();
    vel_steady f = fit(&o, &(vel_gene_data){N, VEL_F64, u, s});
    assert_true(f.gamma == 0.25 && f.offset == 0 && f.r2 == 1);
    assert_true(f.any_u && f.any_s);
}

static void an_offset_is_found_if_asked_for(void **state) {
    (void)state;
    double u[N], s[N];
    for (int c = 0; c < N; c++) {
        s[c] = c;
        u[c] = 0.5 * c + 3;
    }
    vel_steady_opts o = vel_steady_defaults();
    o.offset = o.extremes.both = true;
    vel_steady f = fit(&o, &(vel_gene_data){N, VEL_F64, u, s});
    assert_near(f.gamma, 0.5, 1e-13); /* a few roundings of numbers below 500 */
    assert_near(f.offset, 3, 1e-12);
}

static void a_negative_offset_is_taken_for_none(void **state) {
    (void)state;
    double u[N], s[N];
    for (int c = 0; c < N; c++) {
        s[c] = c + 4;
        u[c] = c;
    }
    vel_steady_opts o = vel_steady_defaults();
    o.offset = o.extremes.both = true;
    vel_steady f = fit(&o, &(vel_gene_data){N, VEL_F64, u, s});
    assert_true(f.offset == 0);
    assert_true(f.gamma > 0 && f.gamma < 1);
}

static void cells_that_are_not_fitted_do_not_move_the_line(void **state) {
    (void)state;
    gene_arrays a;
    uint8_t cells[N];
    vel_gene_data data = gene(&a, 0, VEL_F32);
    for (int c = 0; c < N; c++) cells[c] = c % 3 != 0;
    vel_steady_opts o = vel_steady_defaults();
    o.fit_cells = cells;
    vel_steady one = fit(&o, &data);
    for (int c = 0; c < N; c += 3) a.u32[c] += 100;
    vel_steady other = fit(&o, &data);
    assert_true(one.gamma == other.gamma);
    assert_true(one.r2 != other.r2); /* R2 counts all cells */
}

static void nothing_expressed_gives_nothing(void **state) {
    (void)state;
    float zero[N] = {0};
    vel_steady_opts o = vel_steady_defaults();
    vel_steady f = fit(&o, &(vel_gene_data){N, VEL_F32, zero, zero});
    assert_true(f.gamma == 0 && f.r2 == 0 && !f.any_u && !f.any_s);
}

static void a_nan_gives_no_ratio(void **state) {
    (void)state;
    gene_arrays a;
    vel_gene_data data = gene(&a, 1, VEL_F32);
    a.s32[4] = NAN;
    vel_steady_opts o = vel_steady_defaults();
    vel_steady f = fit(&o, &data);
    assert_true(f.gamma == 0 && f.r2 == 0);
}

static void genes_fitted_together_are_fitted_as_alone(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++)
        for (int offset = 0; offset < 2; offset++)
            for (int n = 1; n <= VEL_STEADY_GENES; n++) {
                gene_arrays a[VEL_STEADY_GENES];
                vel_gene_data genes[VEL_STEADY_GENES];
                vel_steady together[VEL_STEADY_GENES];
                vel_steady_opts o = vel_steady_defaults();
                o.offset = o.extremes.both = offset;
                for (int g = 0; g < n; g++) genes[g] = gene(&a[g], g % GENES, wide ? VEL_F64 : VEL_F32);
                a[n / 2].s32[4] = NAN;
                a[n / 2].s64[4] = NAN;
                void *work = aligned_alloc(64, (vel_steady_work(N) + 63) / 64 * 64);
                assert_non_null(work);
                vel_steady_fit(&o, n, genes, work, together);
                free(work);
                for (int g = 0; g < n; g++) {
                    vel_steady alone = fit(&o, &genes[g]);
                    assert_true(together[g].gamma == alone.gamma && together[g].offset == alone.offset);
                    assert_true(together[g].r2 == alone.r2);
                    assert_true(together[g].any_u == alone.any_u && together[g].any_s == alone.any_s);
                }
            }
}

static void r2_alone_is_that_of_the_whole_fit(void **state) {
    (void)state;
    static const uint8_t some[N] = {0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1};
    for (int way = 0; way < 8; way++)
        for (int n = 1; n <= VEL_STEADY_GENES; n++) {
            gene_arrays a[VEL_STEADY_GENES];
            vel_gene_data genes[VEL_STEADY_GENES];
            vel_steady alone[VEL_STEADY_GENES];
            vel_steady_opts o = vel_steady_defaults();
            o.offset = way & 2;
            o.fit_cells = way & 4 ? some : NULL;
            o.r2_adjusted = o.r2_alone = true;
            for (int g = 0; g < n; g++) genes[g] = gene(&a[g], g % GENES, way & 1 ? VEL_F64 : VEL_F32);
            a[n / 2].s32[4] = NAN;
            a[n / 2].s64[4] = NAN;
            void *work = aligned_alloc(64, (vel_steady_work(N) + 63) / 64 * 64);
            assert_non_null(work);
            vel_steady_fit(&o, n, genes, work, alone);
            free(work);
            o.r2_alone = false;
            for (int g = 0; g < n; g++) assert_true(alone[g].r2 == fit(&o, &genes[g]).r2 && alone[g].gamma == 0);
        }
}

/* ---- the reference: scvelo 0.3.4 on numpy 2.2.6 */

typedef struct {
    vel_type type;
    bool offset, r2_adjusted;
    double upper, most_ratio;
    double gamma[GENES], r2[GENES], o[GENES], v7[GENES]; /* v7: the velocity of cell 7 */
} reference_row;

static const reference_row rows[] = {
    {.type = VEL_F32,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.85c5p+0, 0x1.25cb48p+1, 0x1.41e202p-5},
     .r2 = {0x1.61d4b0p-1, 0x1.6401c5p-1, 0x1.5776fbp-1},
     .o = {0},
     .v7 = {0x1.843d48p-1, -0x1.0f736cp+1, 0x1.a28370p-2}},
    {.type = VEL_F32,
     .offset = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.73592cp+0, 0x1.25ac7ap+1, 0x1.3a6dc54ccaad5p-5},
     .r2 = {0x1.7fd20952f7264p-1, 0x1.6421b91e33a72p-1, 0x1.713dfd107941cp-1},
     .o = {0x0.0p+0, 0x0.0p+0, 0x1.3a654ca22bd80p-5},
     .v7 = {0x1.b8df177c2c600p-1, -0x1.0f2146dce5f80p+1, 0x1.87695655c8a48p-2}},
    {.type = VEL_F32,
     .r2_adjusted = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.85c5p+0, 0x1.25cb48p+1, 0x1.41e202p-5},
     .r2 = {0x1.8f50e68000000p-1, 0x1.6ce83ep-1, 0x1.884c0dp-1},
     .o = {0},
     .v7 = {0x1.843d48p-1, -0x1.0f736cp+1, 0x1.a28370p-2}},
    {.type = VEL_F32,
     .upper = 90,
     .most_ratio = INFINITY,
     .gamma = {0x1.725bdap+0, 0x1.15b2c4p+1, 0x1.489892p-5},
     .r2 = {0x1.80fc328000000p-1, 0x1.6ce05dp-1, 0x1.613fc3p-1},
     .o = {0},
     .v7 = {0x1.bbb2e0p-1, -0x1.c90ec0p+0, 0x1.97873cp-2}},
    {.type = VEL_F32,
     .upper = 95,
     .most_ratio = 0.5,
     .gamma = {0x1.0000p-1, 0x1.0000p-1, 0x1.41e202p-5},
     .r2 = {-0x1.5dfda8p+0, -0x1.f9e404p+0, 0x1.5776fbp-1},
     .o = {0},
     .v7 = {0x1.1c09c0p+1, 0x1.555554p+1, 0x1.a28370p-2}},
    {.type = VEL_F32,
     .offset = true,
     .r2_adjusted = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.73592cp+0, 0x1.25ac7ap+1, 0x1.3a6dc54ccaad5p-5},
     .r2 = {0x1.8f50e68000000p-1, 0x1.8e7fbe8000000p-1, 0x1.dd78d98000000p-1},
     .o = {0x0.0p+0, 0x0.0p+0, 0x1.3a654ca22bd80p-5},
     .v7 = {0x1.b8df177c2c600p-1, -0x1.0f2146dce5f80p+1, 0x1.87695655c8a48p-2}},
    {.type = VEL_F64,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.85c4ffe4e4651p+0, 0x1.25cb4891c4f2dp+1, 0x1.41e1febb10dd8p-5},
     .r2 = {0x1.61d4b163752c4p-1, 0x1.6401c514f2404p-1, 0x1.5776f5e15749ap-1},
     .o = {0},
     .v7 = {0x1.843d4c46db71cp-1, -0x1.0f736db71c3dap+1, 0x1.a283736581db2p-2}},
    {.type = VEL_F64,
     .offset = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.73592ce1fc0a6p+0, 0x1.25ac7b0471e1ap+1, 0x1.3a6dc275c9c09p-5},
     .r2 = {0x1.7fd209841cd9dp-1, 0x1.6421b81104e9cp-1, 0x1.713dfd353d829p-1},
     .o = {0x0.0p+0, 0x0.0p+0, 0x1.3a657c06aaa50p-5},
     .v7 = {0x1.b8df14f680d3cp-1, -0x1.0f2149936afdcp+1, 0x1.8769550edd368p-2}},
    {.type = VEL_F64,
     .r2_adjusted = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.85c4ffe4e4651p+0, 0x1.25cb4891c4f2dp+1, 0x1.41e1febb10dd8p-5},
     .r2 = {0x1.8f50e84e33bfep-1, 0x1.6ce83e8d0043ap-1, 0x1.884c0d0568cbcp-1},
     .o = {0},
     .v7 = {0x1.843d4c46db71cp-1, -0x1.0f736db71c3dap+1, 0x1.a283736581db2p-2}},
    {.type = VEL_F64,
     .upper = 90,
     .most_ratio = INFINITY,
     .gamma = {0x1.725bd95f38773p+0, 0x1.15b2c2d37cffap+1, 0x1.48989135b9c53p-5},
     .r2 = {0x1.80fc35682beffp-1, 0x1.6ce05cf844cd2p-1, 0x1.613fc0f0e89bep-1},
     .o = {0},
     .v7 = {0x1.bbb2deff87fc4p-1, -0x1.c90ebca1ccb04p+0, 0x1.97873de3d47aap-2}},
    {.type = VEL_F64,
     .upper = 95,
     .most_ratio = 0.5,
     .gamma = {0x1.0000p-1, 0x1.0000p-1, 0x1.41e1febb10dd8p-5},
     .r2 = {-0x1.5dfda279a3100p+0, -0x1.f9e403dd04ed4p+0, 0x1.5776f5e15749ap-1},
     .o = {0},
     .v7 = {0x1.1c09c1p+1, 0x1.555555p+1, 0x1.a283736581db2p-2}},
    {.type = VEL_F64,
     .offset = true,
     .r2_adjusted = true,
     .upper = 95,
     .most_ratio = INFINITY,
     .gamma = {0x1.73592ce1fc0a6p+0, 0x1.25ac7b0471e1ap+1, 0x1.3a6dc275c9c09p-5},
     .r2 = {0x1.8f50e84e33bfep-1, 0x1.8e7fbf2c28704p-1, 0x1.dd78d8f8ee3d6p-1},
     .o = {0x0.0p+0, 0x0.0p+0, 0x1.3a657c06aaa50p-5},
     .v7 = {0x1.b8df14f680d3cp-1, -0x1.0f2149936afdcp+1, 0x1.8769550edd368p-2}},
};

static void check_gene(const reference_row *r, int g) {
    gene_arrays a;
    vel_gene_data data = gene(&a, g, r->type);
    vel_steady_opts opts = {.extremes = {.lower = 5, .upper = r->upper, .both = r->offset},
                            .offset = r->offset,
                            .r2_adjusted = r->r2_adjusted,
                            .least_ratio = -INFINITY,
                            .most_ratio = r->most_ratio};
    vel_steady f = fit(&opts, &data);
    assert_true(same_double(f.gamma, r->gamma[g]));
    assert_true(same_double(f.r2, r->r2[g]));
    assert_true(same_double(f.offset, r->o[g]));
    double v64[N];
    float v32[N];
    vel_type type = vel_steady_type(&opts, r->type);
    vel_steady_velocity(&data, f.gamma, f.offset, type, type == VEL_F32 ? (void *)v32 : v64);
    assert_true(same_double(type == VEL_F32 ? (double)v32[7] : v64[7], r->v7[g]));
}

static void fits_have_the_bits_of_the_reference(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int g = 0; g < GENES; g++) check_gene(&rows[i], g);
}

/* ---- the choice of genes */

static void every_condition_can_refuse_a_gene(void **state) {
    (void)state;
    const vel_steady good = {.gamma = 0.5, .r2 = 0.8, .any_u = true, .any_s = true};
    vel_steady fits[8];
    uint8_t genes[8], variable[8] = {1, 1, 1, 1, 1, 0, 1, 1};
    double work[8];
    for (int g = 0; g < 8; g++) fits[g] = good;
    fits[1].r2 = 0.01;
    fits[2].gamma = 0.01F;
    fits[3].any_u = false;
    fits[4].any_s = false;
    vel_steady_rule rule = {0.01, 0.01, VEL_F32, variable};
    assert_true(vel_steady_select(&rule, 8, fits, work, genes) == 0.01);
    const uint8_t expected[8] = {1, 0, 0, 0, 0, 0, 1, 1};
    assert_memory_equal(genes, expected, 8);
}

static void low_signal_leaves_the_upper_fifth(void **state) {
    (void)state;
    vel_steady fits[11];
    uint8_t genes[11];
    double work[11];
    for (int g = 0; g < 11; g++) fits[g] = (vel_steady){.gamma = 0, .r2 = g / 10.0, .any_u = true, .any_s = true};
    vel_steady_rule rule = {0.01, 0.01, VEL_F64, NULL};
    assert_true(vel_steady_select(&rule, 11, fits, work, genes) == 0.8);
    for (int g = 0; g < 11; g++) assert_int_equal(genes[g], g > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_through_the_origin_is_found),
        cmocka_unit_test(an_offset_is_found_if_asked_for),
        cmocka_unit_test(a_negative_offset_is_taken_for_none),
        cmocka_unit_test(cells_that_are_not_fitted_do_not_move_the_line),
        cmocka_unit_test(nothing_expressed_gives_nothing),
        cmocka_unit_test(a_nan_gives_no_ratio),
        cmocka_unit_test(genes_fitted_together_are_fitted_as_alone),
        cmocka_unit_test(r2_alone_is_that_of_the_whole_fit),
        cmocka_unit_test(fits_have_the_bits_of_the_reference),
        cmocka_unit_test(every_condition_can_refuse_a_gene),
        cmocka_unit_test(low_signal_leaves_the_upper_fifth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
