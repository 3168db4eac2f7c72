/* fixture.h - a context and small handles for the tests of verify. */
#ifndef VEL_TESTS_VERIFY_FIXTURE_H
#define VEL_TESTS_VERIFY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/adata.h"

static inline int fixture_open(void **state) {
    static vel_ctx ctx;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    *state = &ctx;
    return ctx.scratch ? 0 : -1;
}

static inline int fixture_close(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

/* A handle of 4 cells and 3 genes with fields of the steps moments, recover_dynamics and velocity, and one of none. */
static inline vel_adata *fixture_handle(vel_ctx *ctx) {
    static const char *const cells[] = {"c0", "c1", "c2", "c3"}, *const genes[] = {"g0", "g1", "g2"};
    static const char *const layers[] = {"layers/Ms", "layers/Mu", "layers/velocity", "layers/smooth_u"};
    vel_adata *ad = NULL;
    vel_field *f;
    assert_int_equal(vel_adata_new(ctx, 4, 3, &ad), VEL_OK);
    assert_int_equal(vel_put_names(ctx, ad, false, cells), VEL_OK);
    assert_int_equal(vel_put_names(ctx, ad, true, genes), VEL_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(vel_put_dense(ctx, ad, layers[i], VEL_F64, vel_matrix(4, 3), &f), VEL_OK);
        for (int k = 0; k < 12; k++) ((double *)f->data)[k] = i + k;
    }
    assert_int_equal(vel_put_reals(ctx, ad, "var/fit_alpha", (double[]){1, 2, 3}, 3), VEL_OK);
    assert_int_equal(vel_put_text(ctx, ad, "uns/velocity_params/mode", "dynamical"), VEL_OK);
    assert_int_equal(vel_put_text(ctx, ad, "uns/smooth_params/mode", "stochastic"), VEL_OK);
    assert_int_equal(vel_put_reals(ctx, ad, "obs/unheard_of", (double[]){1, 2, 3, 4}, 4), VEL_OK);
    return ad;
}

#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

#define assert_ok(call) assert_int_equal((call), VEL_OK)

#endif
