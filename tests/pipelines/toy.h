/* toy.h - a small data set with everything that a step may ask for first: counts that go through induction and
 * repression, names, groups, an embedding. */
#ifndef VEL_TESTS_PIPELINES_TOY_H
#define VEL_TESTS_PIPELINES_TOY_H

#include <stdio.h>

#include "core/adata.h"

enum { TOY_CELLS = 120, TOY_GENES = 24 };

/* A linear congruential generator (Knuth's MMIX), uniform in [0, 1). */
static inline double toy_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* About Poisson: a sum of trials with small probability, mean as given. */
static inline int toy_count(uint64_t *state, double mean) {
    int n = 0;
    for (int i = 0; i < 60; i++) n += toy_random(state) < mean / 60;
    return n;
}

/* Spliced and unspliced of gene g at time t in [0, 1): up to its switch, then down; u ahead of s. */
static inline double toy_level(int g, double t, double lag) {
    double from = 0.5 * g / TOY_GENES, x = (t - from - lag) / 0.4;
    if (x <= 0) return 0.2;
    return x < 1 ? 0.2 + 9 * x : x < 2 ? 0.2 + 9 * (2 - x) : 0.2;
}

static inline vel_err toy_counts(vel_ctx *ctx, vel_adata *ad, const char *path, double lag, uint64_t seed) {
    float counts[TOY_CELLS][TOY_GENES];
    int64_t stored = 0;
    for (int c = 0; c < TOY_CELLS; c++) {
        for (int g = 0; g < TOY_GENES; g++) {
            counts[c][g] = (float)toy_count(&seed, toy_level(g, (double)c / TOY_CELLS, lag));
            stored += counts[c][g] != 0;
        }
    }
    vel_field *f;
    VEL_TRY(vel_put_sparse(ctx, ad, path, VEL_F32, vel_matrix(TOY_CELLS, TOY_GENES), stored, &f));
    int64_t e = 0;
    for (int c = 0; c < TOY_CELLS; c++) {
        for (int g = 0; g < TOY_GENES; g++) {
            if (counts[c][g] == 0) continue;
            f->indices[e] = g;
            ((float *)f->data)[e++] = counts[c][g];
        }
        f->indptr[c + 1] = e;
    }
    return VEL_OK;
}

static inline vel_err toy_names(vel_ctx *ctx, vel_adata *ad, bool of_vars, const char *stem, int n) {
    char text[TOY_CELLS][16];
    const char *names[TOY_CELLS];
    for (int i = 0; i < n; i++) {
        snprintf(text[i], sizeof text[i], "%s%d", stem, i);
        names[i] = text[i];
    }
    return vel_put_names(ctx, ad, of_vars, names);
}

static inline vel_err toy_make(vel_ctx *ctx, vel_adata **ad) {
    static const char *const groups[] = {"early", "middle", "late"};
    int32_t codes[TOY_CELLS];
    vel_field *umap;
    VEL_TRY(vel_adata_new(ctx, TOY_CELLS, TOY_GENES, ad));
    VEL_TRY(toy_names(ctx, *ad, false, "cell", TOY_CELLS));
    VEL_TRY(toy_names(ctx, *ad, true, "gene", TOY_GENES));
    VEL_TRY(toy_counts(ctx, *ad, "X", 0.1, 1));
    VEL_TRY(toy_counts(ctx, *ad, "layers/spliced", 0.1, 1));
    VEL_TRY(toy_counts(ctx, *ad, "layers/unspliced", 0, 2));
    for (int c = 0; c < TOY_CELLS; c++) codes[c] = 3 * c / TOY_CELLS;
    VEL_TRY(vel_put_categorical(ctx, *ad, "obs/clusters", codes, TOY_CELLS, groups, 3));
    VEL_TRY(vel_put_dense(ctx, *ad, "obsm/X_umap", VEL_F32, vel_matrix(TOY_CELLS, 2), &umap));
    for (int i = 0; i < 2 * TOY_CELLS; i++) ((float *)umap->data)[i] = (float)(i / 2) + 0.25f * (float)(i % 5);
    return VEL_OK;
}

#endif
