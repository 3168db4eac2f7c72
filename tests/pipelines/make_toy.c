/* make_toy FILE: the toy data as a file, for the command-line tests. */
#include "io/h5ad.h"
#include "pipelines/toy.h"

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad = NULL;
    vel_err e = argc == 2 && ctx.scratch ? toy_make(&ctx, &ad) : VEL_EUSAGE;
    if (!e) e = vel_h5ad_write(&ctx, ad, argv[1]);
    if (e) fprintf(stderr, "make_toy: %s\n", ctx.message);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
