/* heard.h - a toy data set, a context that remembers what was said, and ways to spoil the data. */
#ifndef VEL_TESTS_PIPELINES_HEARD_H
#define VEL_TESTS_PIPELINES_HEARD_H

#include <string.h>

#include "pipelines/run.h"
#include "tests/pipelines/toy.h"

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
    char said[1 << 14];
} heard;

static inline void hear(void *user, vel_level level, const char *text) {
    (void)level;
    heard *h = user;
    size_t n = strlen(h->said);
    snprintf(h->said + n, sizeof h->said - n, "%s\n", text);
}

static inline int heard_setup(void **state) {
    static heard h;
    memset(&h, 0, sizeof h);
    h.ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 2, .sink = {.user = &h, .say = hear}};
    *state = &h;
    return toy_make(&h.ctx, &h.ad);
}

static inline int heard_teardown(void **state) {
    heard *h = *state;
    vel_adata_free(h->ad);
    vel_arena_free(h->ctx.scratch);
    return 0;
}

static inline vel_err heard_run(heard *h, const char *recipe) {
    h->ctx.message[0] = h->said[0] = 0;
    return vel_run_recipe(&h->ctx, recipe, &h->ad);
}

/* A sparse layer as doubles, row-major, x[TOY_CELLS * TOY_GENES]. */
static inline vel_err heard_dense(heard *h, const char *path, double *x) {
    const vel_field *f;
    VEL_TRY(vel_get(&h->ctx, h->ad, path, &f));
    memset(x, 0, (size_t)(f->rows * f->cols) * sizeof *x);
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t e = f->indptr[i]; e < f->indptr[i + 1]; e++)
            x[i * f->cols + f->indices[e]] =
                f->type == VEL_F32 ? (double)((float *)f->data)[e] : ((double *)f->data)[e];
    return VEL_OK;
}

/* Multiplies the values of a float32 layer in rows from first on. */
static inline vel_err heard_scale(heard *h, const char *path, int64_t first, float by) {
    vel_field *f;
    VEL_TRY(vel_edit(&h->ctx, h->ad, path, &f));
    for (int64_t e = f->indptr[first]; e < f->indptr[f->rows]; e++) ((float *)f->data)[e] *= by;
    return VEL_OK;
}

#endif
