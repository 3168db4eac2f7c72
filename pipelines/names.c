#include "pipelines/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "core/text.h"
#include "core/xxh3.h"

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Whether two of n names are the same. A table of places, and one more, at most half full, by the names' hashes. */
static vel_err any_repeated(vel_ctx *ctx, char *const *names, int64_t n, bool *any) {
    uint64_t size = 2;
    int64_t *places;
    while (size < 2 * (uint64_t)n) size *= 2;
    VEL_TRY(VEL_ZALLOC(ctx, places, size));
    *any = false;
    for (int64_t i = 0; i < n && !*any; i++) {
        uint64_t at = XXH3_64bits(names[i], strlen(names[i])) & (size - 1);
        while (places[at] && strcmp(names[places[at] - 1], names[i]) != 0) at = (at + 1) & (size - 1);
        *any = places[at];
        places[at] = i + 1;
    }
    return VEL_OK;
}

static vel_err say_of(vel_ctx *ctx, const vel_adata *ad, const char *what, char *const *names, int64_t n) {
    enum { SHOWN = 3 };
    char **sorted;
    const char *shown;
    vel_text t = vel_text_new(ctx->scratch);
    int64_t repeated = 0, bearers = 0;
    bool any;
    VEL_TRY(any_repeated(ctx, names, n, &any));
    if (!any) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, sorted, n));
    memcpy(sorted, names, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    for (int64_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && !strcmp(sorted[from], sorted[to]); to++) continue;
        if (to - from < 2) continue;
        if (repeated++ < SHOWN) vel_text_add(&t, "%s%s", repeated > 1 ? ", " : "", sorted[from]);
        bearers += to - from;
    }
    VEL_TRY(vel_text_done(ctx, &t, &shown));
    vel_say(ctx, VEL_WARN, "%lld %s of %s share their names (%s%s): results are one a %s, by place", (long long)bearers,
            what, vel_adata_name(ad), shown, repeated > SHOWN ? ", …" : "", *what == 'c' ? "cell" : "gene");
    return VEL_OK;
}

static vel_err look_at(vel_ctx *ctx, vel_adata *ad, const char *path, const char *what) {
    const vel_field *f = vel_borrow(ad, path);
    vel_field own = {0};
    vel_err e = VEL_OK;
    if (!f && !vel_has(ad, path)) return VEL_OK; /* numbers */
    if (!f) VEL_TRY(vel_peek(ctx, ad, path, NULL, &own));
    if (!f) f = &own;
    if (f->kind == VEL_TEXTS) e = say_of(ctx, ad, what, f->texts, f->rows);
    vel_field_free(&own);
    return e;
}

vel_err vel_say_repeated(vel_ctx *ctx, vel_adata *ad) {
    VEL_TRY(look_at(ctx, ad, "obs/_index", "cells"));
    return look_at(ctx, ad, "var/_index", "genes");
}
