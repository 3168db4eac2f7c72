#include "bench/parity.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/files.h"
#include "io/h5ad.h"
#include "tests/bench/made.h"

/* A file of 3 x 2 with what the step log1p could have written, X[0] shifted. */
static void make(vel_ctx *ctx, const char *path, double shift) {
    vel_adata *ad;
    vel_field *f;
    assert_int_equal(vel_adata_new(ctx, 3, 2, &ad), VEL_OK);
    assert_int_equal(vel_put_dense(ctx, ad, "X", VEL_F64, vel_matrix(3, 2), &f), VEL_OK);
    for (int i = 0; i < 6; i++) ((double *)f->data)[i] = i + 1;
    ((double *)f->data)[0] += shift;
    assert_int_equal(vel_h5ad_write(ctx, ad, path), VEL_OK);
    vel_adata_free(ad);
}

static void equal_files_pass_and_others_name_the_worst_field(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", a[96], b[96], c[96];
    bench_parity parity;
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.h5ad", folder);
    snprintf(b, sizeof b, "%s/b.h5ad", folder);
    snprintf(c, sizeof c, "%s/c.h5ad", folder);
    make(ctx, a, 0);
    make(ctx, b, 0);
    make(ctx, c, 1e-3);
    assert_int_equal(bench_check_parity(ctx, ctx->scratch, "log1p", VEL_SPEC, a, b, &parity), VEL_OK);
    assert_true(parity.done && parity.passes && parity.passed == parity.total && parity.total >= 1);
    assert_null(parity.worst);
    assert_int_equal(bench_check_parity(ctx, ctx->scratch, "log1p", VEL_SPEC, a, c, &parity), VEL_OK);
    assert_true(parity.done && !parity.passes);
    assert_non_null(strstr(parity.worst, "X: 1 of 6 outside"));
    assert_int_not_equal(bench_check_parity(ctx, ctx->scratch, "log1p", VEL_SPEC, a, "/nowhere.h5ad", &parity), VEL_OK);
    bench_remove_folder(folder);
    made_ctx_free(ctx);
    (void)state;
}

static void nothing_to_compare_is_a_drift(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", a[96];
    bench_parity parity;
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.h5ad", folder);
    make(ctx, a, 0);
    assert_int_equal(bench_check_parity(ctx, ctx->scratch, "recover_dynamics", VEL_SPEC, a, a, &parity), VEL_OK);
    assert_false(parity.passes);
    assert_non_null(parity.worst);
    bench_remove_folder(folder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_files_pass_and_others_name_the_worst_field),
        cmocka_unit_test(nothing_to_compare_is_a_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
