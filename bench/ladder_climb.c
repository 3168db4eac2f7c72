#include "bench/ladder_climb.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "bench/backend.h"
#include "bench/clock.h"
#include "bench/files.h"
#include "bench/fixture.h"
#include "bench/format.h"

enum { MOST_COMMAND = 4, MOST_WORDS = 24, LEAST_LIMIT = 5 };

/* One rung of one side: where its steps find what they start from. */
typedef struct {
    bench_ladder *ladder;
    bench_side *side;
    int rung;
    const char *folder, *fitted;
    const char *input[BENCH_LADDER_INPUTS]; /* NULL: not made yet */
    const char *wrong[BENCH_LADDER_INPUTS]; /* why it cannot be made */
    bool made[BENCH_LADDER_INPUTS];         /* it was not there */
} landing;

static double left_s(const bench_ladder *ladder) {
    return ladder->budget_s - (double)(bench_now_ns() - ladder->started_ns) / 1e9;
}

/* What a child may take. */
static double limit_s(const bench_ladder *ladder) { return fmax(left_s(ladder), LEAST_LIMIT); }

typedef struct {
    const char *input, *forget, *before, *op, *result;
    bool untimed;
} task;

static vel_err run_child(vel_ctx *ctx, const bench_ladder *ladder, const task *what, bench_child *child) {
    const char *argv[MOST_WORDS], *threads;
    const char *const *env;
    const int n_threads = ladder->run->request.threads;
    int n = 0;
    VEL_TRY(bench_format(ctx, ctx->scratch, &threads, "%d", n_threads));
    for (const char *const *word = ladder->run->backends[0].command; *word && n < MOST_COMMAND; word++)
        argv[n++] = *word;
    const char *const options[][2] = {{"--input", what->input}, {"--forget", what->forget}, {"--before", what->before},
                                      {"--op", what->op},       {"--result", what->result}, {"--threads", threads}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (!options[i][1]) continue;
        argv[n++] = options[i][0];
        argv[n++] = options[i][1];
    }
    if (what->untimed) argv[n++] = "--untimed";
    argv[n] = NULL;
    VEL_TRY(bench_thread_environment(ctx, n_threads, &env));
    const int64_t safe = bench_limit_safe(), asked = ladder->run->request.memory;
    const bench_job job = {.argv = argv,
                           .env = env,
                           .limit_s = limit_s(ladder),
                           .memory = asked > 0 && (safe <= 0 || asked < safe) ? asked : safe,
                           .threads = n_threads};
    return bench_child_run(ctx, &job, child);
}

static vel_err keep_story(vel_ctx *ctx, const bench_ladder *ladder, const bench_child *child, const char **reason) {
    const char *story;
    VEL_TRY(bench_child_story(ctx, child, &story));
    return bench_keep(ctx, ladder->run->arena, story, reason);
}

static vel_err simulate(vel_ctx *ctx, landing *at, bench_ladder_input which) {
    const bench_row plain = {0}; /* the default fixture */
    bench_line line = {.row = &plain, .stand_in = which == BENCH_LADDER_COUNTS, .making_s = limit_s(at->ladder)};
    bench_ladder_shape(at->ladder, at->side, at->rung, &line.cells, &line.genes);
    VEL_TRY(bench_fixture(ctx, at->ladder->run, &line));
    at->made[which] = line.made_now;
    if (line.state == BENCH_LINE_FIXTURE)
        at->wrong[which] = line.reason;
    else
        at->input[which] = line.input;
    return VEL_OK;
}

static vel_err fit(vel_ctx *ctx, landing *at) {
    bench_child child;
    const task what = {
        .input = at->input[BENCH_LADDER_MOMENTS], .op = bench_ladder_fit, .result = at->fitted, .untimed = true};
    at->made[BENCH_LADDER_FITTED] = access(at->fitted, R_OK) != 0;
    if (at->made[BENCH_LADDER_FITTED]) {
        VEL_TRY(run_child(ctx, at->ladder, &what, &child));
        if (child.outcome != BENCH_OK) return keep_story(ctx, at->ladder, &child, &at->wrong[BENCH_LADDER_FITTED]);
    }
    at->input[BENCH_LADDER_FITTED] = at->fitted;
    return VEL_OK;
}

static vel_err make_input(vel_ctx *ctx, landing *at, bench_ladder_input which) {
    if (at->input[which] || at->wrong[which]) return VEL_OK;
    if (which == BENCH_LADDER_FITTED) {
        VEL_TRY(make_input(ctx, at, BENCH_LADDER_MOMENTS));
        at->wrong[which] = at->wrong[BENCH_LADDER_MOMENTS];
        if (at->wrong[which]) return VEL_OK;
    }
    const int64_t start = bench_now_ns();
    VEL_TRY(which == BENCH_LADDER_FITTED ? fit(ctx, at) : simulate(ctx, at, which));
    if (at->made[which]) at->side->making_s[which][at->rung] = (double)(bench_now_ns() - start) / 1e9;
    at->side->ready[which][at->rung] = true;
    return VEL_OK;
}

static bool wants_fitted(const bench_side *side) {
    for (int i = 0; i < side->n_climbs; i++)
        if (side->climbs[i].step->input == BENCH_LADDER_FITTED) return true;
    return false;
}

static void keep_sample(bench_rung *r, const bench_child *child, const json_t *frame) {
    const bench_sample *s = &child->sample;
    r->samples[r->n++] = *s;
    r->state = BENCH_RUNG_RAN;
    r->cells = json_integer_value(json_object_get(frame, "cells"));
    r->genes = json_integer_value(json_object_get(frame, "genes"));
    r->wall_s = fmin(r->wall_s, (double)s->wall_ns / 1e9); /* fmin and fmax pass over NaN */
    r->cpu_s = fmin(r->cpu_s, (double)s->cpu_ns / 1e9);
    r->added_b = fmax(r->added_b, (double)s->peak_added_kb * 1024);
    r->peak_b = fmax(r->peak_b, (double)s->peak_rss_kb * 1024);
    r->life_s = fmax(r->life_s, child->took_s);
}

static vel_err measure_once(vel_ctx *ctx, landing *at, const bench_climb *climb, bench_rung *r) {
    const bench_ladder_step *step = climb->step;
    const bool makes_fitted = strcmp(step->op, bench_ladder_fit) == 0 && r->n == 0 && wants_fitted(at->side);
    const task what = {.input = at->input[step->input],
                       .forget = step->forget,
                       .before = *step->before ? step->before : NULL,
                       .op = step->op,
                       .result = makes_fitted ? at->fitted : NULL};
    bench_child child;
    VEL_TRY(run_child(ctx, at->ladder, &what, &child));
    if (child.outcome != BENCH_OK || !child.timed) {
        /* the samples that came before this one stand */
        r->state = child.outcome == BENCH_TIMEOUT ? BENCH_RUNG_STOPPED : BENCH_RUNG_FAILED;
        return keep_story(ctx, at->ladder, &child, &r->reason);
    }
    json_t *frame = json_loads(child.frame, 0, NULL);
    keep_sample(r, &child, frame);
    json_decref(frame);
    return VEL_OK;
}

/* Whether the rungs below allow this one; if not, says why. */
static vel_err may_begin(vel_ctx *ctx, const landing *at, const bench_climb *climb, bench_rung *r, bool *may) {
    const bench_rung *below = at->rung ? &climb->rung[at->rung - 1] : NULL;
    const double need = bench_ladder_expect(at->ladder, at->side, climb, at->rung), left = left_s(at->ladder);
    *may = need <= left;
    if (below && below->state != BENCH_RUNG_RAN) {
        *may = false;
        r->state = BENCH_RUNG_STOPPED;
        r->reason = "the rung below was not reached";
        return VEL_OK;
    }
    if (*may) return VEL_OK;
    r->state = BENCH_RUNG_STOPPED;
    return bench_format(ctx, at->ladder->run->arena, &r->reason,
                        "stopped: it would take about %.0f s, and %.0f s of the budget are left", need, fmax(left, 0));
}

static vel_err measure_rung(vel_ctx *ctx, landing *at, bench_climb *climb) {
    bench_rung *r = &climb->rung[at->rung];
    const bench_ladder_input input = climb->step->input;
    bool may;
    VEL_TRY(may_begin(ctx, at, climb, r, &may));
    if (!may) return VEL_OK;
    VEL_TRY(make_input(ctx, at, input));
    if (at->wrong[input]) {
        r->state = left_s(at->ladder) > 0 ? BENCH_RUNG_FAILED : BENCH_RUNG_STOPPED;
        r->reason = at->wrong[input];
        return VEL_OK;
    }
    double taken_s = 0;
    for (int i = 0; i < at->ladder->run->request.repeat && taken_s < BENCH_LADDER_ENOUGH; i++) {
        VEL_TRY(measure_once(ctx, at, climb, r));
        vel_arena_reset(ctx->scratch);
        if (r->state != BENCH_RUNG_RAN) break;
        taken_s += r->life_s;
    }
    return VEL_OK;
}

static vel_err climb_to(vel_ctx *ctx, bench_ladder *ladder, bench_side *side, int rung, const char *folder) {
    landing at = {.ladder = ladder, .side = side, .rung = rung, .folder = folder};
    VEL_TRY(bench_format(ctx, ladder->run->arena, &at.fitted, "%s/fitted.h5ad", folder));
    VEL_TRY(bench_make_folder(ctx, folder));
    vel_err e = VEL_OK;
    for (int i = 0; i < side->n_climbs && e == VEL_OK; i++) {
        e = measure_rung(ctx, &at, &side->climbs[i]);
        vel_arena_reset(ctx->scratch);
        if (e != VEL_OK || !ladder->done) continue;
        bench_ladder_conclude(ladder);
        e = ladder->done(ladder->user, side, &side->climbs[i], rung);
        vel_arena_reset(ctx->scratch);
    }
    bench_remove_folder(folder);
    return e;
}

vel_err bench_ladder_climb(vel_ctx *ctx, bench_ladder *ladder) {
    const char *folder;
    vel_err e = VEL_OK;
    ladder->started_ns = bench_now_ns();
    VEL_TRY(bench_format(ctx, ladder->run->arena, &folder, "%s/.velbench-%d", ladder->run->request.out, (int)getpid()));
    for (int rung = 0; rung < BENCH_MOST_SIZES && e == VEL_OK; rung++)
        for (int s = 0; s < BENCH_SIDES && e == VEL_OK; s++)
            if (rung < ladder->sides[s].sizes.n) e = climb_to(ctx, ladder, &ladder->sides[s], rung, folder);
    ladder->run->interrupted = e == VEL_EINTR || e == VEL_ETERM;
    bench_ladder_conclude(ladder);
    return e;
}
