#include "core/normalize.h"
#include "pipelines/layers.h"
#include "pipelines/preprocess.h"
#include "pipelines/step.h"

typedef struct {
    vel_value base;
} opts;

/* scanpy's record: a dictionary with the base, or without it for natural logarithms. */
static vel_err record(vel_ctx *ctx, vel_adata *ad, double base) {
    VEL_TRY(vel_drop(ctx, ad, "uns/log1p"));
    VEL_TRY(vel_put_real(ctx, ad, "uns/log1p/base", base));
    return base > 0 ? VEL_OK : vel_drop(ctx, ad, "uns/log1p/base");
}

vel_err vel_log1p_x(vel_ctx *ctx, vel_adata *ad, double base) {
    vel_counts m;
    vel_flawed fraction;
    void *values;
    bool finite;
    VEL_TRY(vel_need_x(ctx, ad, &m));
    VEL_TRY(vel_find_flaw(ctx, ad, "X", &m, VEL_NOT_WHOLE, &fraction));
    if (vel_has(ad, "uns/log1p") && fraction.row >= 0) {
        vel_say(ctx, VEL_WARN, "X is logarithmised already (uns/log1p): it is left as it is");
        return VEL_OK;
    }
    VEL_TRY(vel_edit_counts(ctx, ad, "X", &m, &values));
    VEL_TRY(vel_normalize_log1p(ctx, m.type, vel_counts_stored(&m), values, base, &finite));
    if (finite) vel_note_free_of(ad, "X", 1u << VEL_NOT_FINITE);
    VEL_TRY(vel_drop_not_finite(ctx, ad, "X")); /* of -1 and below there is no logarithm */
    return record(ctx, ad, base);
}

static vel_err check(vel_ctx *ctx, const void *arg) {
    const opts *o = arg;
    if (vel_number_or(&o->base, 0) != 1) return VEL_OK;
    return vel_fail(ctx, VEL_EUSAGE, "option base takes a number, above 0 and not 1, or none, found 1");
}

static vel_err run(vel_ctx *ctx, vel_adata *ad, const void *arg) {
    const opts *o = arg;
    return vel_log1p_x(ctx, ad, vel_number_or(&o->base, 0));
}

static const vel_opt rows[] = {
    VEL_OPT(opts, base, VEL_ONUMBER, "none", "above 0", "base of the logarithm; none: natural"),
    {0},
};

static const vel_key reads[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .optional = true},
    {.name = "layers/spliced", .shape = VEL_OBS_VAR, .optional = true, .unless = "X"},
    {.name = "uns/log1p", .shape = VEL_UNS, .optional = true},
    {0},
};

static const vel_key writes[] = {
    {.name = "X", .shape = VEL_OBS_VAR, .type = VEL_F32},
    {.name = "uns/log1p", .shape = VEL_UNS},
    {0},
};

const vel_step vel_step_log1p = {
    .name = "log1p",
    .help = "log(1 + x) of X; the layers stay as they are",
    .example = "vel log1p normalized.h5ad -o logged.h5ad",
    .inputs = 1,
    .reads = reads,
    .writes = writes,
    .opts = rows,
    .opts_size = sizeof(opts),
    .work = {.cell = 8, .values_only = VEL_ANY_GENES},
    .check = check,
    .run = run,
};
