#include "verify/pairs.h"

#include <math.h>

int64_t vel_field_height(const vel_field *f) { return f->ndim == 0 ? 1 : f->rows; }

int64_t vel_field_width(const vel_field *f) { return f->ndim == 2 ? f->cols : 1; }

/* ---- dense: a line is a run of elements with a stride */

typedef struct {
    int64_t start, stride, n;
    const int64_t *order; /* element k of the line is the array's order[k]; NULL: k */
} run;

#define GATHER(T)                                                                                   \
    for (int64_t k = 0; k < r->n; k++)                                                              \
        out[k] = (double)((const T *)f->data)[r->start + r->stride * (r->order ? r->order[k] : k)]; \
    break

static void gather(const vel_field *f, const run *r, double *out) {
    switch (f->type) {
        case VEL_BOOL:
        case VEL_U8:
            GATHER(uint8_t);
        case VEL_I8:
            GATHER(int8_t);
        case VEL_I16:
            GATHER(int16_t);
        case VEL_I32:
            GATHER(int32_t);
        case VEL_I64:
            GATHER(int64_t);
        case VEL_U16:
            GATHER(uint16_t);
        case VEL_U32:
            GATHER(uint32_t);
        case VEL_U64:
            GATHER(uint64_t);
        case VEL_F32:
            GATHER(float);
        case VEL_F64:
            GATHER(double);
        case VEL_F16:
        case VEL_NOTYPE:
            break;
    }
    if (!f->mask) return;
    for (int64_t k = 0; k < r->n; k++)
        if (f->mask[r->start + r->stride * (r->order ? r->order[k] : k)]) out[k] = NAN;
}

__extension__ typedef __int128 wide; /* the nearest double may be 2^63 */

static bool is_long(const vel_field *f) { return f->kind == VEL_DENSE && (f->type == VEL_I64 || f->type == VEL_U64); }

/* What the nearest doubles of whole numbers of 64 bits leave, times sign, to the rest. */
static void gather_rest(const vel_field *f, const run *r, double sign, double *rest) {
    if (!is_long(f)) return;
    for (int64_t k = 0; k < r->n; k++) {
        int64_t at = r->start + r->stride * (r->order ? r->order[k] : k);
        wide n = f->type == VEL_I64 ? ((const int64_t *)f->data)[at] : (wide)((const uint64_t *)f->data)[at];
        rest[k] += sign * (double)(n - (wide)(double)n);
    }
}

static run run_of(const vel_pairs *p, const vel_field *f, int64_t line, const int64_t *order) {
    int64_t down = f->gene_major ? 1 : p->width, across = f->gene_major ? p->height : 1;
    return (run){.start = line * (p->by_column ? across : down),
                 .stride = p->by_column ? down : across,
                 .n = p->by_column ? p->height : p->width,
                 .order = order};
}

/* ---- sparse: a row is scattered over a full line */

static void scatter(const vel_field *f, int64_t row, const int64_t *back, double *line) {
    for (int64_t e = f->indptr[row]; e < f->indptr[row + 1]; e++)
        line[back ? back[f->indices[e]] : f->indices[e]] = vel_real_at(f->type, f->data, e);
}

static void note(vel_pairs *p, const vel_field *f, int64_t row, const int64_t *back) {
    for (int64_t e = f->indptr[row]; e < f->indptr[row + 1]; e++) {
        int64_t at = back ? back[f->indices[e]] : f->indices[e];
        if (!p->seen[at]) p->at[p->n++] = at;
        p->seen[at] = 1;
    }
}

static const int64_t *back_of(const vel_match *m) { return m ? m->from : NULL; }

static const int64_t *order_of(const vel_match *m) { return m ? m->to : NULL; }

static int64_t partner(const vel_match *m, int64_t i) { return m && m->to ? m->to[i] : i; }

/* Both sparse: only what at least one of them stores; the full lines are left zero. */
static void sparse_line(vel_pairs *p, int64_t row) {
    int64_t other = partner(p->rows, row);
    const int64_t *back = back_of(p->cols);
    scatter(p->a, row, NULL, p->full_x);
    scatter(p->b, other, back, p->full_y);
    p->n = 0;
    note(p, p->a, row, NULL);
    note(p, p->b, other, back);
    for (int64_t k = 0; k < p->n; k++) {
        int64_t at = p->at[k];
        p->x[k] = p->full_x[at];
        p->y[k] = p->full_y[at];
        p->full_x[at] = p->full_y[at] = 0;
        p->seen[at] = 0;
    }
}

static void zero(double *x, int64_t n) {
    for (int64_t k = 0; k < n; k++) x[k] = 0;
}

/* A line of a or b; what is lacking of it, times sign, to the rest. */
static void one_line(vel_pairs *p, const vel_field *f, int64_t line, const vel_match *across, double sign, double *x) {
    if (f->kind == VEL_SPARSE) {
        zero(x, p->n);
        scatter(f, line, back_of(across), x);
        return;
    }
    const run r = run_of(p, f, line, order_of(across));
    gather(f, &r, x);
    if (p->rest) gather_rest(f, &r, sign, p->rest);
}

static void full_line(vel_pairs *p, int64_t line) {
    const vel_match *along = p->by_column ? p->cols : p->rows, *across = p->by_column ? p->rows : p->cols;
    if (p->rest) zero(p->rest, p->n);
    one_line(p, p->a, line, NULL, 1, p->x);
    one_line(p, p->b, partner(along, line), across, -1, p->y);
}

vel_err vel_pairs_open(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_match *rows,
                       const vel_match *cols, vel_pairs *p) {
    *p = (vel_pairs){.a = a, .b = b, .rows = rows, .cols = cols};
    p->height = vel_field_height(a);
    p->width = vel_field_width(a);
    bool dense = a->kind == VEL_DENSE && b->kind == VEL_DENSE;
    p->by_column = dense && (p->width == 1 || (a->gene_major && b->gene_major));
    p->lines = p->by_column ? p->width : p->height;
    p->n = p->by_column ? p->height : p->width;
    VEL_TRY(VEL_ALLOC(ctx, p->x, p->n));
    VEL_TRY(VEL_ALLOC(ctx, p->y, p->n));
    if (is_long(a) || is_long(b)) VEL_TRY(VEL_ALLOC(ctx, p->rest, p->n));
    if (a->kind != VEL_SPARSE || b->kind != VEL_SPARSE) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, p->at, p->n));
    VEL_TRY(VEL_ZALLOC(ctx, p->full_x, p->n));
    VEL_TRY(VEL_ZALLOC(ctx, p->full_y, p->n));
    return VEL_ZALLOC(ctx, p->seen, p->n);
}

void vel_pairs_line(vel_pairs *p, int64_t line) {
    if (p->at)
        sparse_line(p, line);
    else
        full_line(p, line);
}
