#include "bench/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bytes.h"
#include "bench/clock.h"
#include "bench/counts.h"
#include "bench/result.h"
#include "bench/wire.h"
#include "io/h5ad.h"
#include "io/scratch.h"
#include "pipelines/estimate.h"
#include "pipelines/run.h"

typedef struct {
    const char *input, *forget, *before, *op, *result, *packing, *scope_word, *form_word, *threads_word, *within_word;
    bench_scope scope;
    bench_form form;
    int threads;
    double within;
    bool untimed;

    /* while it is done */
    int fd;
    int64_t start_ns;
    vel_adata *ad;
    vel_scratch scratch; /* where layers lie if the budget is short */
    bench_bytes bytes;
} job;

/* The index of `word` among those of a table; n: none. */
static int index_of(const char *word, const char *(*word_of)(int), int n) {
    int i = 0;
    while (i < n && strcmp(word, word_of(i)) != 0) i++;
    return i;
}

static const char *scope_word(int i) { return bench_scope_word((bench_scope)i); }
static const char *form_word(int i) { return bench_form_word((bench_form)i); }

static bool read_words(int argc, char **argv, job *j) {
    const struct {
        const char *flag;
        const char **value;
    } texts[] = {{"--input", &j->input},    {"--forget", &j->forget},        {"--before", &j->before},
                 {"--op", &j->op},          {"--result", &j->result},        {"--scope", &j->scope_word},
                 {"--form", &j->form_word}, {"--threads", &j->threads_word}, {"--within", &j->within_word},
                 {"--packing", &j->packing}};
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        if (strcmp(argv[i], "--untimed") == 0) {
            j->untimed = true;
            continue;
        }
        while (k < sizeof texts / sizeof texts[0] && strcmp(argv[i], texts[k].flag) != 0) k++;
        if (k == sizeof texts / sizeof texts[0] || i + 1 == argc) return false;
        *texts[k].value = argv[++i];
    }
    return true;
}

static bool read_job(int argc, char **argv, job *j) {
    *j = (job){.before = "",
               .op = "",
               .scope_word = "op",
               .form_word = "as-made",
               .threads_word = "1",
               .within_word = "0",
               .bytes = {-1, -1, -1, -1, -1}};
    if (!read_words(argc, argv, j)) return false;
    const int scope = index_of(j->scope_word, scope_word, BENCH_SCOPE_WHOLE + 1);
    const int form = index_of(j->form_word, form_word, BENCH_COUNTS_CSR + 1);
    if (scope > BENCH_SCOPE_WHOLE || form > BENCH_COUNTS_CSR) return false;
    j->scope = (bench_scope)scope;
    j->form = (bench_form)form;
    j->threads = (int)strtol(j->threads_word, NULL, 10);
    j->within = strtod(j->within_word, NULL);
    const bool makes = j->scope == BENCH_SCOPE_OP && *j->op, writes = j->scope >= BENCH_SCOPE_WRITE;
    return j->threads >= 1 && (j->input || makes) && (j->result || !writes);
}

/* A rival's driver holds the whole file in memory when its clock starts, and so do we. */
static vel_err read_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)arg;
    const vel_field *f;
    const vel_entry entry = vel_entry_of(ad, path);
    return entry.kind == VEL_DICT || entry.kind == VEL_OTHER ? VEL_OK : vel_get(ctx, ad, path, &f);
}

/* Drops the fields of a list such as "layers/Ms,layers/Mu" that are there. */
static vel_err forget(vel_ctx *ctx, vel_adata *ad, const char *list) {
    for (const char *p = list; p && *p;) {
        const size_t n = strcspn(p, ",");
        char path[256];
        snprintf(path, sizeof path, "%.*s", (int)n, p);
        if (vel_has(ad, path)) VEL_TRY(vel_drop(ctx, ad, path));
        p += n + (p[n] == ',');
    }
    return VEL_OK;
}

/* A published workflow calls its cell types clusters. */
static vel_err name_clusters(vel_ctx *ctx, vel_adata *ad) {
    const vel_field *f;
    if (vel_has(ad, "obs/clusters") || !vel_has(ad, "obs/celltype")) return VEL_OK;
    VEL_TRY(vel_get(ctx, ad, "obs/celltype", &f));
    if (f->kind != VEL_CATEGORICAL) return VEL_OK;
    return vel_put_categorical(ctx, ad, "obs/clusters", f->codes, f->rows, (const char *const *)f->texts,
                               f->n_categories);
}

static vel_err open_input(vel_ctx *ctx, job *j) { return j->input ? vel_h5ad_open(ctx, j->input, &j->ad) : VEL_OK; }

static vel_err read_all(vel_ctx *ctx, job *j) { return j->ad ? vel_each(ctx, j->ad, read_field, NULL) : VEL_OK; }

/* What is read before the clock starts is hashed before it does, too: a rival hashes nothing, and a file's hash belongs
 * to its reading. */
static vel_err hash_all(vel_ctx *ctx, const job *j) {
    const char *const *paths;
    int64_t n;
    uint64_t hash;
    return j->ad ? vel_reads_of(ctx, j->ad, &paths, &n, &hash) : VEL_OK;
}

static vel_err begin(vel_ctx *ctx, job *j) {
    if (!j->untimed && !bench_tell_begin(j->fd)) return vel_fail(ctx, VEL_ETERM, "the runner is gone");
    j->start_ns = bench_now_ns();
    return VEL_OK;
}

static vel_err end(vel_ctx *ctx, const job *j) {
    const int64_t wall_ns = bench_now_ns() - j->start_ns;
    if (!j->untimed && !bench_tell_end(j->fd, wall_ns)) return vel_fail(ctx, VEL_ETERM, "the runner is gone");
    return VEL_OK;
}

/* ---- the recipe, its inputs resident */

static vel_err time_op(vel_ctx *ctx, job *j) {
    int64_t before = 0;
    VEL_TRY(open_input(ctx, j));
    VEL_TRY(read_all(ctx, j));
    if (j->ad) VEL_TRY(name_clusters(ctx, j->ad));
    if (j->ad) VEL_TRY(forget(ctx, j->ad, j->forget));
    if (*j->before) VEL_TRY(vel_run_recipe(ctx, j->before, &j->ad));
    VEL_TRY(hash_all(ctx, j));
    if (j->ad) VEL_TRY(bench_changed_bytes(ctx, j->ad, &before));
    VEL_TRY(begin(ctx, j));
    VEL_TRY(vel_run_recipe(ctx, j->op, &j->ad));
    VEL_TRY(end(ctx, j));
    VEL_TRY(bench_changed_bytes(ctx, j->ad, &j->bytes.results));
    j->bytes.results -= before;
    VEL_TRY(bench_make_counts(ctx, j->ad, j->form));
    return j->result ? vel_h5ad_write(ctx, j->ad, j->result) : VEL_OK;
}

/* ---- a file */

static vel_err time_read(vel_ctx *ctx, job *j) {
    VEL_TRY(begin(ctx, j));
    VEL_TRY(open_input(ctx, j));
    VEL_TRY(read_all(ctx, j));
    VEL_TRY(end(ctx, j));
    VEL_TRY(bench_all_bytes(ctx, j->ad, &j->bytes.data));
    return j->result ? vel_h5ad_write(ctx, j->ad, j->result) : VEL_OK;
}

/* A field that was not changed would be carried over from the file that it came from. */
static vel_err change_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)arg;
    vel_field *f;
    const vel_kind kind = vel_entry_of(ad, path).kind;
    return kind == VEL_DENSE || kind == VEL_SPARSE ? vel_edit(ctx, ad, path, &f) : VEL_OK;
}

static vel_err time_write(vel_ctx *ctx, job *j) {
    vel_packing packing;
    VEL_TRY(vel_packing_parse(ctx, j->packing, -1, &packing));
    VEL_TRY(open_input(ctx, j));
    VEL_TRY(read_all(ctx, j));
    VEL_TRY(vel_each(ctx, j->ad, change_field, NULL));
    VEL_TRY(bench_all_bytes(ctx, j->ad, &j->bytes.data));
    VEL_TRY(begin(ctx, j));
    VEL_TRY(vel_h5ad_write_packed(ctx, j->ad, j->result, &packing));
    return end(ctx, j);
}

/* ---- a whole process */

/* Large fields go to nameless files beside the result, as `vel run --max-memory` has it. */
static vel_err keep_within(vel_ctx *ctx, job *j, const vel_estimate *estimate) {
    enum { LEAST = 1 << 20 };
    bool spill;
    const char *slash = strrchr(j->result, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - j->result) + 1 : 1, slash ? j->result : ".");
    j->bytes.budget = estimate->least;
    if (estimate->peak > estimate->least)
        j->bytes.budget += (int64_t)(j->within * (double)(estimate->peak - estimate->least));
    ctx->max_memory = j->bytes.budget;
    VEL_TRY(vel_estimate_check(ctx, estimate, &spill));
    if (!spill) return VEL_OK;
    VEL_TRY(vel_scratch_open(ctx, folder, LEAST, &j->scratch));
    ctx->spill = &j->scratch.spill;
    return VEL_OK;
}

static vel_err plan_and_run(vel_ctx *ctx, vel_arena *arena, job *j) {
    vel_recipe recipe;
    vel_plan plan;
    VEL_TRY(vel_recipe_parse(ctx, arena, j->op, &recipe));
    VEL_TRY(vel_recipe_check(ctx, &recipe));
    VEL_TRY(vel_plan_make(ctx, j->ad, &recipe, &plan));
    const vel_estimate estimate = vel_estimate_make(ctx, j->ad, &plan);
    j->bytes.inputs = estimate.inputs;
    j->bytes.estimate = estimate.peak;
    if (j->within > 0) VEL_TRY(keep_within(ctx, j, &estimate));
    return vel_run(ctx, &plan, NULL, &j->ad);
}

static vel_err time_whole(vel_ctx *ctx, job *j) {
    VEL_TRY(begin(ctx, j));
    VEL_TRY(open_input(ctx, j));
    vel_arena *arena = vel_arena_new();
    if (!arena) return vel_no_memory(ctx, 1, 1);
    const vel_err e = plan_and_run(ctx, arena, j);
    vel_arena_free(arena);
    VEL_TRY(e);
    VEL_TRY(vel_h5ad_write(ctx, j->ad, j->result));
    VEL_TRY(end(ctx, j));
    return bench_changed_bytes(ctx, j->ad, &j->bytes.results);
}

static vel_err tell(vel_ctx *ctx, const job *j) {
    char frame[512];
    const bench_bytes *b = &j->bytes;
    snprintf(frame, sizeof frame,
             "{\"versions\": {\"vel\": \"%s\"}, \"threads\": %d, \"cells\": %lld, \"genes\": %lld, "
             "\"bytes\": {\"inputs\": %lld, \"results\": %lld, \"data\": %lld, \"budget\": %lld, \"estimate\": %lld}}",
             VEL_VERSION, j->threads, (long long)vel_n_obs(j->ad), (long long)vel_n_vars(j->ad), (long long)b->inputs,
             (long long)b->results, (long long)b->data, (long long)b->budget, (long long)b->estimate);
    return bench_tell_frame(j->fd, frame) ? VEL_OK : vel_fail(ctx, VEL_ETERM, "the runner is gone");
}

static vel_err work(vel_ctx *ctx, job *j) {
    static vel_err (*const scopes[])(vel_ctx *, job *) = {time_op, time_read, time_write, time_whole};
    VEL_TRY(scopes[j->scope](ctx, j));
    return tell(ctx, j);
}

int bench_worker_main(int argc, char **argv) {
    job j;
    if (!read_job(argc, argv, &j)) {
        fputs("velbench worker: not a job\n", stderr);
        return vel_err_exit(VEL_EUSAGE);
    }
    j.fd = bench_result_fd();
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = j.threads};
    const vel_err e = ctx.scratch ? work(&ctx, &j) : VEL_ENOMEM;
    if (e != VEL_OK) fprintf(stderr, "%s: %s\n", vel_err_words(e), ctx.message);
    vel_adata_free(j.ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
