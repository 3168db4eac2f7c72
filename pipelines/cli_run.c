#include <string.h>

#include "core/par.h"
#include "io/h5ad.h"
#include "io/output.h"
#include "io/scratch.h"
#include "pipelines/cli.h"
#include "pipelines/genes.h"
#include "pipelines/names.h"

typedef struct {
    vel_cli *cli;
    vel_voice voice;
    vel_recipe recipe;
    const char *input, *output; /* input: NULL for a recipe that makes its data */
    vel_adata *ad;
    vel_scratch scratch; /* where layers lie if --max-memory is short */
    vel_packing packing;
} job;

/* ---- what the common options mean */

static vel_err set_limits(vel_cli *cli) {
    vel_ctx *ctx = cli->ctx;
    const vel_value *threads = &cli->common.threads;
    if (vel_is_none(threads))
        ctx->threads = vel_cores();
    else if (threads->kind == VEL_VINT && threads->integer >= 1 && threads->integer <= 4096)
        ctx->threads = (int)threads->integer;
    else
        return vel_fail(ctx, VEL_EUSAGE, "--threads takes a number from 1 to 4096, or none");
    if (cli->common.max_memory && !vel_bytes_parse(cli->common.max_memory, &ctx->max_memory))
        return vel_fail(ctx, VEL_EUSAGE, "--max-memory takes a size such as 8G or 500M, found %s",
                        cli->common.max_memory);
    return VEL_OK;
}

static vel_err choose_packing(vel_cli *cli, vel_packing *packing) {
    const vel_value *opts = &cli->common.compression_opts;
    if (!vel_is_none(opts) && (opts->kind != VEL_VINT || opts->integer < 0))
        return vel_fail(cli->ctx, VEL_EUSAGE, "--compression-opts takes a level from 0 to 9, or none");
    return vel_packing_parse(cli->ctx, cli->common.compression, vel_is_none(opts) ? -1 : opts->integer, packing);
}

/* Said before the work rather than after it, by making the temporary file once. */
static vel_err check_output(vel_ctx *ctx, const char *output) {
    vel_output out;
    vel_err e = vel_output_begin(ctx, output, &out);
    vel_output_end(&out);
    return e;
}

/* A layer that is not there is refused by the same words as everywhere: those of vel_get. */
static vel_err choose_layer(vel_cli *cli, vel_adata *ad, const char *layer, const char *name) {
    if (!name) return VEL_OK;
    vel_text t = vel_text_new(cli->arena);
    const char *path;
    const vel_field *field;
    vel_text_add(&t, "layers/%s", name);
    VEL_TRY(vel_text_done(cli->ctx, &t, &path));
    return vel_has(ad, path) ? vel_alias(cli->ctx, ad, layer, name) : vel_get(cli->ctx, ad, path, &field);
}

static vel_err prepare_data(job *j) {
    vel_cli *cli = j->cli;
    VEL_TRY(vel_h5ad_open(cli->ctx, j->input, &j->ad));
    VEL_TRY(choose_layer(cli, j->ad, "spliced", cli->common.spliced));
    VEL_TRY(choose_layer(cli, j->ad, "unspliced", cli->common.unspliced));
    if (cli->common.genes) VEL_TRY(vel_genes_keep(cli->ctx, j->ad, cli->common.genes));
    VEL_TRY(vel_say_repeated(cli->ctx, j->ad));
    vel_arena_reset(cli->ctx->scratch);
    return VEL_OK;
}

/* ---- what would be done */

static void print_paths(FILE *out, const char *title, const vel_planned_key *keys, int n) {
    fprintf(out, "     %-7s", title);
    for (int i = 0; i < n; i++) fprintf(out, " %s%s", keys[i].path, keys[i].key->optional ? "?" : "");
    fputs(n ? "\n" : " -\n", out);
}

/* What is allowed must do even if more is taken than is expected: of little data it is the larger of both. */
static char *peak_text(const vel_estimate *e, char text[16]) {
    return vel_bytes_text(e->peak > e->least ? e->peak : e->least, text);
}

static void print_plan(FILE *out, const job *j, const vel_plan *plan, const vel_estimate *e) {
    char inputs[16], results[16], peak[16], least[16];
    fprintf(out, "%s: %lld cells x %lld genes\n", j->input ? j->input : "new data", (long long)e->n_obs,
            (long long)e->n_vars);
    for (int i = 0; i < plan->n_steps; i++) {
        const vel_planned *s = &plan->steps[i];
        fprintf(out, "%3d  %s", i + 1, s->call.step->name);
        if (s->made_for) fprintf(out, " (%s needs %s)", s->made_by, s->made_for);
        fputc('\n', out);
        print_paths(out, "reads", s->reads, s->n_reads);
        print_paths(out, "writes", s->writes, s->n_writes);
    }
    fprintf(out, "memory: about %s at most (in %s); read %s, made %s; at least %s with a scratch file (in %s)\n",
            peak_text(e, peak), e->peak_step, vel_bytes_text(e->inputs, inputs), vel_bytes_text(e->results, results),
            vel_bytes_text(e->least, least), e->least_step);
}

/* With a limit it is said in any case, before the work: the steps, and what they take. */
static vel_err say_plan(const job *j, const vel_plan *plan, const vel_estimate *e) {
    vel_ctx *ctx = j->cli->ctx;
    char peak[16], least[16];
    vel_text t = vel_text_new(j->cli->arena);
    const char *steps;
    for (int i = 0; i < plan->n_steps; i++) vel_text_add(&t, "%s%s", i ? " | " : "", plan->steps[i].call.step->name);
    VEL_TRY(vel_text_done(ctx, &t, &steps));
    vel_say(ctx, VEL_INFO, "plan: %s; memory: about %s at most (in %s), at least %s with a scratch file (in %s)", steps,
            peak_text(e, peak), e->peak_step, vel_bytes_text(e->least, least), e->least_step);
    return VEL_OK;
}

/* ---- the run */

/* Large fields go to nameless files beside the output from now on. */
static vel_err start_spilling(job *j) {
    vel_ctx *ctx = j->cli->ctx;
    const char *slash = strrchr(j->output, '/'), *folder;
    vel_text t = vel_text_new(j->cli->arena);
    vel_text_add(&t, "%.*s", slash ? (int)(slash - j->output) + 1 : 1, slash ? j->output : ".");
    VEL_TRY(vel_text_done(ctx, &t, &folder));
    VEL_TRY(vel_scratch_open(ctx, folder, VEL_SPILLED_FROM, &j->scratch));
    ctx->spill = &j->scratch.spill;
    vel_say(ctx, VEL_INFO, "layers go to a scratch file in %s: --max-memory is short of keeping all", folder);
    return VEL_OK;
}

/* Everything that is known before the work: the plan, and if anyone asks, since that reads some of the file, what
 * memory it takes, and whether that is allowed. */
static vel_err plan_job(job *j, vel_plan *plan, bool *spill) {
    vel_cli *cli = j->cli;
    VEL_TRY(vel_plan_make(cli->ctx, j->ad, &j->recipe, plan));
    plan->packs = j->packing.kind != VEL_PLAIN;
    *spill = false;
    if (!cli->common.dry_run && !cli->common.json && !cli->ctx->max_memory) return VEL_OK;
    vel_estimate estimate = vel_estimate_make(cli->ctx, j->ad, plan);
    vel_event_plan(&j->voice.events, plan, &estimate);
    if (cli->common.dry_run && !cli->common.json) print_plan(cli->out, j, plan, &estimate);
    if (!cli->common.dry_run && cli->ctx->max_memory) VEL_TRY(say_plan(j, plan, &estimate));
    return vel_estimate_check(cli->ctx, &estimate, spill);
}

static void set_threads(vel_ctx *ctx) {
    int able = vel_threads_startable(ctx->threads);
    if (able < ctx->threads)
        vel_say(ctx, VEL_WARN, "%d threads instead of %d: the system allows no more (ulimit -u, pids.max)", able,
                ctx->threads);
    ctx->threads = able;
}

static vel_err run_job(job *j) {
    vel_cli *cli = j->cli;
    vel_ctx *ctx = cli->ctx;
    double started = vel_clock();
    bool spill, dry = cli->common.dry_run;
    const char *resolved;
    vel_plan plan;
    VEL_TRY(vel_recipe_resolved(ctx, &j->recipe, &resolved));
    set_threads(ctx);
    vel_event_start(&j->voice.events, resolved, j->input, j->output, ctx->threads);
    if (j->input) VEL_TRY(prepare_data(j));
    if (!dry) VEL_TRY(check_output(ctx, j->output));
    VEL_TRY(plan_job(j, &plan, &spill));
    if (!dry) {
        if (spill) VEL_TRY(start_spilling(j));
        vel_run_listener listener = vel_voice_listener(&j->voice);
        VEL_TRY(vel_run(ctx, &plan, &listener, &j->ad));
        VEL_TRY(vel_events_told(ctx, &j->voice.events)); /* while there is no output yet */
        VEL_TRY(vel_h5ad_write_packed(ctx, j->ad, j->output, &j->packing));
    }
    vel_event_done(&j->voice.events, dry ? NULL : j->output, vel_clock() - started);
    return dry ? vel_events_told(ctx, &j->voice.events) : VEL_OK;
}

static vel_err start_job(vel_cli *cli, job *j) {
    VEL_TRY(set_limits(cli));
    VEL_TRY(choose_packing(cli, &j->packing));
    VEL_TRY(vel_args_route(cli->ctx, &cli->args, &j->recipe));
    VEL_TRY(vel_recipe_check(cli->ctx, &j->recipe));
    j->cli = cli;
    j->voice = (vel_voice){.quiet = cli->common.quiet,
                           .progress = vel_progress_to(stderr),
                           .events = {.to = cli->common.json ? cli->out : NULL, .arena = vel_arena_new()}};
    if (!j->voice.events.arena) return vel_no_memory(cli->ctx, 1, 1);
    vel_voice_attach(&j->voice, cli->ctx);
    vel_err e = run_job(j);
    cli->ctx->sink = (vel_sink){0};
    cli->ctx->spill = NULL;
    vel_progress_clear(&j->voice.progress);
    vel_adata_free(j->ad);
    vel_arena_free(j->voice.events.arena);
    return e;
}

/* Names the files of a job; words are those of the command line that are no recipe. */
static vel_err name_files(vel_cli *cli, const char *command, int inputs, const char *const *words, int n, job *j) {
    vel_ctx *ctx = cli->ctx;
    if (n > inputs)
        return vel_fail(ctx, VEL_EUSAGE, "vel %s takes %s, found %s too", command,
                        inputs ? "one file" : "no input file", words[inputs]);
    if (n < inputs)
        return vel_fail(ctx, VEL_EUSAGE, "vel %s needs an input file (vel %s --help shows how)", command, command);
    j->input = inputs ? words[0] : NULL;
    j->output = cli->common.output;
    if (j->input && !*j->input) return vel_fail(ctx, VEL_EUSAGE, "the name of the input file is empty");
    if ((j->input && !strcmp(j->input, "-")) || (j->output && !strcmp(j->output, "-")))
        return vel_fail(ctx, VEL_EUSAGE, "HDF5 needs files: nothing is read from or written to a pipe (- is none)");
    if (j->output && !*j->output) return vel_fail(ctx, VEL_EUSAGE, "option --output takes the name of a file");
    return VEL_OK;
}

vel_err vel_cli_step(vel_cli *cli, const char *command) {
    job j = {0};
    VEL_TRY(vel_recipe_parse(cli->ctx, cli->arena, command, &j.recipe));
    const vel_step *step = j.recipe.calls[0].step;
    VEL_TRY(vel_args_fit(cli->ctx, &cli->args, &j.recipe));
    VEL_TRY(name_files(cli, command, step->inputs, cli->args.words, cli->args.n_words, &j));
    if (!j.output) j.output = j.input;
    if (!j.output && !cli->common.dry_run) return vel_fail(cli->ctx, VEL_EUSAGE, "vel %s needs -o OUT.h5ad", command);
    return start_job(cli, &j);
}

/* An option that nobody has may have taken the recipe for its value, and the first word be the input. */
static vel_err read_recipe(vel_cli *cli, vel_recipe *recipe) {
    vel_ctx *ctx = cli->ctx;
    if (cli->args.n_words < 2) VEL_TRY(vel_args_strange(ctx, &cli->args));
    if (!cli->args.n_words)
        return vel_fail(ctx, VEL_EUSAGE, "vel run needs a recipe and an input file (vel run --help shows how)");
    VEL_TRY(vel_recipe_parse(ctx, cli->arena, cli->args.words[0], recipe));
    return vel_args_fit(ctx, &cli->args, recipe);
}

vel_err vel_cli_run(vel_cli *cli, const char *command) {
    job j = {0};
    VEL_TRY(read_recipe(cli, &j.recipe));
    const vel_step *first = j.recipe.calls[0].step;
    VEL_TRY(
        name_files(cli, command, first && first->inputs == 0 ? 0 : 1, cli->args.words + 1, cli->args.n_words - 1, &j));
    if (!j.output && !cli->common.dry_run)
        return vel_fail(cli->ctx, VEL_EUSAGE, "vel run needs -o OUT.h5ad (the input's own name writes into it)");
    return start_job(cli, &j);
}
