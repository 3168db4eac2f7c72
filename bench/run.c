#include "bench/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "bench/backend.h"
#include "bench/cold.h"
#include "bench/disk.h"
#include "bench/files.h"
#include "bench/fixture.h"
#include "bench/format.h"
#include "bench/parity.h"
#include "bench/plan.h"

enum { MOST_WORDS = 32 };

vel_err bench_run_plan(vel_ctx *ctx, bench_run *run, const bench_row *const *rows, int n) {
    for (int i = 0; i < n; i++) {
        VEL_TRY(bench_plan_line(ctx, run, rows[i], &run->lines[run->n_lines]));
        bench_conclude_line(run, &run->lines[run->n_lines++]); /* no figures yet: said as such */
        vel_arena_reset(ctx->scratch);
    }
    return VEL_OK;
}

static vel_err result_file(vel_ctx *ctx, const bench_run *run, int backend, const char **path) {
    return bench_format(ctx, ctx->scratch, path, "%s/.velbench-%d/result-%s.h5ad", run->request.out, (int)getpid(),
                        run->backends[backend].name);
}

static vel_err job_of(vel_ctx *ctx, const bench_run *run, const bench_line *line, int backend, bool keep_result,
                      bench_job *job) {
    const char **argv, *threads, *within;
    const bench_scope scope = line->row->scope;
    int n = 0;
    VEL_TRY(VEL_ALLOC(ctx, argv, MOST_WORDS));
    VEL_TRY(bench_format(ctx, ctx->scratch, &threads, "%d", line->threads));
    VEL_TRY(bench_format(ctx, ctx->scratch, &within, "%g", line->row->within));
    for (const char *const *word = run->backends[backend].command; *word; word++) argv[n++] = *word;
    const char *const options[] = {"--input",  line->input, "--before", line->before, "--op",
                                   line->op,   "--threads", threads,    "--scope",    bench_scope_word(scope),
                                   "--within", within};
    for (size_t i = line->input ? 0 : 2; i < sizeof options / sizeof options[0]; i++) argv[n++] = options[i];
    if (keep_result || scope == BENCH_SCOPE_WRITE || scope == BENCH_SCOPE_WHOLE) {
        argv[n++] = "--result";
        VEL_TRY(result_file(ctx, run, backend, &argv[n++]));
    }
    if (scope == BENCH_SCOPE_WRITE && line->row->packing) {
        argv[n++] = "--packing";
        argv[n++] = line->row->packing;
    }
    argv[n] = NULL;
    const int64_t safe = bench_limit_safe();
    int64_t memory = run->request.memory ? run->request.memory : line->row->memory;
    if (memory <= 0 || (safe > 0 && memory > safe)) memory = safe;
    *job = (bench_job){.argv = argv, .limit_s = line->row->limit_s, .memory = memory, .threads = line->threads};
    return bench_thread_environment(ctx, line->threads, &job->env);
}

static vel_err keep_failure(vel_ctx *ctx, bench_run *run, bench_cell *cell, const bench_child *c) {
    cell->outcome = c->outcome;
    cell->code = c->code;
    VEL_TRY(bench_keep(ctx, run->arena, c->words, &cell->words));
    const char *story;
    VEL_TRY(bench_child_story(ctx, c, &story));
    return bench_keep(ctx, run->arena, story, &cell->reason);
}

static void keep_bytes(const json_t *frame, bench_bytes *bytes) {
    const json_t *told = json_object_get(frame, "bytes");
    const struct {
        const char *name;
        int64_t *to;
    } rows[] = {{"inputs", &bytes->inputs},
                {"results", &bytes->results},
                {"data", &bytes->data},
                {"budget", &bytes->budget},
                {"estimate", &bytes->estimate}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const json_t *n = json_object_get(told, rows[i].name);
        if (json_is_integer(n)) *rows[i].to = json_integer_value(n);
    }
}

/* A driver may say in its frame that it cannot do this recipe: {"skipped": "why"}. */
static vel_err keep_result(vel_ctx *ctx, bench_run *run, bench_line *line, int backend, bench_child *c, int order) {
    bench_cell *cell = &line->cell[backend];
    json_t *frame = json_loads(c->frame, 0, NULL);
    const char *skipped = json_string_value(json_object_get(frame, "skipped"));
    vel_err e = VEL_OK;
    if (skipped) {
        cell->state = BENCH_CELL_SKIPPED;
        e = bench_keep(ctx, run->arena, skipped, &cell->reason);
    } else if (!json_is_object(frame) || !c->timed) {
        c->outcome = c->timed ? BENCH_BAD_FRAME : BENCH_NO_FRAME;
        c->why = "no JSON object";
        e = keep_failure(ctx, run, cell, c);
    } else {
        cell->samples[cell->n] = c->sample;
        cell->samples[cell->n++].order = order;
        if (!cell->frame) e = bench_keep(ctx, run->arena, c->frame, &cell->frame);
        if (backend == 0) keep_bytes(frame, &line->bytes);
        const json_t *genes = json_object_get(frame, "genes");
        if (line->row->kind != BENCH_VENDOR && json_is_integer(genes)) line->genes = json_integer_value(genes);
    }
    json_decref(frame);
    return e;
}

/* Whether row->without names the program; a scaled run is quick with every one. */
static bool left_out(const bench_run *run, const bench_row *row, int backend) {
    const char *name = run->backends[backend].name;
    const size_t n = strlen(name);
    if (run->request.scale != 1) return false;
    for (const char *p = row->without; p && *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == n && strncmp(p, name, n) == 0) return true;
    return false;
}

/* What the repeat before has written: one program would write over it, another put a new file in its place. */
static vel_err remove_result(vel_ctx *ctx, const bench_run *run, const bench_line *line, int backend) {
    const char *result;
    if (line->row->scope != BENCH_SCOPE_WRITE && line->row->scope != BENCH_SCOPE_WHOLE) return VEL_OK;
    VEL_TRY(result_file(ctx, run, backend, &result));
    unlink(result);
    return VEL_OK;
}

static vel_err cool_input(vel_ctx *ctx, bench_line *line) {
    bool cold;
    VEL_TRY(bench_cool(ctx, line->input, &cold));
    if (!cold) line->warm = true;
    return VEL_OK;
}

/* The file goes out of the page cache. Once a repeat, before our own turn, it is read plainly: what the disk gives, and
 * what it gives to a program that keeps it. */
static vel_err cool(vel_ctx *ctx, bench_line *line, int backend) {
    if (!line->row->cold || !line->input) return VEL_OK;
    VEL_TRY(cool_input(ctx, line));
    if (backend != 0) return VEL_OK;
    VEL_TRY(bench_plain_read(ctx, line->input, &line->plain_s[line->n_plain]));
    VEL_TRY(cool_input(ctx, line));
    VEL_TRY(bench_plain_load(ctx, line->input, &line->load_s[line->n_plain++]));
    return cool_input(ctx, line);
}

/* Once a repeat, after our own turn, as many bytes as it has written are written plainly: what the disk takes. */
static vel_err write_plainly(vel_ctx *ctx, const bench_run *run, bench_line *line, int backend) {
    const char *result;
    if (backend != 0 || line->row->kind != BENCH_IO || line->row->scope != BENCH_SCOPE_WRITE) return VEL_OK;
    VEL_TRY(result_file(ctx, run, backend, &result));
    return bench_plain_write(ctx, result, &line->plain_s[line->n_plain++]);
}

static vel_err run_once(vel_ctx *ctx, bench_run *run, bench_line *line, int backend, bool keep, int order) {
    bench_cell *cell = &line->cell[backend];
    bench_job job;
    bench_child c;
    const bool missing = run->backends[backend].missing != NULL;
    if (missing || left_out(run, line->row, backend)) {
        cell->state = missing ? BENCH_CELL_SKIPPED : BENCH_CELL_LEFT_OUT;
        cell->reason = run->backends[backend].missing;
        return VEL_OK;
    }
    VEL_TRY(job_of(ctx, run, line, backend, keep, &job));
    VEL_TRY(remove_result(ctx, run, line, backend));
    VEL_TRY(cool(ctx, line, backend));
    VEL_TRY(bench_child_run(ctx, &job, &c));
    cell->state = BENCH_CELL_RAN;
    cell->limit = c.limit;
    if (c.outcome != BENCH_OK) return keep_failure(ctx, run, cell, &c);
    VEL_TRY(write_plainly(ctx, run, line, backend));
    return keep_result(ctx, run, line, backend, &c, order);
}

/* Every other repeat runs the programs the other way round, so that a drift of the machine favours none. */
static vel_err repeat_all(vel_ctx *ctx, bench_run *run, int i, const bench_listener *to, int *order) {
    bench_line *line = &run->lines[i];
    for (int repeat = 0; repeat < run->request.repeat; repeat++)
        for (int k = 0; k < run->n_backends; k++) {
            const int b = repeat % 2 ? run->n_backends - 1 - k : k;
            const bench_cell *cell = &line->cell[b];
            const bool stands = cell->state == BENCH_CELL_PENDING || cell->state == BENCH_CELL_RAN;
            if (!stands || cell->outcome != BENCH_OK) continue;
            if (to->start) to->start(to->user, run, i, b, repeat);
            VEL_TRY(run_once(ctx, run, line, b, line->wants_parity && repeat == 0, (*order)++));
            vel_arena_reset(ctx->scratch);
        }
    return VEL_OK;
}

static int reference_of(const bench_run *run) {
    for (int b = 0; b < run->n_backends; b++)
        if (run->backends[b].reference) return b;
    return -1;
}

/* A comparison that cannot be made (a file that is not there, say) is a drift with its reason. */
static vel_err check_one(vel_ctx *ctx, bench_run *run, bench_line *line, int reference, int backend) {
    const char *expected, *got;
    bench_parity *parity = &line->cell[backend].parity;
    VEL_TRY(result_file(ctx, run, reference, &expected));
    VEL_TRY(result_file(ctx, run, backend, &got));
    const vel_err e =
        bench_check_parity(ctx, run->arena, line->op, backend ? VEL_LOOSE : VEL_SPEC, expected, got, parity);
    if (e == VEL_OK || e == VEL_ENOMEM || e == VEL_EINTR || e == VEL_ETERM) return e;
    *parity = (bench_parity){.done = true};
    VEL_TRY(bench_keep(ctx, run->arena, ctx->message, &parity->worst));
    ctx->message[0] = '\0';
    return VEL_OK;
}

static vel_err check_line(vel_ctx *ctx, bench_run *run, bench_line *line) {
    const int reference = reference_of(run);
    if (!line->wants_parity || reference < 0 || line->cell[reference].n == 0) return VEL_OK;
    for (int b = 0; b < run->n_backends; b++) {
        if (b == reference || line->cell[b].n == 0) continue;
        VEL_TRY(check_one(ctx, run, line, reference, b));
        vel_arena_reset(ctx->scratch);
    }
    return VEL_OK;
}

/* A result made within a memory budget is that made without one, byte for byte. */
static vel_err check_budget(vel_ctx *ctx, bench_run *run, bench_line *line) {
    bench_job job;
    bench_child c;
    const char *within, *without;
    if (line->row->within <= 0 || !line->cell[0].n) return VEL_OK;
    VEL_TRY(result_file(ctx, run, 0, &within));
    VEL_TRY(bench_format(ctx, ctx->scratch, &without, "%s.without", within));
    VEL_TRY(job_of(ctx, run, line, 0, false, &job));
    const char **argv;
    int n = 0;
    VEL_TRY(VEL_ALLOC(ctx, argv, MOST_WORDS));
    for (; job.argv[n]; n++) {
        const char *option = n ? job.argv[n - 1] : "";
        argv[n] = strcmp(option, "--result") == 0 ? without : strcmp(option, "--within") == 0 ? "0" : job.argv[n];
    }
    argv[n] = NULL;
    job.argv = argv;
    VEL_TRY(bench_child_run(ctx, &job, &c));
    line->compared = c.outcome == BENCH_OK;
    line->free_mb = line->compared ? (double)c.sample.peak_rss_kb / 1024 : 0;
    return line->compared ? bench_same_bytes(ctx, within, without, &line->same) : VEL_OK;
}

static vel_err do_line(vel_ctx *ctx, bench_run *run, int i, const bench_listener *to, const char *folder, int *order) {
    bench_line *line = &run->lines[i];
    if (line->state == BENCH_LINE_SKIPPED) return VEL_OK;
    if (!line->makes_data && (line->row->kind != BENCH_VENDOR || line->stand_in))
        VEL_TRY(bench_fixture(ctx, run, line));
    vel_arena_reset(ctx->scratch);
    if (line->state != BENCH_LINE_PENDING) return VEL_OK;
    VEL_TRY(bench_make_folder(ctx, folder));
    vel_err e = repeat_all(ctx, run, i, to, order);
    if (e == VEL_OK) e = check_line(ctx, run, line);
    if (e == VEL_OK) e = check_budget(ctx, run, line);
    bench_remove_folder(folder);
    VEL_TRY(e);
    line->state = BENCH_LINE_RAN;
    bench_conclude_line(run, line);
    return VEL_OK;
}

vel_err bench_run_all(vel_ctx *ctx, bench_run *run, const bench_listener *listener) {
    const bench_listener nobody = {0}, *to = listener ? listener : &nobody;
    const char *folder;
    int order = 0;
    VEL_TRY(bench_format(ctx, run->arena, &folder, "%s/.velbench-%d", run->request.out, (int)getpid()));
    for (int i = 0; i < run->n_lines; i++) {
        const vel_err e = do_line(ctx, run, i, to, folder, &order);
        run->interrupted = e == VEL_EINTR || e == VEL_ETERM;
        if (run->interrupted && run->lines[i].state == BENCH_LINE_PENDING && run->lines[i].cell[0].n) {
            run->lines[i].state = BENCH_LINE_RAN; /* the repeats that were finished are kept */
            bench_conclude_line(run, &run->lines[i]);
        }
        if (e != VEL_OK && !run->interrupted) return e;
        bench_conclude_run(run);
        if (to->done) VEL_TRY(to->done(to->user, run, i));
        VEL_TRY(e);
    }
    return VEL_OK;
}
