#include "core/moments.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/average.h"
#include "core/moments_bodies.h"
#include "tests/context.h"
#include "tests/random.h"

enum { N = 150, GENES = 21, MOST = N * 12 };

typedef struct {
    int64_t indptr[N + 1];
    int32_t indices[MOST];
    float x[N * GENES], b[N * GENES], y[N * GENES];
    double x64[N * GENES], y64[N * GENES];
    vel_average avg;
    vel_around around;
} data;

static data d;
static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    uint64_t seed = 1;
    int64_t e = 0;
    ctx = test_ctx(2);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N && e < MOST; j++)
            if (random_bits(&seed) % 20 == 0) d.indices[e++] = j;
        d.indptr[i + 1] = e;
    }
    for (int i = 0; i < N * GENES; i++) {
        d.x64[i] = d.x[i] = random_bits(&seed) % 3 ? 0 : (float)random_between(&seed, 0, 9);
        d.b[i] = (float)random_between(&seed, 0, 9);
    }
    const vel_csr graph = {N, N, d.indptr, d.indices, NULL, VEL_F32};
    return vel_average_make(&ctx, &graph, &d.avg) != VEL_OK || vel_around_make(&ctx, &graph, &d.around) != VEL_OK;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_cmat in(const void *x, vel_type type) { return (vel_cmat){x, type, N, GENES, 1, N}; }
static vel_mat out(void *y, vel_type type) { return (vel_mat){y, type, N, GENES, 1, N}; }

static void first_moments_are_the_averages_of_each_gene(void **state) {
    (void)state;
    float expected[N];
    double expected64[N];
    vel_cmat x = in(d.x, VEL_F32), x64 = in(d.x64, VEL_F64);
    vel_mat y = out(d.y, VEL_F32);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &y), VEL_OK);
    for (int g = 0; g < GENES; g++) {
        vel_average_f32(&d.avg, d.x + g * N, expected);
        assert_memory_equal(d.y + g * N, expected, sizeof expected);
    }
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x64, &y), VEL_OK);
    for (int g = 0; g < GENES; g++) {
        vel_average_f64(&d.avg, d.x64 + g * N, expected64);
        for (int c = 0; c < N; c++) assert_true(d.y[g * N + c] == (float)expected64[c]);
    }
}

static void a_result_may_take_the_place_of_the_values(void **state) {
    (void)state;
    static float same[N * GENES];
    memcpy(same, d.x, sizeof same);
    vel_cmat x = in(d.x, VEL_F32), again = in(same, VEL_F32);
    vel_mat y = out(d.y, VEL_F32), place = out(same, VEL_F32);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &y), VEL_OK);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &again, &place), VEL_OK);
    assert_memory_equal(same, d.y, sizeof same);
}

static void a_float64_result_is_the_float32_one_widened(void **state) {
    (void)state;
    vel_cmat x = in(d.x, VEL_F32);
    vel_mat y = out(d.y, VEL_F32), wide = out(d.y64, VEL_F64);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &y), VEL_OK);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &wide), VEL_OK);
    for (int i = 0; i < N * GENES; i++) assert_true(d.y64[i] == (double)d.y[i]);
}

static void second_moments_average_the_rounded_products(void **state) {
    (void)state;
    enum { FEW = 5 };
    static float ss[FEW][N], us[FEW][N];
    vel_moments_pair pairs[FEW];
    for (int g = 0; g < FEW; g++) pairs[g] = (vel_moments_pair){d.x + g * N, d.b + g * N, ss[g], us[g]};
    assert_int_equal(vel_moments_second(&ctx, &d.around, VEL_F32, FEW, pairs), VEL_OK);
    for (int g = 0; g < FEW; g++) {
        float product[N], expected[N];
        for (int c = 0; c < N; c++) product[c] = d.x[g * N + c] * d.x[g * N + c];
        vel_average_f32(&d.avg, product, expected);
        assert_memory_equal(ss[g], expected, sizeof expected);
        for (int c = 0; c < N; c++) product[c] = d.x[g * N + c] * d.b[g * N + c];
        vel_average_f32(&d.avg, product, expected);
        assert_memory_equal(us[g], expected, sizeof expected);
    }
}

static void second_moments_of_doubles_are_averaged_in_double(void **state) {
    (void)state;
    float ss[N], us[N];
    double squares[N], expected[N];
    const vel_moments_pair pair = {d.x64, d.x64 + N, ss, us};
    assert_int_equal(vel_moments_second(&ctx, &d.around, VEL_F64, 1, &pair), VEL_OK);
    for (int c = 0; c < N; c++) squares[c] = d.x64[c] * d.x64[c];
    vel_average_f64(&d.avg, squares, expected);
    for (int c = 0; c < N; c++) assert_true(ss[c] == (float)expected[c]);
}

static void a_constant_stays_itself(void **state) {
    (void)state;
    for (int i = 0; i < N * GENES; i++) d.b[i] = 4;
    vel_cmat x = in(d.b, VEL_F32);
    vel_mat y = out(d.y, VEL_F32);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &y), VEL_OK);
    for (int i = 0; i < N * GENES; i++) assert_true(fabsf(d.y[i] - 4) < 1e-5f); /* weights are rounded */
}

static void nan_stays_in_its_gene_and_neighbourhood(void **state) {
    (void)state;
    float kept = d.x[3 * N + 7];
    d.x[3 * N + 7] = NAN;
    vel_cmat x = in(d.x, VEL_F32);
    vel_mat y = out(d.y, VEL_F32);
    assert_int_equal(vel_moments_first(&ctx, &d.around, &x, &y), VEL_OK);
    assert_true(isnan(d.y[3 * N + 7]));
    for (int g = 0; g < GENES; g++)
        for (int c = 0; c < N && g != 3; c++) assert_false(isnan(d.y[g * N + c]));
    d.x[3 * N + 7] = kept;
}

static void wide_numbers_of_cells_give_the_same_bits(void **state) {
    (void)state;
    int32_t near[MOST + N];
    float x[N * VEL_MOMENTS_LANES], narrow[N * VEL_MOMENTS_LANES], wide[N * VEL_MOMENTS_LANES];
    vel_around around = d.around;
    for (int64_t e = 0; e < around.indptr[N]; e++) near[e] = around.near16[e];
    around.near16 = NULL;
    around.near32 = near;
    for (int i = 0; i < N * VEL_MOMENTS_LANES; i++) x[i] = d.x[i];
    vel_moments_plain.f32(&d.around, x, 0, N, narrow);
    vel_moments_plain.f32(&around, x, 0, N, wide);
    assert_memory_equal(wide, narrow, sizeof wide);
}

#if defined(__x86_64__)
static void every_body_gives_the_same_bits(void **state) {
    (void)state;
    float x[N * VEL_MOMENTS_LANES], plain[N * VEL_MOMENTS_LANES], fast[N * VEL_MOMENTS_LANES];
    double x64[N * VEL_MOMENTS_LANES], plain64[N * VEL_MOMENTS_LANES], fast64[N * VEL_MOMENTS_LANES];
    for (int i = 0; i < N * VEL_MOMENTS_LANES; i++) x64[i] = x[i] = d.x[i];
    vel_moments_plain.f32(&d.around, x, 0, N, plain);
    vel_moments_plain.f64(&d.around, x64, 0, N, plain64);
    const vel_moments_body *bodies[] = {&vel_moments_avx2, &vel_moments_avx512};
    const char *const needs[] = {"avx2", "avx512f"};
    for (int b = 0; b < 2; b++) {
        if (!(b ? __builtin_cpu_supports("avx512f") : __builtin_cpu_supports("avx2"))) {
            print_message("no %s here\n", needs[b]);
            continue;
        }
        bodies[b]->f32(&d.around, x, 0, N, fast);
        bodies[b]->f64(&d.around, x64, 0, N, fast64);
        assert_memory_equal(fast, plain, sizeof fast);
        assert_memory_equal(fast64, plain64, sizeof fast64);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_moments_are_the_averages_of_each_gene),
        cmocka_unit_test(a_result_may_take_the_place_of_the_values),
        cmocka_unit_test(a_float64_result_is_the_float32_one_widened),
        cmocka_unit_test(second_moments_average_the_rounded_products),
        cmocka_unit_test(second_moments_of_doubles_are_averaged_in_double),
        cmocka_unit_test(a_constant_stays_itself),
        cmocka_unit_test(nan_stays_in_its_gene_and_neighbourhood),
        cmocka_unit_test(wide_numbers_of_cells_give_the_same_bits),
#if defined(__x86_64__)
        cmocka_unit_test(every_body_gives_the_same_bits),
#endif
    };
    return cmocka_run_group_tests_name("core/moments", tests, setup, teardown);
}
