/* velocity_toy.h - the toy on its way through recipes, for tests of the velocity steps. */
#ifndef VEL_TESTS_PIPELINES_VELOCITY_TOY_H
#define VEL_TESTS_PIPELINES_VELOCITY_TOY_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines/run.h"
#include "tests/pipelines/toy.h"

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
    char said[4096]; /* everything, line by line */
} velocity_toy;

static inline void toy_listen(void *user, vel_level level, const char *text) {
    velocity_toy *t = user;
    (void)level;
    size_t length = strlen(t->said);
    snprintf(t->said + length, sizeof t->said - length, "%s\n", text);
}

/* A toy that has been through a recipe. */
static inline velocity_toy *toy_after(const char *recipe) {
    velocity_toy *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1, .sink = {.user = t, .say = toy_listen}};
    if (toy_make(&t->ctx, &t->ad) || vel_run_recipe(&t->ctx, recipe, &t->ad)) {
        fprintf(stderr, "%s\n", t->ctx.message);
        abort();
    }
    t->said[0] = 0;
    return t;
}

static inline vel_err toy_run(velocity_toy *t, const char *recipe) {
    t->ctx.message[0] = 0;
    return vel_run_recipe(&t->ctx, recipe, &t->ad);
}

static inline void toy_free(velocity_toy *t) {
    vel_adata_free(t->ad);
    vel_arena_free(t->ctx.scratch);
    free(t);
}

static inline vel_field *toy_field(velocity_toy *t, const char *path) {
    vel_field *f;
    if (vel_edit(&t->ctx, t->ad, path, &f)) {
        fprintf(stderr, "%s\n", t->ctx.message);
        abort();
    }
    return f;
}

/* Element (cell, gene) of a float32 layer. */
static inline float toy_at(velocity_toy *t, const char *layer, int64_t cell, int64_t gene) {
    const vel_field *f = toy_field(t, layer);
    return ((const float *)f->data)[gene * f->rows + cell];
}

#endif
