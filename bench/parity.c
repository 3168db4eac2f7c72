#include "verify/parity.h"

#include "bench/format.h"
#include "bench/parity.h"
#include "core/text.h"
#include "pipelines/recipe.h"

/* "recover_dynamics,velocity": the names of the recipe's steps. */
static vel_err steps_of(vel_ctx *ctx, const char *op, const char **steps) {
    vel_recipe recipe;
    vel_text text = vel_text_new(ctx->scratch);
    VEL_TRY(vel_recipe_parse(ctx, ctx->scratch, op, &recipe));
    for (int i = 0; i < recipe.n_calls; i++) vel_text_add(&text, "%s%s", i ? "," : "", recipe.calls[i].name);
    return vel_text_done(ctx, &text, steps);
}

/* How much worse than nothing at all: fields that are not there, then by the number of elements outside. */
static double badness(const vel_outcome *o) {
    if (o->got.verdict == VEL_AGREES) return -1;
    return o->got.verdict == VEL_DRIFTS ? (double)o->got.gap.outside : 1e300;
}

static vel_err describe(vel_ctx *ctx, vel_arena *arena, const vel_outcome *o, const char **text) {
    if (o->got.verdict == VEL_LACKS) return bench_format(ctx, arena, text, "%s: missing", o->path);
    if (o->got.why[0]) return bench_format(ctx, arena, text, "%s: %s", o->path, o->got.why);
    return bench_format(ctx, arena, text, "%s: %lld of %lld outside, max_abs %.3g, max_rel %.3g", o->path,
                        (long long)o->got.gap.outside, (long long)o->got.gap.n, o->got.gap.max_abs, o->got.gap.max_rel);
}

vel_err bench_check_parity(vel_ctx *ctx, vel_arena *arena, const char *op, vel_strictness strictness,
                           const char *reference, const char *result, bench_parity *parity) {
    vel_parity_options options = VEL_PARITY_DEFAULTS;
    options.strictness = strictness;
    vel_parity found;
    options.worst = 0;
    if (*op) VEL_TRY(steps_of(ctx, op, &options.steps));
    VEL_TRY(vel_compare_files(ctx, reference, result, &options, &found));
    *parity =
        (bench_parity){.done = true, .passes = vel_parity_passes(&found), .passed = found.passed, .total = found.n};
    if (parity->passes) return VEL_OK;
    if (found.why[0]) return bench_keep(ctx, arena, found.why, &parity->worst);
    const vel_outcome *worst = NULL;
    for (int64_t i = 0; i < found.n; i++)
        if (badness(&found.outcomes[i]) > (worst ? badness(worst) : -1)) worst = &found.outcomes[i];
    return worst ? describe(ctx, arena, worst, &parity->worst)
                 : bench_keep(ctx, arena, "nothing was compared", &parity->worst);
}
