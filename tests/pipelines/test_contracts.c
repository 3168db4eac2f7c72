/* What every step promises, shown for every row of steps.def: a new step is tested here without a line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipelines/cli_args.h"
#include "pipelines/key.h"
#include "pipelines/run.h"
#include "pipelines/word.h"
#include "tests/flushing.h"
#include "tests/pipelines/alloc.h"
#include "tests/pipelines/memory.h"
#include "tests/pipelines/toy.h"

/* Calls beside the defaults: other ways through a step. A name that is no step is passed over. */
static const char *const more_calls[] = {
    "filter_genes min_shared_counts=20",
    "filter_and_normalize min_shared_counts=5 n_top_genes=20",
    "highly_variable_genes n_top_genes=12 subset=true",
    "moments dtype=float64",
    "velocity mode=deterministic",
    "velocity mode=dynamical",
    "velocity vkey=v2",
    "recover_dynamics var_names=all t_max=false",
    "neighbors n_neighbors=10",
    "velocity_graph compute_uncertainties=true",
    "velocity_graph mode_neighbors=connectivities n_recurse_neighbors=1",
};
enum { MORE_CALLS = sizeof more_calls / sizeof *more_calls, MOST_CALLS = 64 };

/* A call and the data that it is tried on: what the steps before it in steps.def have made of the toy. */
typedef struct {
    char text[128];
    const vel_step *step;
    vel_adata *base;
} trial;

static struct {
    vel_ctx ctx;
    vel_adata *stages[MOST_CALLS];
    int n_stages;
    trial trials[MOST_CALLS];
    int n_trials;
} all;

static vel_err run_on(vel_ctx *ctx, vel_adata *base, const char *recipe, vel_adata **ad) {
    ctx->message[0] = 0;
    vel_arena_reset(ctx->scratch);
    VEL_TRY(memory_open(ctx, base, ad));
    return vel_run_recipe(ctx, recipe, ad);
}

static void add_trial(const char *text, const vel_step *step, vel_adata *base) {
    trial *t = &all.trials[all.n_trials++];
    snprintf(t->text, sizeof t->text, "%s", text);
    t->step = step;
    t->base = base;
}

/* Adds the trials of a step on a base; returns the data that the next step is tried on. */
static vel_adata *add_step(const vel_step *step, vel_adata *base) {
    add_trial(step->name, step, base);
    size_t n = strlen(step->name);
    for (int i = 0; i < MORE_CALLS; i++)
        if (!strncmp(more_calls[i], step->name, n) && more_calls[i][n] == ' ') add_trial(more_calls[i], step, base);
    vel_adata *next = NULL;
    if (run_on(&all.ctx, base, step->name, &next) == VEL_OK && memory_settle(&all.ctx, next) == VEL_OK) {
        all.stages[all.n_stages++] = next;
        return next;
    }
    vel_adata_free(next);
    return base;
}

static int setup(void **state) {
    (void)state;
    all.ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    vel_adata *base = NULL;
    if (toy_make(&all.ctx, &base)) return 1;
    all.stages[all.n_stages++] = base;
    for (int i = 0; i < vel_n_steps; i++)
        if (vel_steps[i]->inputs == 1) base = add_step(vel_steps[i], base);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    for (int i = all.n_stages - 1; i >= 0; i--) vel_adata_free(all.stages[i]);
    vel_arena_free(all.ctx.scratch);
    return 0;
}

/* ---- comparing two handles */

typedef struct {
    vel_adata *other;
    const vel_planned *except; /* fields that the step may write are passed over; NULL: none */
    const char *different;
} comparison;

static bool is_written(const vel_planned *s, const char *path) {
    for (int k = 0; s && k < s->n_writes; k++) {
        const char *write = s->writes[k].path;
        if (vel_key_covers(write, path) || vel_key_covers(path, write)) return true;
    }
    return s && (vel_key_covers("uns/vel", path) || !strcmp(path, "uns"));
}

static vel_err compare_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    comparison *c = arg;
    const vel_field *a, *b;
    vel_kind kind = vel_entry_of(ad, path).kind;
    if (c->different || is_written(c->except, path)) return VEL_OK;
    bool same = vel_has(c->other, path) && vel_entry_of(c->other, path).kind == kind;
    if (same && kind != VEL_DICT) {
        VEL_TRY(vel_get(ctx, ad, path, &a));
        VEL_TRY(vel_get(ctx, c->other, path, &b));
        same = memory_same(a, b);
    }
    if (!same) c->different = path;
    return VEL_OK;
}

/* The path of a field that is in one and not, or not equally, in the other; NULL: none. */
static const char *difference(vel_adata *a, vel_adata *b, const vel_planned *except) {
    comparison ab = {.other = b, .except = except}, ba = {.other = a, .except = except};
    assert_int_equal(vel_each(&all.ctx, a, compare_field, &ab), VEL_OK);
    assert_int_equal(vel_each(&all.ctx, b, compare_field, &ba), VEL_OK);
    return ab.different ? ab.different : ba.different;
}

static void assert_same(vel_adata *a, vel_adata *b, const vel_planned *except, const char *call) {
    const char *path = difference(a, b, except);
    if (path) fail_msg("%s: %s differs", call, path);
}

/* ---- the laws */

static bool makes_sense(const vel_step *step, const vel_key *keys) {
    for (const vel_key *k = keys; k && k->name; k++) {
        if (!vel_key_is_sound(k, step->opts)) return false;
        if (k->maker && !vel_step_find(k->maker)) return false;
    }
    return true;
}

static void rows_are_whole_and_sound(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++) {
        const vel_step *s = vel_steps[i];
        if (!s->help || !s->example || strncmp(s->example, "vel ", 4) != 0) fail_msg("%s: help or example", s->name);
        if (!(s->inputs ? (bool)s->run : (bool)s->make)) fail_msg("%s: nothing to run", s->name);
        if (!makes_sense(s, s->reads) || !makes_sense(s, s->writes)) fail_msg("%s: a key", s->name);
        for (const vel_opt *row = s->opts; row && row->name; row++) {
            if (!row->help || !row->def) fail_msg("%s: option %s: help or default", s->name, row->name);
            if (vel_opt_find(vel_common_rows, row->name)) fail_msg("%s: option %s is a common one", s->name, row->name);
        }
    }
}

static void defaults_are_values_of_their_options(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++) {
        vel_call call = {.name = vel_steps[i]->name, .step = vel_steps[i]};
        void *opts;
        all.ctx.message[0] = 0;
        if (vel_call_opts(&all.ctx, all.ctx.scratch, &call, &opts)) fail_msg("%s: %s", call.name, all.ctx.message);
    }
}

/* Each range as it is read: the number -1e300 is in none, and a number that is in one can be named. */
static void ranges_of_numbers_are_understood(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++)
        for (const vel_opt *row = vel_steps[i]->opts; row && row->name; row++) {
            if (!vel_opt_range(row)) continue;
            vel_opt real = *row;
            double x;
            const double tries[] = {0.5, 1, 2};
            bool any = false;
            real.type = VEL_OREAL;
            real.offset = 0;
            for (int k = 0; k < 3; k++)
                any |= !vel_opt_set(&all.ctx, &real, &(vel_value){.kind = VEL_VREAL, .real = tries[k]}, &x);
            bool below = !vel_opt_set(&all.ctx, &real, &(vel_value){.kind = VEL_VREAL, .real = -1e300}, &x);
            if (!any || below) fail_msg("%s: option %s: range '%s'", vel_steps[i]->name, row->name, row->choices);
        }
}

static vel_err check_text(const char *text) {
    vel_recipe recipe;
    all.ctx.message[0] = 0;
    VEL_TRY(vel_recipe_parse(&all.ctx, all.ctx.scratch, text, &recipe));
    return vel_recipe_check(&all.ctx, &recipe);
}

static void nonsense_is_refused_before_anything_is_read(void **state) {
    (void)state;
    static const char *const calls[] = {"filter_genes min_counts=-1",
                                        "filter_genes max_cells_u=-0.5",
                                        "filter_and_normalize min_shared_counts=-20",
                                        "filter_and_normalize n_top_genes=0",
                                        "filter_and_normalize counts_per_cell_after=0",
                                        "filter_and_normalize key_n_counts=[1]",
                                        "normalize_per_cell counts_per_cell=true",
                                        "normalize_per_cell max_proportion_per_cell=5",
                                        "normalize_per_cell counts_per_cell_after=-1",
                                        "log1p base=1",
                                        "log1p base=-2",
                                        "highly_variable_genes n_bins=0",
                                        "highly_variable_genes n_top_genes=-1",
                                        "pca n_comps=0",
                                        "neighbors n_neighbors=1",
                                        "neighbors n_pcs=-1",
                                        "moments n_neighbors=-1",
                                        "moments n_pcs=-1",
                                        "recover_dynamics max_iter=-1",
                                        "recover_dynamics t_max=-1",
                                        "recover_dynamics t_max=0",
                                        "recover_dynamics t_max=true",
                                        "recover_dynamics fit_scaling=0",
                                        "recover_dynamics fit_scaling=-2",
                                        "recover_dynamics init_vals=[1,1,-1]",
                                        "recover_dynamics init_vals=[1,1]",
                                        "recover_dynamics n_top_genes=0",
                                        "recover_dynamics perc=101",
                                        "velocity perc=[95,5]",
                                        "velocity perc=-1",
                                        "velocity constrain_ratio=[3,1]",
                                        "velocity constrain_ratio=-1",
                                        "velocity constrain_ratio=nan",
                                        "velocity constrain_ratio=[null,nan]",
                                        "velocity_graph approx=-1",
                                        "velocity_graph approx=[]",
                                        "velocity_graph n_neighbors=0",
                                        "velocity_graph n_recurse_neighbors=-1",
                                        "velocity_graph random_neighbors_at_max=0",
                                        "velocity_graph random_state=-1",
                                        "simulate n_obs=1",
                                        "simulate n_vars=0",
                                        "simulate alpha_=-1",
                                        "simulate t_max=-1",
                                        "simulate random_seed=-1"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        vel_err e = check_text(calls[i]);
        const char *option = strchr(calls[i], ' ') + 1;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
        if (e != VEL_EUSAGE || !strstr(all.ctx.message, name)) fail_msg("%s: %s", calls[i], all.ctx.message);
    }
}

/* Values that few options have a use for. */
static const char *const odd_values[] = {"inf",
                                         "-inf",
                                         "-1",
                                         "0",
                                         "1e300",
                                         "-1e300",
                                         "1e-300",
                                         "9223372036854775807",
                                         "nan",
                                         "true",
                                         "[]",
                                         "[-1,0]",
                                         "[1e300,1e300,1e300]"};
enum { ODD_VALUES = sizeof odd_values / sizeof *odd_values };

/* Options of numbers, and those that may be one. */
static bool may_be_a_number(const vel_opt *row) {
    return row->type == VEL_OINT || row->type == VEL_OREAL || row->type == VEL_OCOUNT || row->type == VEL_ONUMBER ||
           row->type == VEL_OANY;
}

static vel_err look_for_infinity(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    const char **infinite = arg;
    const vel_field *f;
    if (vel_entry_of(ad, path).kind != VEL_DENSE && vel_entry_of(ad, path).kind != VEL_SPARSE) return VEL_OK;
    VEL_TRY(vel_get(ctx, ad, path, &f));
    for (int64_t i = 0; i < vel_field_elements(f) && (f->type == VEL_F32 || f->type == VEL_F64); i++)
        if (isinf(vel_real_at(f->type, f->data, i))) *infinite = path;
    return VEL_OK;
}

/* The path of a field with an infinite value; NULL: there is none. */
static const char *infinite_field(vel_adata *ad) {
    const char *infinite = NULL;
    assert_int_equal(vel_each(&all.ctx, ad, look_for_infinity, &infinite), VEL_OK);
    return infinite;
}

static void try_odd_value(const trial *t, const vel_opt *row, const char *value) {
    char call[192];
    vel_adata *ad = NULL;
    snprintf(call, sizeof call, "%s %s=%s", t->step->name, row->name, value);
    vel_err checked = check_text(call);
    if (checked && (checked != VEL_EUSAGE || !strstr(all.ctx.message, row->name)))
        fail_msg("%s: %s", call, all.ctx.message);
    if (checked) return;
    vel_err e = run_on(&all.ctx, t->base, call, &ad);
    if (e && !all.ctx.message[0]) fail_msg("%s: %s, without a word", call, vel_err_name(e));
    if (!e && infinite_field(ad)) fail_msg("%s: %s is infinite", call, infinite_field(ad));
    vel_adata_free(ad);
}

static void odd_numbers_are_refused_by_name_or_make_no_infinity(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++)
        for (const vel_opt *row = all.trials[i].step->opts; row && row->name; row++)
            for (int k = 0; k < ODD_VALUES && may_be_a_number(row) && !strchr(all.trials[i].text, ' '); k++)
                try_odd_value(&all.trials[i], row, odd_values[k]);
}

static void infinity_is_taken_only_where_the_range_has_it(void **state) {
    (void)state;
    for (int i = 0; i < vel_n_steps; i++)
        for (const vel_opt *row = vel_steps[i]->opts; row && row->name; row++) {
            char call[192];
            if (!vel_opt_range(row)) continue;
            snprintf(call, sizeof call, "%s %s=inf", vel_steps[i]->name, row->name);
            if (!check_text(call) != (strstr(vel_opt_range(row), "inf") != NULL))
                fail_msg("%s: %s", call, row->choices);
        }
}

static void what_the_reference_gives_a_meaning_to_is_taken(void **state) {
    (void)state;
    static const char *const calls[] = {"moments n_neighbors=none n_pcs=0",
                                        "moments n_neighbors=0",
                                        "neighbors n_pcs=0",
                                        "filter_genes min_counts=0 max_counts=inf",
                                        "normalize_per_cell max_proportion_per_cell=1",
                                        "velocity constrain_ratio=inf",
                                        "highly_variable_genes min_disp=-inf max_mean=inf",
                                        "recover_dynamics max_iter=0 t_max=false n_jobs=-1",
                                        "recover_dynamics fit_scaling=0.5 perc=100",
                                        "velocity perc=none min_r2=-1 min_likelihood=none",
                                        "velocity perc=[5,5] constrain_ratio=[null,2]",
                                        "velocity_graph n_recurse_neighbors=0 n_jobs=-1",
                                        "simulate alpha=0 alpha_=0 t_max=none n_vars=none noise_level=0"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (check_text(calls[i])) fail_msg("%s: %s", calls[i], all.ctx.message);
}

static void every_call_runs_on_the_toy(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        vel_adata *ad;
        vel_err e = run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &ad);
        vel_adata_free(ad);
        if (e) fail_msg("%s: %s", all.trials[i].text, all.ctx.message);
    }
}

/* The last planned step is the call itself; those before it were put in. */
static vel_err plan_trial(const trial *t, vel_arena *arena, vel_adata *ad, vel_recipe *recipe, vel_plan *plan) {
    VEL_TRY(vel_recipe_parse(&all.ctx, arena, t->text, recipe));
    VEL_TRY(vel_recipe_check(&all.ctx, recipe));
    return vel_plan_make(&all.ctx, ad, recipe, plan);
}

static void try_without(const trial *t, const vel_planned_key *read) {
    vel_adata *ad, *same;
    all.ctx.message[0] = 0;
    assert_int_equal(memory_open(&all.ctx, t->base, &ad), VEL_OK);
    assert_int_equal(memory_open(&all.ctx, t->base, &same), VEL_OK);
    assert_int_equal(vel_drop(&all.ctx, ad, read->path), VEL_OK);
    assert_int_equal(vel_drop(&all.ctx, same, read->path), VEL_OK);
    vel_err e = vel_run_recipe(&all.ctx, t->text, &ad);
    if (e != VEL_EKEY) fail_msg("%s without %s: %s", t->text, read->path, vel_err_name(e));
    if (!strstr(all.ctx.message, read->path)) fail_msg("%s without %s: %s", t->text, read->path, all.ctx.message);
    assert_same(ad, same, NULL, t->text);
    vel_adata_free(ad);
    vel_adata_free(same);
}

static void a_missing_field_refuses_and_leaves_the_data_untouched(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        const trial *t = &all.trials[i];
        vel_arena *arena = vel_arena_new();
        vel_adata *ad;
        vel_recipe recipe;
        vel_plan plan;
        assert_int_equal(memory_open(&all.ctx, t->base, &ad), VEL_OK);
        assert_int_equal(plan_trial(t, arena, ad, &recipe, &plan), VEL_OK);
        const vel_planned *s = &plan.steps[plan.n_steps - 1];
        for (int k = 0; k < s->n_reads; k++)
            if (!s->reads[k].key->optional && !s->reads[k].key->maker && s->reads[k].in_file)
                try_without(t, &s->reads[k]);
        vel_adata_free(ad);
        vel_arena_free(arena);
    }
}

/* The base, cut as the run has cut it. */
static void open_cut_alike(vel_adata *base, const vel_adata *ad, vel_adata **cut) {
    vel_selection sel = vel_selection_of(ad);
    uint8_t obs[TOY_CELLS] = {0}, var[TOY_GENES] = {0};
    assert_int_equal(memory_open(&all.ctx, base, cut), VEL_OK);
    for (int64_t i = 0; sel.obs && i < sel.n_obs; i++) obs[sel.obs[i]] = 1;
    for (int64_t i = 0; sel.var && i < sel.n_vars; i++) var[sel.var[i]] = 1;
    if (sel.obs) assert_int_equal(vel_keep_obs(&all.ctx, *cut, obs), VEL_OK);
    if (sel.var) assert_int_equal(vel_keep_vars(&all.ctx, *cut, var), VEL_OK);
}

static void nothing_changes_but_what_the_row_says(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        const trial *t = &all.trials[i];
        vel_arena *arena = vel_arena_new();
        vel_adata *ad, *before;
        vel_recipe recipe;
        vel_plan plan;
        assert_int_equal(memory_open(&all.ctx, t->base, &ad), VEL_OK);
        assert_int_equal(plan_trial(t, arena, ad, &recipe, &plan), VEL_OK);
        if (plan.n_steps == 1) {
            assert_int_equal(vel_run(&all.ctx, &plan, NULL, &ad), VEL_OK);
            open_cut_alike(t->base, ad, &before);
            assert_same(ad, before, &plan.steps[0], t->text);
            vel_adata_free(before);
        }
        vel_adata_free(ad);
        vel_arena_free(arena);
    }
}

static void one_thread_and_three_give_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        vel_adata *one, *three;
        all.ctx.threads = 1;
        assert_int_equal(run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &one), VEL_OK);
        all.ctx.threads = 3;
        assert_int_equal(run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &three), VEL_OK);
        all.ctx.threads = 1;
        assert_same(one, three, NULL, all.trials[i].text);
        vel_adata_free(one);
        vel_adata_free(three);
    }
}

static void a_process_that_flushes_subnormals_gets_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        vel_adata *plain, *flushing;
        all.ctx.threads = 1 + i % 3;
        assert_int_equal(run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &plain), VEL_OK);
        if (!flush_subnormals(true)) skip();
        vel_err e = run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &flushing);
        flush_subnormals(false);
        all.ctx.threads = 1;
        assert_int_equal(e, VEL_OK);
        assert_same(plain, flushing, NULL, all.trials[i].text);
        vel_adata_free(plain);
        vel_adata_free(flushing);
    }
}

/* A spill that keeps everything in memory: what counts is that the handle takes the other way. */
static void *take(void *self, size_t bytes) {
    ++*(int *)self;
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return p ? memset(p, 0, bytes) : NULL;
}

static void give(void *self, void *array) {
    (void)self;
    free(array);
}

static void rest(void *array, size_t from, size_t bytes) { (void)array, (void)from, (void)bytes; }

static void spilled_and_resident_layers_give_the_same_bits(void **state) {
    (void)state;
    int taken = 0;
    const vel_spill spill = {&taken, 1, take, give, NULL, rest, NULL};
    for (int i = 0; i < all.n_trials; i++) {
        vel_adata *resident, *spilled;
        assert_int_equal(run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &resident), VEL_OK);
        all.ctx.spill = &spill;
        vel_err e = run_on(&all.ctx, all.trials[i].base, all.trials[i].text, &spilled);
        all.ctx.spill = NULL;
        if (e) fail_msg("%s, spilled: %s", all.trials[i].text, all.ctx.message);
        assert_same(resident, spilled, NULL, all.trials[i].text);
        vel_adata_free(resident);
        vel_adata_free(spilled);
    }
    assert_true(taken > 0 || all.n_trials == 0);
}

static void twice_is_once_unless_the_row_says_so(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        const trial *t = &all.trials[i];
        vel_adata *once, *twice;
        if (t->step->once) continue;
        assert_int_equal(run_on(&all.ctx, t->base, t->text, &once), VEL_OK);
        assert_int_equal(run_on(&all.ctx, t->base, t->text, &twice), VEL_OK);
        vel_err e = vel_run_recipe(&all.ctx, t->text, &twice);
        if (e) fail_msg("%s, twice: %s", t->text, all.ctx.message);
        vel_drop(&all.ctx, once, "uns/vel") == VEL_OK ? (void)0 : fail();
        vel_drop(&all.ctx, twice, "uns/vel") == VEL_OK ? (void)0 : fail();
        assert_same(once, twice, NULL, t->text);
        vel_adata_free(once);
        vel_adata_free(twice);
    }
}

/* One attempt with the k-th allocation failing; true once the run needs fewer. */
static bool survives(const trial *t, long k) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    long live = alloc_live;
    vel_adata *ad;
    alloc_arm(k);
    vel_err e = memory_open(&ctx, t->base, &ad);
    if (!e) e = vel_run_recipe(&ctx, t->text, &ad);
    bool enough = alloc_count < k;
    alloc_arm(0);
    vel_adata_free(ad);
    vel_arena_reset(ctx.scratch);
    if (alloc_live != live)
        fail_msg("%s: allocation %ld failing leaves %ld blocks", t->text, k, (long)alloc_live - live);
    if (e && e != VEL_ENOMEM) fail_msg("%s: allocation %ld failing: %s", t->text, k, vel_err_name(e));
    vel_arena_free(ctx.scratch);
    return enough;
}

/* Every one of the first allocations, then fewer and fewer of the later ones. */
static void a_failing_allocation_leaks_nothing_and_is_told(void **state) {
    (void)state;
    for (int i = 0; i < all.n_trials; i++) {
        const trial *t = &all.trials[i];
        vel_adata *before;
        assert_int_equal(memory_open(&all.ctx, t->base, &before), VEL_OK);
        assert_int_equal(memory_settle(&all.ctx, before), VEL_OK);
        for (long k = 1; !survives(t, k); k += k < 60 ? 1 : k / 12) {
        }
        assert_same(t->base, before, NULL, t->text);
        vel_adata_free(before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole_and_sound),
        cmocka_unit_test(defaults_are_values_of_their_options),
        cmocka_unit_test(ranges_of_numbers_are_understood),
        cmocka_unit_test(nonsense_is_refused_before_anything_is_read),
        cmocka_unit_test(odd_numbers_are_refused_by_name_or_make_no_infinity),
        cmocka_unit_test(infinity_is_taken_only_where_the_range_has_it),
        cmocka_unit_test(what_the_reference_gives_a_meaning_to_is_taken),
        cmocka_unit_test(every_call_runs_on_the_toy),
        cmocka_unit_test(a_missing_field_refuses_and_leaves_the_data_untouched),
        cmocka_unit_test(nothing_changes_but_what_the_row_says),
        cmocka_unit_test(one_thread_and_three_give_the_same_bits),
        cmocka_unit_test(a_process_that_flushes_subnormals_gets_the_same_bits),
        cmocka_unit_test(spilled_and_resident_layers_give_the_same_bits),
        cmocka_unit_test(twice_is_once_unless_the_row_says_so),
        cmocka_unit_test(a_failing_allocation_leaks_nothing_and_is_told),
    };
    return cmocka_run_group_tests_name("pipelines/contracts", tests, setup, teardown);
}
