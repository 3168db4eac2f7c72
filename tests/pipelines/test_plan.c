#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/plan.h"

/* A step that reads and writes as the test says; its name is never looked up. */
static vel_key reads[4], writes[4];
static vel_step trial = {.name = "trial", .inputs = 1, .reads = reads, .writes = writes};

static vel_ctx ctx;
static vel_adata *ad;
static vel_plan plan;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    memset(reads, 0, sizeof reads);
    memset(writes, 0, sizeof writes);
    trial.inputs = 1;
    if (vel_adata_new(&ctx, 2, 3, &ad)) return 1;
    return vel_put_reals(&ctx, ad, "obs/there", (double[]){1, 2}, 2) != VEL_OK;
}

static int teardown(void **state) {
    (void)state;
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_err make(const char *text) {
    static vel_recipe recipe;
    ctx.message[0] = 0;
    VEL_TRY(vel_recipe_parse(&ctx, ctx.scratch, text, &recipe));
    for (int i = 0; i < recipe.n_calls; i++) recipe.calls[i].step = &trial;
    return vel_plan_make(&ctx, ad, &recipe, &plan);
}

static void a_missing_field_is_named_with_what_is_there_instead(void **state) {
    (void)state;
    reads[0].name = "obs/absent";
    assert_int_equal(make("trial"), VEL_EKEY);
    assert_non_null(strstr(ctx.message, "trial needs obs/absent"));
    assert_non_null(strstr(ctx.message, "there"));
}

static void an_optional_field_is_read_only_if_it_is_there(void **state) {
    (void)state;
    reads[0] = (vel_key){.name = "obs/absent", .optional = true};
    reads[1] = (vel_key){.name = "obs/there", .optional = true};
    assert_int_equal(make("trial"), VEL_OK);
    assert_int_equal(plan.steps[0].n_reads, 1);
    assert_string_equal(plan.steps[0].reads[0].path, "obs/there");
}

static void a_step_may_read_what_an_earlier_one_writes(void **state) {
    (void)state;
    writes[0].name = "uns/made/params";
    reads[0] = (vel_key){.name = "obs/there"};
    reads[1] = (vel_key){.name = "uns/made", .optional = true};
    assert_int_equal(make("trial | trial"), VEL_OK);
    assert_int_equal(plan.steps[0].n_reads, 1);
    assert_int_equal(plan.steps[1].n_reads, 2);
    assert_false(plan.steps[1].reads[1].in_file);
}

static void a_maker_that_is_no_step_cannot_help(void **state) {
    (void)state;
    reads[0] = (vel_key){.name = "obs/absent", .maker = "no_such_step"};
    assert_int_equal(make("trial"), VEL_EKEY);
}

static void a_recipe_without_a_file_must_make_its_data(void **state) {
    (void)state;
    vel_adata_free(ad);
    ad = NULL;
    assert_int_equal(make("trial"), VEL_EUSAGE);
    trial.inputs = 0;
    assert_int_equal(make("trial"), VEL_OK);
}

static bool reads_path(const char *path) {
    for (int k = 0; k < plan.steps[0].n_reads; k++)
        if (!strcmp(plan.steps[0].reads[k].path, path)) return true;
    return false;
}

static vel_err plan_real(const char *text) {
    static vel_recipe recipe;
    VEL_TRY(vel_recipe_parse(&ctx, ctx.scratch, text, &recipe));
    return vel_plan_make(&ctx, ad, &recipe, &plan);
}

static void neighbors_reads_the_space_that_is_asked_for_and_no_other(void **state) {
    (void)state;
    vel_field *f;
    assert_int_equal(vel_put_dense(&ctx, ad, "X", VEL_F32, vel_matrix(2, 3), &f), VEL_OK);
    assert_int_equal(vel_put_dense(&ctx, ad, "obsm/X_pca", VEL_F32, vel_matrix(2, 2), &f), VEL_OK);
    assert_int_equal(vel_put_dense(&ctx, ad, "obsm/X_umap", VEL_F32, vel_matrix(2, 2), &f), VEL_OK);
    static const struct {
        const char *recipe;
        bool x, pca, umap;
    } rows[] = {{"neighbors", false, true, false},
                {"neighbors use_rep=X", true, false, false},
                {"neighbors use_rep=umap", false, false, true},
                {"neighbors use_rep=X_umap", false, false, true},
                {"neighbors use_rep=pca", false, true, false},
                {"neighbors use_rep=X_pca", false, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(plan_real(rows[i].recipe), VEL_OK);
        assert_int_equal(reads_path("X"), rows[i].x);
        assert_int_equal(reads_path("obsm/X_pca"), rows[i].pca);
        assert_int_equal(reads_path("obsm/X_umap"), rows[i].umap);
    }
    assert_int_equal(plan_real("neighbors n_pcs=0"), VEL_OK);
    assert_true(reads_path("X"));
}

/* "?" among its keys: basis and approx each name a matrix of obsm. */
static void velocity_graph_reads_the_embedding_that_is_asked_for(void **state) {
    (void)state;
    vel_field *f;
    static const char *const recipes[] = {"velocity_graph", "velocity_graph basis=umap", "velocity_graph approx=X_umap",
                                          "velocity_graph approx=true"};
    assert_int_equal(vel_put_dense(&ctx, ad, "layers/velocity", VEL_F32, vel_matrix(2, 3), &f), VEL_OK);
    assert_int_equal(vel_put_dense(&ctx, ad, "obsm/X_umap", VEL_F32, vel_matrix(2, 2), &f), VEL_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(plan_real(recipes[i]), VEL_OK);
        assert_int_equal(reads_path("obsm/X_umap"), i == 1 || i == 2);
    }
}

/* A maker of a real step comes first, once, and says for what. */
static void a_maker_is_put_in_before_the_step_that_needs_it(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++) {
        for (const vel_key *key = vel_steps[i]->reads; key && key->name; key++) {
            if (!key->maker || strchr(key->name, '{') || key->when) continue;
            reads[0] = (vel_key){.name = key->name, .maker = key->maker};
            if (make("trial | trial")) continue; /* what the maker needs is not there either */
            assert_int_equal(plan.n_steps, 3);
            assert_string_equal(plan.steps[0].call.step->name, key->maker);
            assert_string_equal(plan.steps[0].made_for, key->name);
            assert_string_equal(plan.steps[0].made_by, "trial");
        }
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_missing_field_is_named_with_what_is_there_instead),
        TEST(an_optional_field_is_read_only_if_it_is_there),
        TEST(a_step_may_read_what_an_earlier_one_writes),
        TEST(a_maker_that_is_no_step_cannot_help),
        TEST(a_recipe_without_a_file_must_make_its_data),
        TEST(neighbors_reads_the_space_that_is_asked_for_and_no_other),
        TEST(velocity_graph_reads_the_embedding_that_is_asked_for),
        TEST(a_maker_is_put_in_before_the_step_that_needs_it),
    };
    return cmocka_run_group_tests_name("pipelines/plan", tests, NULL, NULL);
}
