#include "pipelines/graph_components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/nearly.h"
#include "tests/pipelines/velocity_toy.h"

static vel_graph_source source_of(velocity_toy *t) {
    static int64_t genes[TOY_GENES];
    for (int g = 0; g < TOY_GENES; g++) genes[g] = g;
    const vel_field *v = toy_field(t, "layers/velocity");
    return (vel_graph_source){.space = {.n_genes = TOY_GENES},
                              .velocity = {v->data, VEL_F32, TOY_CELLS, TOY_GENES, 1, TOY_CELLS},
                              .genes = genes};
}

/* With as many components as there are dimensions but one, little of a distance is lost. */
static void distances_between_cells_are_kept(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity mode=deterministic");
    vel_graph_source s = source_of(t);
    assert_int_equal(vel_graph_reduce(&t->ctx, t->ad, "layers/Ms", &s), VEL_OK);
    assert_int_equal(s.space.n_genes, TOY_GENES - 1);
    double whole = 0, reduced = 0;
    for (int g = 0; g < TOY_GENES; g++) {
        double d = (double)toy_at(t, "layers/Ms", 10, g) - (double)toy_at(t, "layers/Ms", 90, g);
        whole += d * d;
    }
    for (int64_t k = 0; k < s.space.n_genes; k++) {
        double d = (double)s.space.x[10 * s.space.stride + k] - (double)s.space.x[90 * s.space.stride + k];
        reduced += d * d;
    }
    assert_true(reduced <= whole * (1 + 1e-5));
    assert_near(reduced / whole, 1, 0.02); /* one direction of 24 is missing, that of least variance */
    toy_free(t);
}

static void a_cell_that_stands_still_goes_on_standing(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments | velocity mode=deterministic");
    vel_field *v = toy_field(t, "layers/velocity");
    for (int g = 0; g < TOY_GENES; g++) ((float *)v->data)[g * TOY_CELLS + 4] = 0;
    vel_graph_source s = source_of(t);
    assert_int_equal(vel_graph_reduce(&t->ctx, t->ad, "layers/Ms", &s), VEL_OK);
    const float *reduced = s.velocity.data;
    double moving = 0;
    for (int64_t k = 0; k < s.space.n_genes; k++) {
        assert_true(reduced[4 * s.velocity.row_stride + k] == 0);
        moving += fabs((double)reduced[5 * s.velocity.row_stride + k]);
    }
    assert_true(moving > 0);
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_between_cells_are_kept),
        cmocka_unit_test(a_cell_that_stands_still_goes_on_standing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
