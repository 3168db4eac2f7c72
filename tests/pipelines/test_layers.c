#include "pipelines/layers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/field.h"
#include "tests/pipelines/heard.h"

enum { CELLS = TOY_CELLS, GENES = TOY_GENES };

static void none_is_what_the_step_takes_for_it(void **state) {
    (void)state;
    const vel_value none = {.kind = VEL_VNONE}, five = {.kind = VEL_VINT, .integer = 5, .real = 5};
    assert_true(vel_number_or(&none, 30) == 30);
    assert_true(vel_number_or(&five, 30) == 5);
}

static void integers_become_float32_in_place_and_it_is_told(void **state) {
    heard *h = *state;
    vel_field *f;
    vel_counts m;
    void *values;
    assert_int_equal(vel_put_dense(&h->ctx, h->ad, "layers/spliced", VEL_F64, vel_matrix(CELLS, GENES), &f), VEL_OK);
    for (int e = 0; e < CELLS * GENES; e++) ((double *)f->data)[e] = e;
    f->origin = VEL_I64;
    assert_int_equal(vel_edit_counts(&h->ctx, h->ad, "layers/spliced", &m, &values), VEL_OK);
    assert_int_equal(m.type, VEL_F32);
    for (int e = 0; e < CELLS * GENES; e++) assert_true(((float *)values)[e] == (float)e);
    assert_non_null(strstr(h->said, "layers/spliced is int64"));
}

static void sizes_of_integers_are_integers(void **state) {
    heard *h = *state;
    const vel_type origins[] = {VEL_I32, VEL_U16, VEL_F32}, expected[] = {VEL_I64, VEL_U64, VEL_F32};
    for (int k = 0; k < 3; k++) {
        vel_field *f;
        const vel_field *sizes;
        double x[CELLS * GENES], size = 0;
        assert_int_equal(vel_edit(&h->ctx, h->ad, "layers/spliced", &f), VEL_OK);
        f->origin = origins[k];
        assert_int_equal(vel_put_sizes(&h->ctx, h->ad, "obs/size", "layers/spliced", false), VEL_OK);
        assert_int_equal(vel_get(&h->ctx, h->ad, "obs/size", &sizes), VEL_OK);
        assert_int_equal(sizes->type, expected[k]);
        assert_int_equal(heard_dense(h, "layers/spliced", x), VEL_OK);
        for (int g = 0; g < GENES; g++) size += x[3 * GENES + g];
        assert_true(vel_field_real(sizes, 3) == size);
    }
}

static void initial_sizes_are_written_once(void **state) {
    heard *h = *state;
    const vel_field *f;
    assert_int_equal(vel_set_initial_sizes(&h->ctx, h->ad), VEL_OK);
    assert_int_equal(vel_get(&h->ctx, h->ad, "obs/initial_size_spliced", &f), VEL_OK);
    double first = vel_field_real(f, 0);
    assert_int_equal(heard_scale(h, "layers/spliced", 0, 2), VEL_OK);
    assert_int_equal(vel_set_initial_sizes(&h->ctx, h->ad), VEL_OK);
    assert_int_equal(vel_get(&h->ctx, h->ad, "obs/initial_size_spliced", &f), VEL_OK);
    assert_true(vel_field_real(f, 0) == first);
}

static void an_infinite_value_is_refused_with_gene_and_cell(void **state) {
    heard *h = *state;
    vel_field *f;
    vel_counts m;
    char expected[64];
    assert_int_equal(vel_edit(&h->ctx, h->ad, "X", &f), VEL_OK);
    ((float *)f->data)[f->indptr[11]] = INFINITY;
    snprintf(expected, sizeof expected, "inf for gene gene%d in cell cell11", f->indices[f->indptr[11]]);
    assert_int_equal(vel_get_counts(&h->ctx, h->ad, "X", &m), VEL_OK);
    assert_int_equal(vel_check_finite(&h->ctx, h->ad, "X", &m), VEL_EVALUE);
    assert_non_null(strstr(h->ctx.message, expected));
}

static void a_flaw_that_an_edit_brings_in_is_found(void **state) {
    heard *h = *state;
    vel_counts m;
    vel_flawed found;
    vel_field *f;
    assert_int_equal(vel_get_counts(&h->ctx, h->ad, "X", &m), VEL_OK);
    for (int flaw = VEL_NOT_FINITE; flaw <= VEL_NOT_RAW; flaw++) {
        assert_int_equal(vel_find_flaw(&h->ctx, h->ad, "X", &m, (vel_flaw)flaw, &found), VEL_OK);
        assert_int_equal(found.row, -1);
        assert_true(vel_known_free_of(h->ad, "X") & 1u << flaw);
    }
    assert_int_equal(vel_edit(&h->ctx, h->ad, "X", &f), VEL_OK);
    ((float *)f->data)[f->indptr[7]] = 2.5f;
    assert_int_equal(vel_find_flaw(&h->ctx, h->ad, "X", &m, VEL_NOT_COUNT, &found), VEL_OK);
    assert_int_equal(found.row, -1);
    assert_int_equal(vel_find_flaw(&h->ctx, h->ad, "X", &m, VEL_NOT_WHOLE, &found), VEL_OK);
    assert_int_equal(found.row, 7);
    assert_true(found.value == 2.5);
}

static void no_cells_and_no_genes_are_refused(void **state) {
    heard *h = *state;
    const uint8_t none[CELLS] = {0};
    assert_int_equal(vel_check_not_empty(&h->ctx, h->ad), VEL_OK);
    assert_int_equal(vel_keep_obs(&h->ctx, h->ad, none), VEL_OK);
    assert_int_equal(vel_check_not_empty(&h->ctx, h->ad), VEL_ESHAPE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, heard_setup, heard_teardown)
    const struct CMUnitTest tests[] = {
        TEST(none_is_what_the_step_takes_for_it),
        TEST(integers_become_float32_in_place_and_it_is_told),
        TEST(sizes_of_integers_are_integers),
        TEST(initial_sizes_are_written_once),
        TEST(an_infinite_value_is_refused_with_gene_and_cell),
        TEST(a_flaw_that_an_edit_brings_in_is_found),
        TEST(no_cells_and_no_genes_are_refused),
    };
    return cmocka_run_group_tests_name("pipelines/layers", tests, NULL, NULL);
}
