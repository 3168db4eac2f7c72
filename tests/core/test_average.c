#include "core/average.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/pipelines/alloc.h"
#include "tests/random.h"

enum { N = 40, MOST = N * N };

/* A random graph, some of its entries zero or negative, with or without stored diagonal, one row empty. */
typedef struct {
    double dense[N][N]; /* 0 where nothing is stored */
    int64_t indptr[N + 1];
    int32_t indices[MOST];
    double values[MOST];
    float floats[MOST];
} graph;

static void make_graph(graph *g, uint64_t seed) {
    int64_t e = 0;
    memset(g, 0, sizeof *g);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (i == 3 || random_bits(&seed) % 5 != 0) continue;
            double value = (double)(random_bits(&seed) % 4) - 1;
            g->dense[i][j] = value;
            g->indices[e] = j;
            g->values[e] = value;
            g->floats[e] = (float)value;
            e++;
        }
        g->indptr[i + 1] = e;
    }
}

static vel_csr view(const graph *g, const void *values, vel_type type) {
    return (vel_csr){N, N, g->indptr, g->indices, values, type};
}

/* The definition, on a dense matrix. */
static double dense_average(const graph *g, int i, const double *x) {
    int terms = 0;
    double sum = 0;
    for (int j = 0; j < N; j++) terms += g->dense[i][j] > 0 || i == j;
    float weight = (float)(1.0 / terms);
    for (int j = 0; j < N; j++)
        if (g->dense[i][j] > 0 || i == j) sum += (double)weight * x[j];
    return sum;
}

static float dense_average_f32(const graph *g, int i, const float *x) {
    int terms = 0;
    float sum = 0;
    for (int j = 0; j < N; j++) terms += g->dense[i][j] > 0 || i == j;
    float weight = (float)(1.0 / terms);
    for (int j = 0; j < N; j++)
        if (g->dense[i][j] > 0 || i == j) sum += weight * x[j];
    return sum;
}

static vel_ctx new_ctx(void) {
    vel_ctx ctx = {.threads = 1, .scratch = vel_arena_new()};
    assert_non_null(ctx.scratch);
    return ctx;
}

static void equals_the_dense_definition(void **state) {
    (void)state;
    static graph g;
    uint64_t numbers = 21;
    for (uint64_t seed = 1; seed < 20; seed++) {
        make_graph(&g, seed);
        vel_ctx ctx = new_ctx();
        vel_csr doubles = view(&g, g.values, VEL_F64), floats = view(&g, g.floats, VEL_F32);
        vel_average a, b;
        assert_int_equal(vel_average_make(&ctx, &doubles, &a), VEL_OK);
        assert_int_equal(vel_average_make(&ctx, &floats, &b), VEL_OK);
        double x[N], y[N];
        float xf[N], yf[N];
        for (int i = 0; i < N; i++) xf[i] = (float)(x[i] = random_between(&numbers, -1, 1));
        vel_average_f64(&a, x, y);
        vel_average_f32(&b, xf, yf);
        for (int i = 0; i < N; i++) {
            assert_true(y[i] == dense_average(&g, i, x));
            assert_true(yf[i] == dense_average_f32(&g, i, xf));
        }
        vel_arena_free(ctx.scratch);
    }
}

static void a_bare_pattern_counts_every_entry(void **state) {
    (void)state;
    static const int64_t indptr[4] = {0, 2, 3, 3};
    static const int32_t indices[3] = {1, 2, 0};
    vel_csr g = {3, 3, indptr, indices, NULL, VEL_NOTYPE};
    vel_ctx ctx = new_ctx();
    vel_average avg;
    assert_int_equal(vel_average_make(&ctx, &g, &avg), VEL_OK);
    double x[3] = {1, 2, 4}, y[3];
    vel_average_f64(&avg, x, y);
    double third = (float)(1.0 / 3);
    assert_true(y[0] == (third * 1 + third * 2) + third * 4);
    assert_true(y[1] == 1.5);
    assert_true(y[2] == 4); /* a cell without neighbours is its own average */
    vel_arena_free(ctx.scratch);
}

static void rows_have_the_diagonal_in_its_place(void **state) {
    (void)state;
    static graph g;
    make_graph(&g, 77);
    vel_ctx ctx = new_ctx();
    vel_csr csr = view(&g, g.values, VEL_F64);
    vel_average avg;
    assert_int_equal(vel_average_make(&ctx, &csr, &avg), VEL_OK);
    for (int64_t i = 0; i < N; i++) {
        bool diagonal = false;
        for (int64_t e = avg.indptr[i]; e < avg.indptr[i + 1]; e++) {
            diagonal |= avg.indices[e] == i;
            if (e > avg.indptr[i]) assert_true(avg.indices[e - 1] < avg.indices[e]);
        }
        assert_true(diagonal);
    }
    vel_arena_free(ctx.scratch);
}

static void nan_reaches_only_the_neighbours(void **state) {
    (void)state;
    static graph g;
    make_graph(&g, 5);
    vel_ctx ctx = new_ctx();
    vel_csr csr = view(&g, g.values, VEL_F64);
    vel_average avg;
    assert_int_equal(vel_average_make(&ctx, &csr, &avg), VEL_OK);
    double x[N] = {0}, y[N];
    x[8] = NAN;
    vel_average_f64(&avg, x, y);
    for (int i = 0; i < N; i++) assert_true(isnan(y[i]) == (g.dense[i][8] > 0 || i == 8));
    vel_arena_free(ctx.scratch);
}

static void a_graph_that_is_not_square_is_refused(void **state) {
    (void)state;
    static const int64_t indptr[2] = {0, 0};
    vel_csr g = {1, 2, indptr, NULL, NULL, VEL_NOTYPE};
    vel_ctx ctx = new_ctx();
    vel_average avg;
    assert_int_equal(vel_average_make(&ctx, &g, &avg), VEL_ESHAPE);
    assert_non_null(strstr(ctx.message, "1 x 2"));
    vel_arena_free(ctx.scratch);
}

static void a_failing_allocation_is_told(void **state) {
    (void)state;
    static int64_t indptr[100001];
    vel_csr g = {100000, 100000, indptr, NULL, NULL, VEL_NOTYPE};
    vel_average avg;
    for (long k = 1; k < 8; k++) {
        vel_ctx ctx = new_ctx();
        alloc_arm(k);
        vel_err e = vel_average_make(&ctx, &g, &avg);
        assert_int_equal(e, alloc_count < k ? VEL_OK : VEL_ENOMEM);
        alloc_arm(0);
        vel_arena_free(ctx.scratch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_dense_definition),           cmocka_unit_test(a_bare_pattern_counts_every_entry),
        cmocka_unit_test(rows_have_the_diagonal_in_its_place),   cmocka_unit_test(nan_reaches_only_the_neighbours),
        cmocka_unit_test(a_graph_that_is_not_square_is_refused), cmocka_unit_test(a_failing_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
