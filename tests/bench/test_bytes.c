#include "bench/bytes.h"

#include "tests/bench/made.h"

static void a_field_has_the_bytes_of_its_arrays(void **state) {
    double x[12];
    int32_t codes[3];
    int64_t indptr[4] = {0, 2, 2, 5};
    char *texts[] = {(char *)"ab", NULL, (char *)"cde"};
    const vel_field dense = {.kind = VEL_DENSE, .type = VEL_F64, .ndim = 2, .rows = 3, .cols = 4, .data = x};
    const vel_field sparse = {.kind = VEL_SPARSE, .type = VEL_F32, .ndim = 2, .rows = 3, .cols = 9, .indptr = indptr};
    const vel_field words = {.kind = VEL_TEXTS, .ndim = 1, .rows = 3, .texts = texts};
    const vel_field groups = {.kind = VEL_CATEGORICAL, .rows = 3, .codes = codes, .texts = texts, .n_categories = 1};
    const vel_field table = {.kind = VEL_RECORDS, .columns = (vel_field[]){dense, words}, .n_columns = 2};
    assert_int_equal(bench_field_bytes(&dense), 96);
    assert_int_equal(bench_field_bytes(&sparse), 5 * 8 + 4 * 8);
    assert_int_equal(bench_field_bytes(&words), 5);
    assert_int_equal(bench_field_bytes(&groups), 12 + 2);
    assert_int_equal(bench_field_bytes(&table), 96 + 5);
    (void)state;
}

static void what_was_put_counts_as_changed(void **state) {
    vel_ctx *ctx = made_ctx();
    vel_adata *ad;
    vel_field *f;
    int64_t before, after, all;
    assert_int_equal(vel_adata_new(ctx, 10, 3, &ad), VEL_OK);
    assert_int_equal(bench_changed_bytes(ctx, ad, &before), VEL_OK);
    assert_int_equal(vel_put_dense(ctx, ad, "layers/a", VEL_F32, vel_matrix(10, 3), &f), VEL_OK);
    assert_int_equal(vel_put_dense(ctx, ad, "uns/deep/b", VEL_F64, vel_vector(5), &f), VEL_OK);
    assert_int_equal(bench_changed_bytes(ctx, ad, &after), VEL_OK);
    assert_int_equal(after - before, 10 * 3 * 4 + 5 * 8);
    assert_int_equal(bench_all_bytes(ctx, ad, &all), VEL_OK);
    assert_true(all >= after);
    vel_adata_free(ad);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_has_the_bytes_of_its_arrays),
        cmocka_unit_test(what_was_put_counts_as_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
