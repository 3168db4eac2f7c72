/* adata_store.h - a handle on a store in memory, for the tests of core/adata*.c: set-up and tear-down of each test. */
#ifndef VEL_TESTS_ADATA_STORE_H
#define VEL_TESTS_ADATA_STORE_H

#include "core/adata.h"
#include "core/field.h"

enum { CELLS = 5, GENES = 4 };

/* ---- a store in memory: a few fields of 5 cells and 4 genes */

static const vel_entry entries[] = {
    {"X", VEL_DENSE, VEL_F32, 2, CELLS, GENES, CELLS *GENES, .encoding = "array"},
    {"layers", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, .encoding = "dict"},
    {"layers/counts", VEL_SPARSE, VEL_I64, 2, CELLS, GENES, 7, .encoding = "csr_matrix"},
    {"obs", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, .encoding = "dataframe"},
    {"obs/_index", VEL_TEXTS, VEL_NOTYPE, 1, CELLS, 1, CELLS, .encoding = "string-array"},
    {"obs/group", VEL_CATEGORICAL, VEL_NOTYPE, 1, CELLS, 1, CELLS, .encoding = "categorical"},
    {"obsm/odd", VEL_OTHER, VEL_NOTYPE, 0, 0, 0, 0, .encoding = "awkward-array"},
    {"uns", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, .encoding = "dict"},
    {"uns/params", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, .encoding = "dict"},
    {"uns/params/mode", VEL_TEXTS, VEL_NOTYPE, 0, 1, 1, 1, .encoding = "string"},
};

typedef struct {
    int reads, closed;
    bool failing;
} memory;

static vel_err read_whole(vel_ctx *ctx, const char *path, vel_field *out) {
    static const char *const names[] = {"a", "b", "c", "d", "e"}, *const groups[] = {"even", "odd"}, *mode = "fast";
    if (!strcmp(path, "X")) {
        VEL_TRY(vel_field_dense(ctx, VEL_F32, vel_matrix(CELLS, GENES), out));
        out->gene_major = true;
        for (int c = 0; c < CELLS; c++)
            for (int g = 0; g < GENES; g++) ((float *)out->data)[g * CELLS + c] = (float)(10 * c + g);
        return VEL_OK;
    }
    if (!strcmp(path, "layers/counts")) {
        VEL_TRY(vel_field_sparse(ctx, VEL_F64, vel_matrix(CELLS, GENES), 7, out));
        memcpy(out->indptr, (int64_t[]){0, 2, 2, 4, 5, 7}, (CELLS + 1) * sizeof *out->indptr);
        memcpy(out->indices, (int32_t[]){0, 3, 1, 2, 3, 0, 1}, 7 * sizeof *out->indices);
        for (int e = 0; e < 7; e++) ((double *)out->data)[e] = e + 1;
        return VEL_OK;
    }
    if (!strcmp(path, "obs/_index")) return vel_field_texts(ctx, names, CELLS, out);
    if (!strcmp(path, "obs/group")) {
        VEL_TRY(vel_field_categorical(ctx, CELLS, groups, 2, out));
        for (int c = 0; c < CELLS; c++) out->codes[c] = c == 4 ? -1 : c % 2;
        return VEL_OK;
    }
    return vel_field_texts(ctx, &mode, -1, out);
}

static void flags(const int64_t *selection, int64_t n_selected, int64_t n, uint8_t *keep) {
    memset(keep, selection ? 0 : 1, (size_t)n);
    for (int64_t i = 0; selection && i < n_selected; i++) keep[selection[i]] = 1;
}

static vel_err memory_read(vel_ctx *ctx, void *self, const char *path, const vel_selection *sel, vel_field *out) {
    memory *m = self;
    m->reads++;
    if (m->failing) return vel_fail(ctx, VEL_EREAD, "the disk is gone");
    VEL_TRY(read_whole(ctx, path, out));
    uint8_t obs[CELLS], var[GENES];
    flags(sel->obs, sel->n_obs, CELLS, obs);
    flags(sel->var, sel->n_vars, GENES, var);
    int32_t places[GENES];
    vel_field_places(var, GENES, places);
    if (out->ndim >= 1) vel_field_cut(out, obs, places);
    return VEL_OK;
}

static void memory_close(void *self) { ((memory *)self)->closed++; }

/* ---- fixture */

typedef struct {
    vel_ctx ctx;
    memory memory;
    vel_adata *ad;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 2}};
    vel_store store = {&f.memory,   "test.h5ad", CELLS, GENES, entries, sizeof entries / sizeof *entries,
                       memory_read, memory_close};
    assert_int_equal(vel_adata_open(&f.ctx, &store, &f.ad), VEL_OK);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    vel_adata_free(f->ad);
    assert_int_equal(f->memory.closed, 1);
    vel_arena_free(f->ctx.scratch);
    return 0;
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
