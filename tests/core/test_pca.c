#include "core/pca.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/context.h"
#include "tests/random.h"

enum { K = 4 };

static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = test_ctx(2);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

/* n x genes, gene-major: K strong directions and noise. */
static void fill(double *x, int64_t n, int64_t genes) {
    uint64_t seed = 5;
    double *hidden = calloc((size_t)(n * K), sizeof *hidden);
    for (int64_t i = 0; i < n * K; i++) hidden[i] = random_between(&seed, -1, 1);
    for (int64_t g = 0; g < genes; g++) {
        double weight[K];
        for (int k = 0; k < K; k++) weight[k] = random_between(&seed, -1, 1) * (8 - 2 * k);
        for (int64_t i = 0; i < n; i++) {
            double v = 3 + random_between(&seed, -1, 1);
            for (int k = 0; k < K; k++) v += weight[k] * hidden[i * K + k];
            x[g * n + i] = v;
        }
    }
    free(hidden);
}

static vel_mat doubles(double *scores, int64_t n, int64_t k) { return (vel_mat){scores, VEL_F64, n, k, k, 1}; }

static void check_laws(int64_t n, int64_t genes) {
    double *x = calloc((size_t)(n * genes), sizeof *x), *scores = calloc((size_t)(n * K), sizeof *x);
    double *loadings = calloc((size_t)(genes * K), sizeof *x), variance[K];
    int64_t *all = calloc((size_t)genes, sizeof *all);
    fill(x, n, genes);
    for (int64_t g = 0; g < genes; g++) all[g] = g;
    const vel_counts m = {n, genes, VEL_F64, x, NULL, NULL, true, false};
    vel_centered c;
    vel_mat room = doubles(scores, n, K);
    assert_int_equal(vel_centered_make(&ctx, &m, all, genes, &c), VEL_OK);
    assert_int_equal(vel_pca(&ctx, &c, K, &room, loadings, variance), VEL_OK);
    for (int a = 0; a < K; a++) {
        double most = 0;
        for (int64_t g = 0; g < genes; g++)
            if (fabs(loadings[g * K + a]) > fabs(most)) most = loadings[g * K + a];
        assert_true(most > 0);
        assert_true(a == 0 || variance[a] < variance[a - 1]);
        for (int b = 0; b <= a; b++) {
            double of_genes = 0, of_cells = 0;
            for (int64_t g = 0; g < genes; g++) of_genes += loadings[g * K + a] * loadings[g * K + b];
            for (int64_t i = 0; i < n; i++) of_cells += scores[i * K + a] * scores[i * K + b];
            assert_true(fabs(of_genes - (a == b)) < 1e-11);
            double expected = a == b ? variance[a] * (double)(n - 1) : 0;
            assert_true(fabs(of_cells - expected) < 1e-10 * variance[0] * (double)(n - 1));
        }
        double mean = 0;
        for (int64_t i = 0; i < n; i++) mean += scores[i * K + a] / (double)n;
        assert_true(fabs(mean) < 1e-10 * sqrt(variance[a]));
    }
    free(x), free(scores), free(loadings), free(all);
}

static void scores_and_loadings_are_orthogonal_and_signs_are_fixed(void **state) {
    (void)state;
    check_laws(90, 40);
    check_laws(40, 90);
}

static void lanczos_obeys_the_same_laws(void **state) {
    (void)state;
    check_laws(700, 650);
    check_laws(650, 700);
}

/* Beyond the cells that are in double at a time, too. */
static void float_scores_are_the_double_ones_rounded(void **state) {
    (void)state;
    enum { N = 2500, G = 6, STRIDE = K + 3 };
    double *x = calloc(N * G, sizeof *x), *scores = calloc(N * K, sizeof *x), loadings[2][G * K], variance[2][K];
    float *rounded = calloc(N * STRIDE, sizeof *rounded);
    const int64_t all[G] = {0, 1, 2, 3, 4, 5};
    fill(x, N, G);
    const vel_counts m = {N, G, VEL_F64, x, NULL, NULL, true, false};
    vel_centered c;
    vel_mat room = doubles(scores, N, K), narrow = {rounded, VEL_F32, N, K, STRIDE, 1};
    assert_int_equal(vel_centered_make(&ctx, &m, all, G, &c), VEL_OK);
    assert_int_equal(vel_pca(&ctx, &c, K, &room, loadings[0], variance[0]), VEL_OK);
    assert_int_equal(vel_pca(&ctx, &c, K, &narrow, loadings[1], variance[1]), VEL_OK);
    assert_memory_equal(loadings[0], loadings[1], sizeof *loadings);
    assert_memory_equal(variance[0], variance[1], sizeof *variance);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < K; k++) assert_true(rounded[i * STRIDE + k] == (float)scores[i * K + k]);
        for (int k = K; k < STRIDE; k++) assert_true(rounded[i * STRIDE + k] == 0);
    }
    free(x), free(scores), free(rounded);
}

static void one_direction_is_found_and_the_rest_is_zero(void **state) {
    (void)state;
    enum { N = 12, G = 5 };
    double x[N * G], scores[N * K], loadings[G * K], variance[K];
    const int64_t all[G] = {0, 1, 2, 3, 4};
    for (int g = 0; g < G; g++)
        for (int i = 0; i < N; i++) x[g * N + i] = 7 + i * (g - 3.0);
    const vel_counts m = {N, G, VEL_F64, x, NULL, NULL, true, false};
    vel_centered c;
    vel_mat room = doubles(scores, N, K);
    assert_int_equal(vel_centered_make(&ctx, &m, all, G, &c), VEL_OK);
    assert_int_equal(vel_pca(&ctx, &c, K, &room, loadings, variance), VEL_OK);
    double length = sqrt(9.0 + 4 + 1 + 0 + 1);
    assert_true(fabs(loadings[0] - 3 / length) < 1e-14); /* the largest is made positive */
    assert_true(fabs(loadings[4 * K] + 1 / length) < 1e-14);
    assert_true(fabs(variance[0] - c.variance) < 1e-12 * c.variance);
    for (int k = 1; k < K; k++) assert_true(variance[k] == 0 && scores[3 * K + k] == 0 && loadings[K + k] == 0);
}

static void check_near(const double *a, const double *b, double by, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(b[i] * by));
    for (size_t i = 0; i < n; i++) assert_true(fabs(a[i] - b[i] * by) <= 1e-9 * most);
}

/* Within 1e-9 of the largest, since LAPACK scales matrices of small norm by what is no power of two. */
static void check_scale(int64_t n, int64_t genes, double scale) {
    enum { MANY = 20 }; /* beyond the strong directions */
    size_t size = (size_t)(n * genes), n_scores = (size_t)(n * MANY), n_loadings = (size_t)(genes * MANY);
    double *x = calloc(size, sizeof *x), *scores = calloc(2 * n_scores, sizeof *x);
    double *loadings = calloc(2 * n_loadings, sizeof *x), variance[2 * MANY];
    int64_t *all = calloc((size_t)genes, sizeof *all);
    fill(x, n, genes);
    for (int64_t g = 0; g < genes; g++) all[g] = g;
    const vel_counts m = {n, genes, VEL_F64, x, NULL, NULL, true, false};
    for (size_t round = 0; round < 2; round++) {
        vel_centered c;
        vel_mat room = doubles(scores + round * n_scores, n, MANY);
        for (size_t i = 0; i < size && round; i++) x[i] *= scale;
        assert_int_equal(vel_centered_make(&ctx, &m, all, genes, &c), VEL_OK);
        assert_int_equal(vel_pca(&ctx, &c, MANY, &room, loadings + round * n_loadings, variance + round * MANY),
                         VEL_OK);
    }
    check_near(scores + n_scores, scores, scale, n_scores);
    check_near(loadings + n_loadings, loadings, 1, n_loadings);
    check_near(variance + MANY, variance, scale * scale, MANY);
    free(x), free(scores), free(loadings), free(all);
}

static void the_scale_of_the_values_does_not_matter(void **state) {
    (void)state;
    const double scales[] = {0x1p-60, 0x1p150};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        check_scale(60, 30, scales[i]);
        check_scale(700, 650, scales[i]);
        check_scale(650, 700, scales[i]);
    }
}

typedef struct {
    double *scores, *loadings, variance[K];
} components;

static components pca_of(const vel_counts *m, const int64_t *genes, int threads) {
    vel_centered c;
    components out = {
        calloc((size_t)(m->rows * K), sizeof(double)), calloc((size_t)(m->cols * K), sizeof(double)), {0}};
    vel_mat room = doubles(out.scores, m->rows, K);
    ctx.threads = threads;
    assert_int_equal(vel_centered_make(&ctx, m, genes, m->cols, &c), VEL_OK);
    assert_int_equal(vel_pca(&ctx, &c, K, &room, out.loadings, out.variance), VEL_OK);
    ctx.threads = 2;
    return out;
}

/* Where float32 gene by gene has no Gram matrix (core/pca.c) and the same values in double have one. */
static void check_without_gram(int64_t n, int64_t genes) {
    size_t size = (size_t)(n * genes);
    double *x = calloc(size, sizeof *x);
    float *narrow = calloc(size, sizeof *narrow);
    int64_t *all = calloc((size_t)genes, sizeof *all);
    fill(x, n, genes);
    for (size_t i = 0; i < size; i++) x[i] = narrow[i] = (float)x[i];
    for (int64_t g = 0; g < genes; g++) all[g] = g;
    const vel_counts wide = {n, genes, VEL_F64, x, NULL, NULL, true, false};
    const vel_counts floats = {n, genes, VEL_F32, narrow, NULL, NULL, true, false};
    components by_gram = pca_of(&wide, all, 2), through_x = pca_of(&floats, all, 2), alone = pca_of(&floats, all, 1);
    check_near(through_x.scores, by_gram.scores, 1, (size_t)(n * K));
    check_near(through_x.loadings, by_gram.loadings, 1, (size_t)(genes * K));
    check_near(through_x.variance, by_gram.variance, 1, K);
    assert_memory_equal(alone.scores, through_x.scores, (size_t)(n * K) * sizeof *alone.scores);
    assert_memory_equal(alone.loadings, through_x.loadings, (size_t)(genes * K) * sizeof *alone.loadings);
    components *each[] = {&by_gram, &through_x, &alone};
    for (int i = 0; i < 3; i++) free(each[i]->scores), free(each[i]->loadings);
    free(x), free(narrow), free(all);
}

/* Within 1e-9 of the largest: the sums have other orders, and Lanczos stops at 1e-11. */
static void products_through_x_find_what_the_gram_matrix_does(void **state) {
    (void)state;
    check_without_gram(2330, 2310);
    check_without_gram(2310, 2330);
}

static void a_gram_matrix_is_formed_of_few_genes_or_cells_and_where_products_cost_more(void **state) {
    (void)state;
    static const int64_t sparse = 0;
    vel_counts few = {.rows = 9000, .cols = 300, .type = VEL_F32, .gene_major = true}, many = few, thin = few;
    many.cols = 4000;
    thin.cols = 1000;
    thin.indptr = &sparse;
    vel_pca_way a = vel_pca_way_of(&few, 300, 0, 50), b = vel_pca_way_of(&many, 4000, 0, 50),
                c = vel_pca_way_of(&many, 2000, 0, 50);
    assert_true(a.small && a.gram && !a.by_cells && a.side == 300);
    assert_true(!b.small && !b.by_cells && b.side == 4000);
    assert_true(b.gram == (9000.0 * 4000 > (1 << 25)));
    assert_true(!c.small && c.gram && c.side == 2000);
    assert_true(vel_pca_way_of(&thin, 1000, 9e6, 50).gram);
    assert_false(vel_pca_way_of(&thin, 1000, 9e5, 50).gram);
    few.rows = 200;
    assert_true(vel_pca_way_of(&few, 300, 0, 50).by_cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_loadings_are_orthogonal_and_signs_are_fixed),
        cmocka_unit_test(lanczos_obeys_the_same_laws),
        cmocka_unit_test(float_scores_are_the_double_ones_rounded),
        cmocka_unit_test(one_direction_is_found_and_the_rest_is_zero),
        cmocka_unit_test(the_scale_of_the_values_does_not_matter),
        cmocka_unit_test(products_through_x_find_what_the_gram_matrix_does),
        cmocka_unit_test(a_gram_matrix_is_formed_of_few_genes_or_cells_and_where_products_cost_more),
    };
    return cmocka_run_group_tests_name("core/pca", tests, setup, teardown);
}
