#include "pipelines/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "core/text.h"

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int64_t unique_texts(const char **names, int64_t n) {
    qsort(names, (size_t)n, sizeof *names, compare_texts);
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || strcmp(names[i], names[kept - 1])) names[kept++] = names[i];
    return kept;
}

static vel_err group_texts(vel_ctx *ctx, const vel_field *f, vel_groups *g) {
    const char **names;
    int32_t *codes;
    int64_t present = 0;
    VEL_TRY(VEL_ALLOC(ctx, names, f->rows));
    VEL_TRY(VEL_ALLOC(ctx, codes, f->rows));
    for (int64_t i = 0; i < f->rows; i++)
        if (f->texts[i]) names[present++] = f->texts[i];
    g->n_names = unique_texts(names, present);
    for (int64_t i = 0; i < f->rows; i++) {
        const char **at =
            f->texts[i] ? bsearch(&f->texts[i], names, (size_t)g->n_names, sizeof *names, compare_texts) : NULL;
        codes[i] = at ? (int32_t)(at - names) : -1;
    }
    g->names = names;
    g->codes = codes;
    return VEL_OK;
}

static vel_err name_numbers(vel_ctx *ctx, const vel_field *f, const double *values, int64_t n, vel_groups *g) {
    const char **names;
    VEL_TRY(VEL_ALLOC(ctx, names, n));
    for (int64_t i = 0; i < n; i++) {
        char text[32];
        if (f->origin == VEL_BOOL)
            snprintf(text, sizeof text, "%s", values[i] != 0 ? "True" : "False");
        else
            snprintf(text, sizeof text, "%.0f", values[i]);
        names[i] = vel_arena_strdup(ctx->scratch, text);
        if (!names[i]) return vel_no_memory(ctx, sizeof text, 1);
    }
    g->names = names;
    g->n_names = n;
    return VEL_OK;
}

static vel_err group_numbers(vel_ctx *ctx, const vel_field *f, vel_groups *g) {
    double *values;
    int32_t *codes;
    int64_t n = 0;
    VEL_TRY(VEL_ALLOC(ctx, values, f->rows));
    VEL_TRY(VEL_ALLOC(ctx, codes, f->rows));
    for (int64_t i = 0; i < f->rows; i++)
        if (!f->mask || !f->mask[i]) values[n++] = vel_field_real(f, i);
    qsort(values, (size_t)n, sizeof *values, compare_numbers);
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || values[i] != values[kept - 1]) values[kept++] = values[i];
    for (int64_t i = 0; i < f->rows; i++) {
        double x = vel_field_real(f, i), *at = bsearch(&x, values, (size_t)kept, sizeof *values, compare_numbers);
        codes[i] = at && !(f->mask && f->mask[i]) ? (int32_t)(at - values) : -1;
    }
    g->codes = codes;
    return name_numbers(ctx, f, values, kept, g);
}

vel_err vel_read_groups(vel_ctx *ctx, vel_adata *ad, const char *key, vel_groups *g) {
    const char *path;
    const vel_field *f;
    VEL_TRY(vel_path_of(ctx, "obs/", key, "", &path));
    VEL_TRY(vel_get(ctx, ad, path, &f));
    *g = (vel_groups){.key = key, .n = f->rows};
    if (f->kind == VEL_CATEGORICAL) {
        g->n_names = f->n_categories;
        g->names = (const char *const *)f->texts;
        g->codes = f->codes;
        return VEL_OK;
    }
    if (f->kind == VEL_TEXTS && f->ndim == 1) return group_texts(ctx, f, g);
    bool whole = f->kind == VEL_DENSE && f->ndim == 1 && f->origin >= VEL_BOOL && f->origin <= VEL_U64;
    if (whole) return group_numbers(ctx, f, g);
    return vel_fail(ctx, VEL_ETYPE, "%s of %s is no column of groups: categories, texts or whole numbers", path,
                    vel_adata_name(ad));
}

vel_err vel_find_groups(vel_ctx *ctx, vel_adata *ad, const char *key, vel_groups *g) {
    const char *const keys[] = {key, "clusters", "louvain"};
    for (int i = 0; i < 3; i++) {
        const char *path;
        if (!keys[i]) continue;
        VEL_TRY(vel_path_of(ctx, "obs/", keys[i], "", &path));
        if (vel_has(ad, path)) return vel_read_groups(ctx, ad, keys[i], g);
    }
    return vel_fail(ctx, VEL_EKEY, "%s has no obs/%s%s and no obs/louvain; groupby names the column of the groups",
                    vel_adata_name(ad), key ? key : "clusters", key ? ", no obs/clusters" : "");
}

/* Marks the group that an option names; VEL_EUSAGE lists those that there are. */
static vel_err mark_name(vel_ctx *ctx, const vel_groups *g, const char *option, const vel_value *name,
                         uint8_t *wanted) {
    vel_text t = vel_text_new(ctx->scratch);
    const char *text = name->text;
    if (name->kind != VEL_VTEXT) {
        vel_text_value(&t, name);
        VEL_TRY(vel_text_done(ctx, &t, &text));
    }
    for (int64_t k = 0; k < g->n_names; k++)
        if (!strcmp(g->names[k], text)) {
            wanted[k] = 1;
            return VEL_OK;
        }
    vel_text all = vel_text_new(ctx->scratch);
    for (int64_t k = 0; k < g->n_names && k < 40; k++) vel_text_add(&all, "%s%s", k ? ", " : "", g->names[k]);
    const char *known;
    VEL_TRY(vel_text_done(ctx, &all, &known));
    return vel_fail(ctx, VEL_EUSAGE, "%s=%s is no group of obs/%s; it has: %s", option, text, g->key,
                    g->n_names ? known : "none");
}

vel_err vel_cells_of_groups(vel_ctx *ctx, const vel_groups *g, const char *option, const vel_value *names,
                            uint8_t **cells) {
    uint8_t *wanted;
    int64_t count = 0;
    VEL_TRY(VEL_ZALLOC(ctx, wanted, g->n_names));
    VEL_TRY(VEL_ALLOC(ctx, *cells, g->n));
    if (names->kind == VEL_VLIST)
        for (int64_t i = 0; i < names->n_items; i++) VEL_TRY(mark_name(ctx, g, option, &names->items[i], wanted));
    else
        VEL_TRY(mark_name(ctx, g, option, names, wanted));
    for (int64_t c = 0; c < g->n; c++) {
        (*cells)[c] = g->codes[c] >= 0 && wanted[g->codes[c]];
        count += (*cells)[c];
    }
    if (!count) return vel_fail(ctx, VEL_EUSAGE, "%s names no cell of obs/%s", option, g->key);
    return VEL_OK;
}
