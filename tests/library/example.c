/* A program of somebody else's, built against an installed libvel: counts in memory through a recipe into a file. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vel.h>

enum { CELLS = 40, GENES = 6 };

static void listen(void *user, vel_level level, const char *text) {
    (void)user;
    fprintf(stderr, "%s%s\n", level == VEL_WARN ? "warning: " : "", text);
}

static vel_err put_counts(vel_ctx *ctx, vel_adata *ad, const char *path, int step) {
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, path, VEL_F32, vel_matrix(CELLS, GENES), &f));
    for (int i = 0; i < CELLS * GENES; i++) ((float *)f->data)[i] = (float)(1 + i * step % 7);
    return VEL_OK;
}

static vel_err work(vel_ctx *ctx, vel_adata **ad, const char *file) {
    VEL_TRY(vel_adata_new(ctx, CELLS, GENES, ad));
    VEL_TRY(put_counts(ctx, *ad, "X", 3));
    VEL_TRY(put_counts(ctx, *ad, "layers/spliced", 3));
    VEL_TRY(put_counts(ctx, *ad, "layers/unspliced", 5));
    VEL_TRY(
        vel_run_recipe(ctx, "filter_genes min_shared_counts=10 | normalize_per_cell max_proportion_per_cell=0.75", ad));
    return vel_h5ad_write(ctx, *ad, file);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    setlocale(LC_ALL, ""); /* as programs with windows do: numbers in recipes have a point all the same */
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = vel_cores(), .sink = {.say = listen}};
    vel_adata *ad = NULL;
    vel_err e = ctx.scratch ? work(&ctx, &ad, argv[1]) : VEL_ENOMEM;
    if (e) fprintf(stderr, "%s: %s\n", vel_err_words(e), ctx.message);
    if (!e) printf("%lld cells x %lld genes\n", (long long)vel_n_obs(ad), (long long)vel_n_vars(ad));
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
