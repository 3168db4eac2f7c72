/* Writing layers: gene by gene in memory, cell by cell in the file. Of what is in memory every thread turns and writes
 * tiles of its own. */
#include <stdio.h>
#include <string.h>

#include "core/par.h"
#include "core/turn.h"
#include "io/h5_flat.h"
#include "io/h5ad_impl.h"

/* A tile of a layer in memory stays in the second cache. */
enum { TILE_BYTES = 1 << 20, BAND = 64 };

typedef struct {
    const vel_h5ad_output *out;
    const char *object;
    hid_t dataset;
    const vel_field *f;
    int64_t most; /* rows of a tile */
} layer;

static vel_err cannot(vel_ctx *ctx, const layer *l) {
    return vel_h5_fail(ctx, VEL_EWRITE, "%s of %s cannot be written", l->object, l->out->name);
}

/* Whole cache lines of a gene, if the layer is in memory. */
static int64_t rows_of_tile(const vel_field *f) {
    enum { LINE = 16 };
    int64_t line = f->cols * (int64_t)vel_type_size(f->type), rows = TILE_BYTES / line / LINE * LINE;
    if (f->spill) rows = VEL_H5AD_WRITE_TILE / line + 1;
    if (rows < LINE) rows = LINE;
    return rows < f->rows ? rows : f->rows;
}

/* ---- through HDF5 */

typedef struct {
    const vel_field *f;
    int64_t row, rows;
    int64_t first, end; /* columns */
    void *tile;         /* rows x all columns */
} turning;

static vel_err turn_band(vel_ctx *ctx, int64_t band, void *arg) {
    (void)ctx;
    const turning *t = arg;
    const vel_field *f = t->f;
    size_t size = vel_type_size(f->type);
    int64_t row = band * BAND, rows = t->rows - row < BAND ? t->rows - row : BAND;
    const char *from = (const char *)f->data + (size_t)(t->first * f->rows + t->row + row) * size;
    char *to = (char *)t->tile + (size_t)(row * f->cols + t->first) * size;
    vel_turn(size, t->end - t->first, rows, from, f->rows, to, f->cols);
    return VEL_OK;
}

static vel_err turn_tile(vel_ctx *ctx, turning *t) {
    const vel_field *f = t->f;
    int64_t panel = f->spill ? VEL_H5AD_PANEL : f->cols;
    for (t->first = 0; t->first < f->cols; t->first = t->end) {
        t->end = f->cols - t->first < panel ? f->cols : t->first + panel;
        for (int64_t g = t->first; g < t->end; g++) vel_field_want(f, g * f->rows + t->row, t->rows);
        VEL_TRY(vel_for(ctx, NULL, (t->rows + BAND - 1) / BAND, turn_band, t));
        vel_field_rest(f, t->first * f->rows, (t->end - t->first) * f->rows);
    }
    return VEL_OK;
}

static vel_err write_tile(vel_ctx *ctx, const layer *l, turning *t) {
    hsize_t start[2] = {(hsize_t)t->row, 0}, count[2] = {(hsize_t)t->rows, (hsize_t)l->f->cols};
    H5_OWNED hid_t space = H5Dget_space(l->dataset), tile = H5Screate_simple(2, count, NULL);
    VEL_TRY(vel_poll(ctx));
    VEL_TRY(turn_tile(ctx, t));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    herr_t failed = H5Dwrite(l->dataset, vel_h5_native(l->f->type), tile, space, H5P_DEFAULT, t->tile);
    return failed < 0 ? cannot(ctx, l) : VEL_OK;
}

/* ---- by all threads */

typedef struct {
    const vel_field *f;
    vel_h5_flat flat;
    int64_t first, most; /* row of the first tile; rows of a tile */
} behind;

static vel_err write_flat(vel_ctx *ctx, int64_t i, void *arg) {
    const behind *b = arg;
    const vel_field *f = b->f;
    int64_t row = b->first + i * b->most, rows = f->rows - row < b->most ? f->rows - row : b->most;
    size_t size = vel_type_size(f->type);
    void *tile = vel_arena_alloc(ctx->scratch, (size_t)(rows * f->cols), size);
    if (!tile) return vel_no_memory(ctx, (size_t)(rows * f->cols), size);
    vel_turn(size, f->cols, rows, (const char *)f->data + (size_t)row * size, f->rows, tile, f->cols);
    return vel_h5_flat_write(ctx, &b->flat, row * f->cols, rows * f->cols, tile);
}

/* The rows from `first` on, if what is before them was enough for HDF5 to say where the dataset lies. */
static vel_err write_behind(vel_ctx *ctx, const layer *l, int64_t first, bool *done) {
    const vel_field *f = l->f;
    behind b = {.f = f, .first = first, .most = l->most};
    *done = false;
    if (f->spill || first * f->cols * (int64_t)vel_type_size(f->type) < VEL_H5_FIRST) return VEL_OK;
    size_t n = strlen(l->object) + strlen(l->out->name) + 5;
    char *name = vel_arena_alloc(ctx->scratch, n, 1);
    if (!name) return vel_no_memory(ctx, n, 1);
    snprintf(name, n, "%s of %s", l->object, l->out->name);
    *done = vel_h5_flat_made(l->dataset, f->type, name, &b.flat);
    if (*done) VEL_TRY(vel_h5_flat_reserve(ctx, &b.flat));
    return *done ? vel_for(ctx, NULL, (f->rows - first + b.most - 1) / b.most, write_flat, &b) : VEL_OK;
}

vel_err vel_h5ad_put_turned(vel_ctx *ctx, const vel_h5ad_output *out, const char *object, hid_t dataset,
                            const vel_field *f) {
    const layer l = {out, object, dataset, f, rows_of_tile(f)};
    size_t line = (size_t)f->cols * vel_type_size(f->type);
    turning t = {.f = f, .rows = l.most, .tile = vel_arena_alloc(ctx->scratch, (size_t)l.most, line)};
    bool done = false;
    if (!t.tile) return vel_no_memory(ctx, (size_t)l.most, line);
    VEL_TRY(write_tile(ctx, &l, &t));
    VEL_TRY(write_behind(ctx, &l, l.most, &done));
    for (t.row = l.most; t.row < f->rows && !done; t.row += l.most) {
        t.rows = f->rows - t.row < l.most ? f->rows - t.row : l.most;
        VEL_TRY(write_tile(ctx, &l, &t));
    }
    return VEL_OK;
}
