/* make_toy FILE [silent|odd]: the toy data as a file, for the command-line tests; silent: every unspliced count is 0;
 * odd: names that two cells and two genes have, a negative value of gene3 in X. */
#include <string.h>

#include "io/h5ad.h"
#include "tests/pipelines/toy.h"

static vel_err silence(vel_ctx *ctx, vel_adata *ad) {
    vel_field *f;
    VEL_TRY(vel_edit(ctx, ad, "layers/unspliced", &f));
    memset(f->data, 0, (size_t)f->indptr[f->rows] * vel_type_size(f->type));
    return VEL_OK;
}

static vel_err rename_second(vel_ctx *ctx, vel_adata *ad, bool of_vars) {
    char **names;
    VEL_TRY(of_vars ? vel_var_names(ctx, ad, &names) : vel_obs_names(ctx, ad, &names));
    const char *renamed[TOY_CELLS];
    int64_t n = of_vars ? TOY_GENES : TOY_CELLS;
    for (int64_t i = 0; i < n; i++) renamed[i] = i == 1 ? names[0] : names[i];
    return vel_put_names(ctx, ad, of_vars, renamed);
}

static vel_err make_odd(vel_ctx *ctx, vel_adata *ad) {
    vel_field *f;
    int64_t e = 0;
    VEL_TRY(rename_second(ctx, ad, false));
    VEL_TRY(rename_second(ctx, ad, true));
    VEL_TRY(vel_edit(ctx, ad, "X", &f));
    while (f->indices[e] != 3) e++;
    ((float *)f->data)[e] = -3;
    return VEL_OK;
}

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad = NULL;
    vel_err e = argc >= 2 && ctx.scratch ? toy_make(&ctx, &ad) : VEL_EUSAGE;
    if (!e && argc == 3 && !strcmp(argv[2], "silent")) e = silence(&ctx, ad);
    if (!e && argc == 3 && !strcmp(argv[2], "odd")) e = make_odd(&ctx, ad);
    if (!e) e = vel_h5ad_write(&ctx, ad, argv[1]);
    if (e) fprintf(stderr, "make_toy: %s\n", ctx.message);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
