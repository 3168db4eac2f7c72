#include "verify/parity.h"

#include <string.h>

#include "tests/verify/fixture.h"

static const vel_parity_options defaults = VEL_PARITY_DEFAULTS;

static const vel_outcome *outcome(const vel_parity *p, const char *path) {
    for (int64_t i = 0; i < p->n; i++)
        if (strcmp(p->outcomes[i].path, path) == 0) return &p->outcomes[i];
    fail_msg("%s was not compared", path);
    return NULL;
}

/* Compares two fresh handles, the second of which `spoil` has changed. */
static vel_parity compare(vel_ctx *ctx, void (*spoil)(vel_ctx *, vel_adata *), const vel_parity_options *options) {
    vel_adata *a = fixture_handle(ctx), *b = fixture_handle(ctx);
    vel_parity p;
    if (spoil) spoil(ctx, b);
    assert_ok(vel_compare_handles(ctx, a, b, options, &p));
    for (int64_t i = 0; i < p.n; i++) {
        vel_outcome *o = &p.outcomes[i];
        for (int k = 0; k < o->n_genes; k++) o->genes[k].name = vel_arena_strdup(ctx->scratch, o->genes[k].name);
        for (int k = 0; k < o->n_cells; k++) o->cells[k].name = vel_arena_strdup(ctx->scratch, o->cells[k].name);
    }
    vel_adata_free(a);
    vel_adata_free(b);
    return p;
}

static void change_one(vel_ctx *ctx, vel_adata *ad) {
    vel_field *f;
    assert_ok(vel_edit(ctx, ad, "layers/Ms", &f));
    ((double *)f->data)[2 * 4 + 1] += 0.5; /* gene-major: gene 2, cell 1 */
}

static void drop_layer(vel_ctx *ctx, vel_adata *ad) { assert_ok(vel_drop(ctx, ad, "layers/velocity")); }

static void cut_genes(vel_ctx *ctx, vel_adata *ad) { assert_ok(vel_keep_vars(ctx, ad, (uint8_t[]){1, 0, 1})); }

static void rename_cell(vel_ctx *ctx, vel_adata *ad) {
    static const char *const names[] = {"c0", "c1", "c2", "c9"};
    assert_ok(vel_put_names(ctx, ad, false, names));
}

static void swap_genes(vel_ctx *ctx, vel_adata *ad) {
    static const char *const names[] = {"g2", "g1", "g0"};
    static const char *const layers[] = {"layers/Ms", "layers/Mu", "layers/velocity", "layers/smooth_u"};
    assert_ok(vel_put_names(ctx, ad, true, names));
    for (int i = 0; i < 4; i++) {
        vel_field *f;
        assert_ok(vel_edit(ctx, ad, layers[i], &f));
        double *x = f->data, kept[4];
        memcpy(kept, x, sizeof kept);
        memcpy(x, x + 8, sizeof kept);
        memcpy(x + 8, kept, sizeof kept);
    }
    assert_ok(vel_put_reals(ctx, ad, "var/fit_alpha", (double[]){3, 2, 1}, 3));
}

static void reshape(vel_ctx *ctx, vel_adata *ad) {
    assert_ok(vel_drop(ctx, ad, "uns/velocity_params/mode"));
    assert_ok(vel_put_reals(ctx, ad, "uns/velocity_params/perc", (double[]){5, 95, 99}, 3));
}

static void equal_handles_pass(void **state) {
    vel_parity p = compare(*state, NULL, &defaults);
    assert_true(vel_parity_passes(&p));
    assert_int_equal(vel_parity_exit(&p), 0);
    assert_int_equal(p.passed, p.n);
    assert_true(p.n >= 5);
}

static void one_changed_element_is_named_by_gene_and_cell(void **state) {
    vel_parity p = compare(*state, change_one, &defaults);
    assert_int_equal(vel_parity_exit(&p), 1);
    assert_int_equal(p.passed, p.n - 1);
    const vel_outcome *o = outcome(&p, "layers/Ms");
    assert_int_equal(o->got.verdict, VEL_DRIFTS);
    assert_int_equal(o->got.gap.outside, 1);
    assert_true(o->got.gap.max_abs == 0.5);
    assert_int_equal(o->n_genes, 1);
    assert_string_equal(o->genes[0].name, "g2");
    assert_string_equal(o->cells[0].name, "c1");
}

static void tolerances_given_replace_the_rows(void **state) {
    vel_parity_options o = defaults;
    o.atol = 0.5;
    vel_parity p = compare(*state, change_one, &o);
    assert_int_equal(vel_parity_exit(&p), 0);
    o.atol = 0.49;
    p = compare(*state, change_one, &o);
    assert_int_equal(vel_parity_exit(&p), 1);
    o.atol = -1;
    o.outliers = 0.1;
    p = compare(*state, change_one, &o);
    assert_int_equal(vel_parity_exit(&p), 0);
}

static void a_field_that_the_result_lacks_is_drift(void **state) {
    vel_parity p = compare(*state, drop_layer, &defaults);
    assert_int_equal(vel_parity_exit(&p), 1);
    assert_int_equal(outcome(&p, "layers/velocity")->got.verdict, VEL_LACKS);
}

static void other_sets_of_names_compare_nothing(void **state) {
    vel_parity p = compare(*state, cut_genes, &defaults);
    assert_int_equal(vel_parity_exit(&p), 4);
    assert_string_equal(p.why, "the genes differ: 3 in the reference, 2 in the result");
    p = compare(*state, rename_cell, &defaults);
    assert_int_equal(vel_parity_exit(&p), 4);
    assert_string_equal(p.why, "the cells differ: c3 is only in the reference");
}

static void another_order_of_genes_makes_no_difference(void **state) {
    vel_parity p = compare(*state, swap_genes, &defaults);
    assert_int_equal(vel_parity_exit(&p), 0);
}

static void nothing_compared_is_no_pass(void **state) {
    vel_parity_options o = defaults;
    o.only = "no/such/*";
    vel_parity p = compare(*state, NULL, &o);
    assert_int_equal(p.n, 0);
    assert_int_equal(vel_parity_exit(&p), 1);
}

static void another_shape_is_told_from_drift(void **state) {
    vel_ctx *ctx = *state;
    vel_adata *a = fixture_handle(ctx), *b = fixture_handle(ctx);
    assert_ok(vel_put_reals(ctx, a, "uns/velocity_params/perc", (double[]){5, 95}, 2));
    reshape(ctx, b);
    vel_parity p;
    assert_ok(vel_compare_handles(ctx, a, b, &defaults, &p));
    assert_int_equal(vel_parity_exit(&p), 4);
    assert_int_equal(outcome(&p, "uns/velocity_params/perc")->got.verdict, VEL_MISSHAPEN);
    vel_adata_free(a);
    vel_adata_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(equal_handles_pass),
        WITH_CONTEXT(one_changed_element_is_named_by_gene_and_cell),
        WITH_CONTEXT(tolerances_given_replace_the_rows),
        WITH_CONTEXT(a_field_that_the_result_lacks_is_drift),
        WITH_CONTEXT(other_sets_of_names_compare_nothing),
        WITH_CONTEXT(another_order_of_genes_makes_no_difference),
        WITH_CONTEXT(nothing_compared_is_no_pass),
        WITH_CONTEXT(another_shape_is_told_from_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
