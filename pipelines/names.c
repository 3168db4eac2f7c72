#include "pipelines/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static vel_err say_of(vel_ctx *ctx, const vel_adata *ad, const char *what, char *const *names, int64_t n) {
    enum { SHOWN = 3 };
    char **sorted;
    const char *shown;
    vel_text t = vel_text_new(ctx->scratch);
    int64_t repeated = 0, bearers = 0;
    if (n < 2) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, sorted, n));
    memcpy(sorted, names, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    for (int64_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && !strcmp(sorted[from], sorted[to]); to++) continue;
        if (to - from < 2) continue;
        if (repeated++ < SHOWN) vel_text_add(&t, "%s%s", repeated > 1 ? ", " : "", sorted[from]);
        bearers += to - from;
    }
    if (!repeated) return VEL_OK;
    VEL_TRY(vel_text_done(ctx, &t, &shown));
    vel_say(ctx, VEL_WARN, "%lld %s of %s share their names (%s%s): results are one a %s, by place", (long long)bearers,
            what, vel_adata_name(ad), shown, repeated > SHOWN ? ", …" : "", *what == 'c' ? "cell" : "gene");
    return VEL_OK;
}

vel_err vel_say_repeated(vel_ctx *ctx, vel_adata *ad) {
    char **names;
    VEL_TRY(vel_obs_names(ctx, ad, &names));
    VEL_TRY(say_of(ctx, ad, "cells", names, vel_n_obs(ad)));
    VEL_TRY(vel_var_names(ctx, ad, &names));
    return say_of(ctx, ad, "genes", names, vel_n_vars(ad));
}
