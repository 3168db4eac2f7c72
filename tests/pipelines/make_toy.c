/* make_toy FILE [silent]: the toy data as a file, for the command-line tests; silent: every unspliced count is 0. */
#include <string.h>

#include "io/h5ad.h"
#include "pipelines/toy.h"

static vel_err silence(vel_ctx *ctx, vel_adata *ad) {
    vel_field *f;
    VEL_TRY(vel_edit(ctx, ad, "layers/unspliced", &f));
    memset(f->data, 0, (size_t)f->indptr[f->rows] * vel_type_size(f->type));
    return VEL_OK;
}

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad = NULL;
    vel_err e = argc >= 2 && ctx.scratch ? toy_make(&ctx, &ad) : VEL_EUSAGE;
    if (!e && argc == 3 && !strcmp(argv[2], "silent")) e = silence(&ctx, ad);
    if (!e) e = vel_h5ad_write(&ctx, ad, argv[1]);
    if (e) fprintf(stderr, "make_toy: %s\n", ctx.message);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
