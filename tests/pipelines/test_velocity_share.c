#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipelines/plan.h"
#include "pipelines/velocity.h"
#include "tests/pipelines/memory.h"
#include "tests/pipelines/velocity_toy.h"

/* What the step would say of the handle, whose store is the base; < 0: it cannot tell. */
static double share_of(velocity_toy *t, vel_adata *base, const char *recipe) {
    vel_recipe r;
    vel_plan plan;
    vel_adata *ad;
    double share = -1;
    t->ctx.message[0] = 0;
    assert_int_equal(memory_settle(&t->ctx, base), VEL_OK);
    assert_int_equal(memory_open(&t->ctx, base, &ad), VEL_OK);
    assert_int_equal(vel_recipe_parse(&t->ctx, t->ctx.scratch, recipe, &r), VEL_OK);
    assert_int_equal(vel_recipe_check(&t->ctx, &r), VEL_OK);
    assert_int_equal(vel_plan_make(&t->ctx, ad, &r, &plan), VEL_OK);
    const vel_planned *s = &plan.steps[plan.n_steps - 1];
    if (vel_velocity_share(&t->ctx, ad, s->opts, &share)) share = -1;
    vel_adata_free(ad);
    return share;
}

static double share_chosen(velocity_toy *t, const char *recipe) {
    double chosen = 0;
    assert_int_equal(toy_run(t, recipe), VEL_OK);
    const vel_field *f = toy_field(t, "var/velocity_genes");
    for (int64_t g = 0; g < f->rows; g++) chosen += ((const uint8_t *)f->data)[g];
    return chosen / (double)f->rows;
}

static void of_a_small_file_it_is_what_the_step_chooses(void **state) {
    static const char *const recipes[] = {
        "velocity mode=deterministic min_r2=0.9",
        "velocity mode=deterministic min_r2=0.7 perc=80",
        "velocity mode=deterministic min_r2=0.7 fit_offset=true",
        "velocity mode=deterministic min_r2=0.7 r2_adjusted=true",
        "velocity mode=deterministic min_r2=0.999999", /* fewer than two: R2 alone decides */
        "velocity min_r2=0.9",
        "velocity mode=deterministic use_raw=true", /* of counts, which are sparse */
    };
    (void)state;
    velocity_toy *t = toy_after("moments");
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        double share = share_of(t, t->ad, recipes[i]), chosen = share_chosen(t, recipes[i]);
        if (share != chosen || share <= 0 || share >= 1)
            fail_msg("%s: told %g, chosen %g of the genes", recipes[i], share, chosen);
    }
    toy_free(t);
}

static void only_highly_variable_genes_count_unless_that_is_not_wanted(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_field *f;
    double all = share_of(t, t->ad, "velocity min_r2=0.7");
    assert_int_equal(vel_put_dense(&t->ctx, t->ad, "var/highly_variable", VEL_BOOL, vel_vector(TOY_GENES), &f), VEL_OK);
    for (int g = 0; g < TOY_GENES; g += 2) ((uint8_t *)f->data)[g] = 1;
    double half = share_of(t, t->ad, "velocity min_r2=0.7");
    assert_true(half < all && half <= 0.5);
    assert_true(share_of(t, t->ad, "velocity min_r2=0.7 use_highly_variable=none") == all);
    assert_true(half == share_chosen(t, "velocity mode=deterministic min_r2=0.7"));
    toy_free(t);
}

static void where_the_step_goes_otherwise_it_is_not_told(void **state) {
    static const char *const recipes[] = {
        "velocity groupby=clusters",
        "velocity groups=early groupby=clusters",
        "velocity mode=dynamical",
    };
    (void)state;
    velocity_toy *t = toy_after("moments");
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        double share = share_of(t, t->ad, recipes[i]);
        if (share >= 0) fail_msg("%s: told %g", recipes[i], share);
    }
    toy_free(t);
}

static void a_gene_with_a_nan_does_not_count(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    double all = share_of(t, t->ad, "velocity");
    for (int g = 0; g < TOY_GENES; g++) ((float *)toy_field(t, "layers/Mu")->data)[g * TOY_CELLS + 3] = NAN;
    assert_true(all > 0.5);
    /* as the step: no gene is a velocity gene, so that all count */
    assert_true(share_of(t, t->ad, "velocity") == 1);
    for (int g = 0; g < TOY_GENES; g++) ((float *)toy_field(t, "layers/Mu")->data)[g * TOY_CELLS + 3] = g % 4 ? 1 : NAN;
    assert_true(share_of(t, t->ad, "velocity") <= 0.75);
    toy_free(t);
}

/* ---- more cells and genes than are looked at */

enum { CELLS = 5000, GENES = 1500 };

/* Of `lines` of ten genes unspliced follows spliced counts, of the others nothing does. */
static vel_adata *make_large(velocity_toy *t, int lines) {
    vel_adata *ad;
    vel_field *s, *u;
    uint64_t seed = 3;
    assert_int_equal(vel_adata_new(&t->ctx, CELLS, GENES, &ad), VEL_OK);
    assert_int_equal(vel_put_dense(&t->ctx, ad, "layers/Ms", VEL_F32, vel_matrix(CELLS, GENES), &s), VEL_OK);
    assert_int_equal(vel_put_dense(&t->ctx, ad, "layers/Mu", VEL_F32, vel_matrix(CELLS, GENES), &u), VEL_OK);
    for (int g = 0; g < GENES; g++)
        for (int c = 0; c < CELLS; c++) {
            double x = toy_random(&seed), y = toy_random(&seed);
            ((float *)s->data)[g * CELLS + c] = (float)x;
            ((float *)u->data)[g * CELLS + c] = (float)(g % 10 < lines ? 0.3 * x + 0.05 * y : y);
        }
    return ad;
}

/* Of 512 genes that are looked at 2 of 100 are 10: in tens of kinds runs of 8 differ by no more. */
static void of_a_large_file_it_is_what_the_step_chooses_to_some_percent(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    for (int lines = 1; lines < 10; lines += 4) {
        vel_adata *ad = make_large(t, lines);
        double share = share_of(t, ad, "velocity mode=deterministic");
        if (fabs(share - lines / 10.0) > 0.02) fail_msg("told %g of %d tenths", share, lines);
        vel_adata_free(ad);
    }
    toy_free(t);
}

/* Unspliced follows spliced counts in the first quarter of every `period` cells, and goes against them in the rest. */
static void go_round(vel_adata *ad, velocity_toy *t, int period) {
    const vel_field *s;
    vel_field *u;
    assert_int_equal(vel_get_matrix(&t->ctx, ad, "layers/Ms", &s), VEL_OK);
    assert_int_equal(vel_put_dense(&t->ctx, ad, "layers/Mu", VEL_F32, vel_matrix(CELLS, GENES), &u), VEL_OK);
    for (int i = 0; i < GENES * CELLS; i++) {
        float x = ((const float *)s->data)[i];
        ((float *)u->data)[i] = i % CELLS % period < period / 4 ? 0.3f * x : 1 - x;
    }
}

/* As simulated cells do, whose time begins again. Of all cells no gene passes, so that the fifth of the largest R2 is
 * taken. */
static void cells_that_go_round_are_met_at_all_times(void **state) {
    (void)state;
    velocity_toy *t = toy_after("moments");
    for (int rounds = 16; rounds <= 64; rounds *= 2) {
        vel_adata *ad = make_large(t, 10);
        go_round(ad, t, CELLS / rounds);
        double share = share_of(t, ad, "velocity mode=deterministic");
        if (share > 0.22) fail_msg("told %g, %d rounds", share, rounds);
        vel_adata_free(ad);
    }
    toy_free(t);
}

/* What it had is given back: the arena of the step is as small as before. */
static void of_selected_cells_and_genes_only_these_count(void **state) {
    (void)state;
    static uint8_t cells[CELLS], genes[GENES];
    velocity_toy *t = toy_after("moments");
    vel_adata *base = make_large(t, 5), *ad;
    vel_velocity_options o = {.mode = "deterministic", .min_r2 = {.kind = VEL_VREAL, .real = 0.01}};
    double share;
    for (int c = 0; c < CELLS; c++) cells[c] = c % 2;
    for (int g = 0; g < GENES; g++) genes[g] = g % 10 >= 4; /* 5 of 10 were lines, 1 of 6 is */
    assert_int_equal(memory_open(&t->ctx, base, &ad), VEL_OK);
    assert_int_equal(vel_keep_obs(&t->ctx, ad, cells), VEL_OK);
    assert_int_equal(vel_keep_vars(&t->ctx, ad, genes), VEL_OK);
    assert_int_equal(vel_velocity_share(&t->ctx, ad, &o, &share), VEL_OK);
    assert_true(fabs(share - 1 / 6.0) < 0.02);
    vel_adata_free(ad);
    vel_adata_free(base);
    toy_free(t);
}

/* What the layers of the store say of how they lie in a file. */
static void lie_in_pieces(const vel_adata *ad, int64_t rows, bool slow) {
    const memory_store *m = vel_store_of(ad)->self;
    for (int64_t i = 0; i < m->n_entries; i++) {
        m->entries[i].piece_rows = rows;
        m->entries[i].is_slow = slow;
    }
}

/* Layers of which all would be read and opened, or by HDF5 bit by bit. */
static void what_would_take_long_is_not_looked_at(void **state) {
    static const struct {
        int64_t rows;
        bool slow, told;
    } rows[] = {{0, false, true},  {100, false, true}, {CELLS, false, false},
                {100, true, true}, {1, true, true},    {400, true, false}};
    (void)state;
    velocity_toy *t = toy_after("moments");
    vel_adata *base = make_large(t, 5), *ad;
    vel_velocity_options o = {.mode = "deterministic", .min_r2 = {.kind = VEL_VREAL, .real = 0.01}};
    double share;
    assert_int_equal(memory_open(&t->ctx, base, &ad), VEL_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lie_in_pieces(ad, rows[i].rows, rows[i].slow);
        assert_int_equal(vel_velocity_share(&t->ctx, ad, &o, &share), rows[i].told ? VEL_OK : VEL_ENONE);
    }
    vel_adata_free(ad);
    vel_adata_free(base);
    toy_free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_small_file_it_is_what_the_step_chooses),
        cmocka_unit_test(only_highly_variable_genes_count_unless_that_is_not_wanted),
        cmocka_unit_test(where_the_step_goes_otherwise_it_is_not_told),
        cmocka_unit_test(a_gene_with_a_nan_does_not_count),
        cmocka_unit_test(of_a_large_file_it_is_what_the_step_chooses_to_some_percent),
        cmocka_unit_test(cells_that_go_round_are_met_at_all_times),
        cmocka_unit_test(of_selected_cells_and_genes_only_these_count),
        cmocka_unit_test(what_would_take_long_is_not_looked_at),
    };
    return cmocka_run_group_tests_name("pipelines/velocity_share", tests, NULL, NULL);
}
