/* alter IN.h5ad OUT.h5ad CHANGE …: a copy of a file with something wrong in it, for velcmp to find.
 *
 *     nudge PATH I X    adds X to element I        nan PATH I      makes element I NaN
 *     drop PATH         takes a field out          genes N         keeps the first N genes
 *     rename I NAME     renames gene I */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5ad.h"

static vel_err set(vel_ctx *ctx, vel_adata *ad, const char *path, long i, double added) {
    vel_field *f;
    VEL_TRY(vel_edit(ctx, ad, path, &f));
    if (f->type == VEL_F32)
        ((float *)f->data)[i] += (float)added;
    else
        ((double *)f->data)[i] += added;
    return VEL_OK;
}

static vel_err keep_genes(vel_ctx *ctx, vel_adata *ad, long n) {
    uint8_t *keep;
    VEL_TRY(VEL_ZALLOC(ctx, keep, vel_n_vars(ad)));
    memset(keep, 1, (size_t)n);
    return vel_keep_vars(ctx, ad, keep);
}

static vel_err rename_gene(vel_ctx *ctx, vel_adata *ad, long i, const char *name) {
    char **names;
    const char **changed;
    VEL_TRY(vel_var_names(ctx, ad, &names));
    VEL_TRY(VEL_ALLOC(ctx, changed, vel_n_vars(ad)));
    for (int64_t k = 0; k < vel_n_vars(ad); k++) changed[k] = k == i ? name : names[k];
    return vel_put_names(ctx, ad, true, changed);
}

static vel_err change(vel_ctx *ctx, vel_adata *ad, int argc, char **argv, int *at) {
    const char *what = argv[*at];
    char **given = &argv[*at + 1];
    int left = argc - *at - 1;
    if (strcmp(what, "nudge") == 0 && left >= 3) {
        *at += 4;
        return set(ctx, ad, given[0], atol(given[1]), strtod(given[2], NULL));
    }
    if (strcmp(what, "nan") == 0 && left >= 2) {
        *at += 3;
        return set(ctx, ad, given[0], atol(given[1]), NAN);
    }
    if (strcmp(what, "drop") == 0 && left >= 1) {
        *at += 2;
        return vel_has(ad, given[0]) ? vel_drop(ctx, ad, given[0]) : vel_fail(ctx, VEL_EKEY, "no %s", given[0]);
    }
    if (strcmp(what, "genes") == 0 && left >= 1) {
        *at += 2;
        return keep_genes(ctx, ad, atol(given[0]));
    }
    if (strcmp(what, "rename") == 0 && left >= 2) {
        *at += 3;
        return rename_gene(ctx, ad, atol(given[0]), given[1]);
    }
    return vel_fail(ctx, VEL_EUSAGE, "what is %s?", what);
}

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad = NULL;
    if (argc < 3 || !ctx.scratch) return 2;
    vel_err e = vel_h5ad_open(&ctx, argv[1], &ad);
    for (int at = 3; at < argc && e == VEL_OK;) e = change(&ctx, ad, argc, argv, &at);
    if (e == VEL_OK) e = vel_h5ad_write(&ctx, ad, argv[2]);
    if (e != VEL_OK) fprintf(stderr, "alter: %s\n", ctx.message);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
