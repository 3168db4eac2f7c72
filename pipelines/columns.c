#include "pipelines/columns.h"

vel_err vel_choose_cells(vel_ctx *ctx, const uint8_t *keep, int64_t n, vel_chosen_cells *cells) {
    *cells = (vel_chosen_cells){NULL, n};
    if (!keep) return VEL_OK;
    int64_t *index, count = 0;
    VEL_TRY(VEL_ALLOC(ctx, index, n));
    for (int64_t c = 0; c < n; c++)
        if (keep[c]) index[count++] = c;
    *cells = (vel_chosen_cells){index, count};
    return VEL_OK;
}

static vel_err take_room(vel_ctx *ctx, int64_t n, vel_type type, void **x) {
    char *bytes;
    VEL_TRY(VEL_ALLOC(ctx, bytes, n * (int64_t)vel_type_size(type)));
    *x = bytes;
    return VEL_OK;
}

vel_err vel_column_take(vel_ctx *ctx, const vel_cmat *m, int64_t gene, const vel_chosen_cells *cells, const void **x) {
    const char *column = (const char *)m->data + (size_t)(gene * m->col_stride) * vel_type_size(m->type);
    *x = column;
    if (!cells->index) return VEL_OK;
    void *room;
    VEL_TRY(take_room(ctx, cells->n, m->type, &room));
    if (m->type == VEL_F32)
        for (int64_t c = 0; c < cells->n; c++)
            ((float *)room)[c] = ((const float *)(const void *)column)[cells->index[c]];
    else
        for (int64_t c = 0; c < cells->n; c++)
            ((double *)room)[c] = ((const double *)(const void *)column)[cells->index[c]];
    *x = room;
    return VEL_OK;
}

static void *column_of(const vel_mat *m, int64_t gene) {
    return (char *)m->data + (size_t)(gene * m->col_stride) * vel_type_size(m->type);
}

vel_err vel_column_room(vel_ctx *ctx, const vel_mat *m, int64_t gene, const vel_chosen_cells *cells, vel_type type,
                        void **x) {
    if (cells->index || m->type != type) return take_room(ctx, cells->n, type, x);
    *x = column_of(m, gene);
    return VEL_OK;
}

void vel_column_put(const vel_mat *m, int64_t gene, const vel_chosen_cells *cells, vel_type type, const void *x) {
    void *column = column_of(m, gene);
    if (x == column) return;
    for (int64_t c = 0; c < cells->n; c++) {
        int64_t at = cells->index ? cells->index[c] : c;
        double value = vel_real_at(type, x, c);
        if (m->type == VEL_F32)
            ((float *)column)[at] = (float)value;
        else
            ((double *)column)[at] = value;
    }
}
