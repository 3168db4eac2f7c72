#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipelines/names.h"
#include "pipelines/run.h"
#include "tests/flushing.h"
#include "tests/pipelines/memory.h"

/* ---- two trial steps: `half` makes layers/half of X, `sum` needs it and makes obs/{key} */

typedef struct {
    double factor;
} half_opts;
typedef struct {
    const char *key;
    bool fail;
} sum_opts;

static vel_err run_half(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    const half_opts *o = opts;
    const vel_field *x;
    vel_field *y;
    if (o->factor > 1) VEL_TRY(vel_get(ctx, ad, "var/spare", &x));
    VEL_TRY(vel_get_matrix(ctx, ad, "X", &x));
    VEL_TRY(vel_put_dense(ctx, ad, "layers/half", VEL_F64, vel_matrix(x->rows, x->cols), &y));
    for (int64_t i = 0; i < x->rows * x->cols; i++) ((double *)y->data)[i] = o->factor * ((const double *)x->data)[i];
    return VEL_OK;
}

static vel_err run_sum(vel_ctx *ctx, vel_adata *ad, const void *opts) {
    const sum_opts *o = opts;
    if (o->fail) return vel_fail(ctx, VEL_ENONE, "there is no sum");
    const vel_field *x;
    double *sums;
    VEL_TRY(vel_get_matrix(ctx, ad, "layers/half", &x));
    VEL_TRY(VEL_ZALLOC(ctx, sums, x->rows));
    for (int64_t g = 0; g < x->cols; g++)
        for (int64_t c = 0; c < x->rows; c++) sums[c] += ((const double *)x->data)[g * x->rows + c];
    char path[64] = "obs/";
    return vel_put_reals(ctx, ad, strcat(path, o->key), sums, x->rows);
}

static const vel_opt half_rows[] = {VEL_OPT(half_opts, factor, VEL_OREAL, "0.5", NULL, ""), {0}};
static const vel_opt sum_rows[] = {
    VEL_OPT(sum_opts, key, VEL_OTEXT, "sum", NULL, ""), VEL_OPT(sum_opts, fail, VEL_OBOOL, "false", NULL, ""), {0}};
static const vel_key half_reads[] = {{.name = "X"},
                                     {.name = "var/extra", .optional = true},
                                     {.name = "var/spare", .optional = true, .unless = "var/extra"},
                                     {0}};
static const vel_key half_writes[] = {{.name = "layers/half", .shape = VEL_OBS_VAR, .type = VEL_F64}, {0}};
static const vel_key sum_reads[] = {{.name = "layers/half"}, {0}};
static const vel_key sum_writes[] = {{.name = "obs/{key}", .shape = VEL_OBS, .type = VEL_F64}, {0}};
static const vel_step half = {.name = "half",
                              .inputs = 1,
                              .reads = half_reads,
                              .writes = half_writes,
                              .opts = half_rows,
                              .opts_size = sizeof(half_opts),
                              .run = run_half};
static const vel_step sum = {.name = "sum",
                             .inputs = 1,
                             .reads = sum_reads,
                             .writes = sum_writes,
                             .opts = sum_rows,
                             .opts_size = sizeof(sum_opts),
                             .run = run_sum};

/* ---- fixture: 3 cells, 2 genes */

typedef struct {
    vel_ctx ctx;
    vel_arena *arena;
    vel_adata *base, *ad;
    char notes[512];
} fixture;

static void note(void *user, vel_level level, const char *text) {
    (void)level;
    strncat(user, text, 500 - strlen(user));
}

static int setup(void **state) {
    static fixture f;
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 1}, .arena = vel_arena_new()};
    f.ctx.sink = (vel_sink){.user = f.notes, .say = note};
    vel_field *x;
    assert_int_equal(vel_adata_new(&f.ctx, 3, 2, &f.base), VEL_OK);
    assert_int_equal(vel_put_dense(&f.ctx, f.base, "X", VEL_F64, vel_matrix(3, 2), &x), VEL_OK);
    for (int i = 0; i < 6; i++) ((double *)x->data)[i] = i;
    assert_int_equal(vel_put_reals(&f.ctx, f.base, "var/extra", (double[]){1, 2}, 2), VEL_OK);
    assert_int_equal(vel_put_reals(&f.ctx, f.base, "var/spare", (double[]){3, 4}, 2), VEL_OK);
    assert_int_equal(memory_open(&f.ctx, f.base, &f.ad), VEL_OK);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    vel_adata_free(f->ad);
    vel_adata_free(f->base);
    vel_arena_free(f->ctx.scratch);
    vel_arena_free(f->arena);
    return 0;
}

/* Parses with the trial steps in place of the program's own. */
static vel_err plan(fixture *f, const char *text, vel_recipe *recipe, vel_plan *out) {
    VEL_TRY(vel_recipe_parse(&f->ctx, f->arena, text, recipe));
    for (int i = 0; i < recipe->n_calls; i++)
        recipe->calls[i].step = !strcmp(recipe->calls[i].name, "half") ? &half : &sum;
    VEL_TRY(vel_recipe_check(&f->ctx, recipe));
    return vel_plan_make(&f->ctx, f->ad, recipe, out);
}

static vel_err run(fixture *f, const char *text) {
    vel_recipe recipe;
    vel_plan p;
    VEL_TRY(plan(f, text, &recipe, &p));
    return vel_run(&f->ctx, &p, NULL, &f->ad);
}

static void runs_the_steps_in_order_with_their_options(void **state) {
    fixture *f = *state;
    assert_int_equal(run(f, "half factor=2 | sum key=total"), VEL_OK);
    double *x;
    assert_int_equal(vel_get_reals(&f->ctx, f->ad, "obs/total", 3, &x), VEL_OK);
    assert_true(x[0] == 2 * (0 + 3) && x[1] == 2 * (1 + 4) && x[2] == 2 * (2 + 5));
}

static void a_missing_field_refuses_before_anything_is_run(void **state) {
    fixture *f = *state;
    assert_int_equal(run(f, "sum | half"), VEL_EKEY);
    assert_non_null(strstr(f->ctx.message, "layers/half"));
    assert_false(vel_has(f->ad, "uns/vel/recipe"));
    f->ctx.message[0] = 0;
    assert_int_equal(vel_drop(&f->ctx, f->ad, "X"), VEL_OK);
    assert_int_equal(run(f, "half | sum"), VEL_EKEY);
    assert_false(vel_has(f->ad, "layers/half"));
}

static void a_field_of_an_earlier_step_is_no_field_of_the_file(void **state) {
    fixture *f = *state;
    vel_recipe recipe;
    vel_plan p;
    assert_int_equal(plan(f, "half | sum", &recipe, &p), VEL_OK);
    assert_int_equal(p.n_steps, 2);
    assert_int_equal(p.steps[0].n_reads, 2);
    assert_true(p.steps[0].reads[0].in_file);
    assert_int_equal(p.steps[1].n_reads, 1);
    assert_false(p.steps[1].reads[0].in_file);
    assert_string_equal(p.steps[1].writes[0].path, "obs/sum");
}

static void an_optional_field_that_is_there_is_said_and_recorded(void **state) {
    fixture *f = *state;
    const char **paths;
    assert_int_equal(run(f, "half"), VEL_OK);
    assert_non_null(strstr(f->notes, "var/extra"));
    assert_int_equal(vel_get_texts(&f->ctx, f->ad, "uns/vel/optional_reads", 1, &paths), VEL_OK);
    assert_string_equal(paths[0], "var/extra");
}

static void what_is_read_against_the_plan_is_recorded_too(void **state) {
    fixture *f = *state;
    const char **paths;
    assert_int_equal(run(f, "half factor=0.5"), VEL_OK);
    assert_int_equal(vel_get_texts(&f->ctx, f->ad, "uns/vel/optional_reads", 1, &paths), VEL_OK);
    vel_adata_free(f->ad);
    assert_int_equal(memory_open(&f->ctx, f->base, &f->ad), VEL_OK);
    assert_int_equal(run(f, "half factor=2"), VEL_OK);
    assert_int_equal(vel_get_texts(&f->ctx, f->ad, "uns/vel/optional_reads", 2, &paths), VEL_OK);
    assert_string_equal(paths[0], "var/extra");
    assert_string_equal(paths[1], "var/spare");
}

static void the_record_has_version_recipe_and_hash_of_what_was_read(void **state) {
    fixture *f = *state;
    const char *text;
    char before[17];
    assert_int_equal(run(f, "half | sum"), VEL_OK);
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/vel/version", &text), VEL_OK);
    assert_string_equal(text, VEL_VERSION);
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/vel/recipe", &text), VEL_OK);
    assert_string_equal(text, "half factor=0.5 | sum key=sum fail=false");
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/vel/input_hash", &text), VEL_OK);
    assert_int_equal(strlen(text), 16);
    strcpy(before, text);

    vel_field *x;
    vel_adata_free(f->ad);
    assert_int_equal(vel_edit(&f->ctx, f->base, "X", &x), VEL_OK);
    ((double *)x->data)[3] += 1e-9;
    assert_int_equal(memory_open(&f->ctx, f->base, &f->ad), VEL_OK);
    assert_int_equal(run(f, "half | sum"), VEL_OK);
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/vel/input_hash", &text), VEL_OK);
    assert_string_not_equal(text, before);
}

static void a_process_that_flushes_subnormals_gets_the_same_bits(void **state) {
    fixture *f = *state;
    vel_field *x;
    const vel_field *half_;
    assert_int_equal(vel_edit(&f->ctx, f->ad, "X", &x), VEL_OK);
    for (int i = 0; i < 6; i++) ((double *)x->data)[i] = DBL_MIN * (i + 1) / 6;
    if (!flush_subnormals(true)) skip();
    vel_err e = run(f, "half");
    bool flushes = half_of_least() == 0;
    flush_subnormals(false);
    assert_int_equal(e, VEL_OK);
    assert_true(flushes);
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/half", &half_), VEL_OK);
    for (int i = 0; i < 6; i++) assert_true(((double *)half_->data)[i] == ((double *)x->data)[i] / 2);
}

/* So the program, which looks at them, and the library record the same hash of a file. */
static void names_are_looked_at_without_counting_as_input(void **state) {
    fixture *f = *state;
    const char *const names[] = {"a", "b", "a"}, *const * paths;
    int64_t n;
    uint64_t hash;
    vel_adata_free(f->ad);
    assert_int_equal(vel_put_texts(&f->ctx, f->base, "obs/_index", names, 3), VEL_OK);
    assert_int_equal(memory_open(&f->ctx, f->base, &f->ad), VEL_OK);
    assert_int_equal(vel_say_repeated(&f->ctx, f->ad), VEL_OK);
    assert_non_null(strstr(f->notes, "2 cells of memory share their names (a)"));
    assert_int_equal(vel_reads_of(&f->ctx, f->ad, &paths, &n, &hash), VEL_OK);
    assert_int_equal(n, 0);
    assert_null(vel_borrow(f->ad, "obs/_index"));
}

static void the_record_of_an_earlier_run_becomes_history(void **state) {
    fixture *f = *state;
    const char **lines, *text;
    assert_int_equal(run(f, "half"), VEL_OK);
    assert_int_equal(run(f, "sum"), VEL_OK);
    assert_int_equal(run(f, "sum"), VEL_OK);
    assert_int_equal(vel_get_texts(&f->ctx, f->ad, "uns/vel/history", 1, &lines), VEL_OK);
    assert_string_equal(lines[0], "half factor=0.5");
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/vel/recipe", &text), VEL_OK);
    assert_string_equal(text, "sum key=sum fail=false");
}

static void a_failing_step_ends_the_run_with_its_own_words(void **state) {
    fixture *f = *state;
    assert_int_equal(run(f, "half | sum fail=true | sum key=never"), VEL_ENONE);
    assert_string_equal(f->ctx.message, "there is no sum");
    assert_false(vel_has(f->ad, "obs/never"));
    assert_false(vel_has(f->ad, "uns/vel/recipe"));
}

static void a_request_to_stop_is_heard_between_steps(void **state) {
    fixture *f = *state;
    static volatile sig_atomic_t asked = SIGTERM;
    f->ctx.cancel = &asked;
    assert_int_equal(run(f, "half | sum"), VEL_ETERM);
    assert_false(vel_has(f->ad, "layers/half"));
}

static void an_unknown_step_is_refused_by_its_name(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_run_recipe(&f->ctx, "no_such_step", &f->ad), VEL_EUSAGE);
    assert_non_null(strstr(f->ctx.message, "no_such_step"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(runs_the_steps_in_order_with_their_options),
        TEST(a_missing_field_refuses_before_anything_is_run),
        TEST(what_is_read_against_the_plan_is_recorded_too),
        TEST(a_field_of_an_earlier_step_is_no_field_of_the_file),
        TEST(an_optional_field_that_is_there_is_said_and_recorded),
        TEST(the_record_has_version_recipe_and_hash_of_what_was_read),
        TEST(a_process_that_flushes_subnormals_gets_the_same_bits),
        TEST(names_are_looked_at_without_counting_as_input),
        TEST(the_record_of_an_earlier_run_becomes_history),
        TEST(a_failing_step_ends_the_run_with_its_own_words),
        TEST(a_request_to_stop_is_heard_between_steps),
        TEST(an_unknown_step_is_refused_by_its_name),
    };
    return cmocka_run_group_tests_name("pipelines/run", tests, NULL, NULL);
}
