#include "core/leaves.h"

#include <string.h>

#include "core/sort.h"

enum { LOOKED_AT = 64 }; /* points that tell how much a coordinate varies */

/* ---- the order */

typedef struct {
    const vel_cmat *x;
    int32_t *order, *before; /* n each; before is scratch, as are the others */
    double *key;
    int64_t *rank, *work;
} tree;

static double variance(const tree *t, int64_t first, int64_t count, int64_t d) {
    int64_t step = count / LOOKED_AT + 1, n = 0;
    double mean = 0, sum = 0;
    for (int64_t i = 0; i < count; i += step, n++) mean += vel_cmat_at(t->x, t->order[first + i], d);
    mean /= (double)n;
    for (int64_t i = 0; i < count; i += step) {
        double off = vel_cmat_at(t->x, t->order[first + i], d) - mean;
        sum += off * off;
    }
    return sum;
}

static int64_t widest(const tree *t, int64_t first, int64_t count) {
    int64_t best = 0;
    double most = -1;
    for (int64_t d = 0; d < t->x->cols; d++) {
        double v = variance(t, first, count, d);
        if (v > most) most = v, best = d;
    }
    return best;
}

static void sort_along(const tree *t, int64_t first, int64_t count, int64_t d) {
    int32_t *order = t->order + first;
    memcpy(t->before, order, (size_t)count * sizeof *order);
    for (int64_t i = 0; i < count; i++) t->key[i] = vel_cmat_at(t->x, order[i], d);
    vel_argsort_f64(t->key, count, t->rank, t->work);
    for (int64_t i = 0; i < count; i++) order[i] = t->before[t->rank[i]];
}

/* Halves of whole leaves, or of whole parts of one. */
static void split(const tree *t, int64_t first, int64_t count) {
    if (count <= VEL_LEAF_PART) return;
    int64_t unit = count > VEL_LEAF ? VEL_LEAF : VEL_LEAF_PART, units = (count + unit - 1) / unit;
    int64_t half = units / 2 * unit;
    sort_along(t, first, count, widest(t, first, count));
    split(t, first, half);
    split(t, first + half, count - half);
}

vel_err vel_leaves_order(vel_ctx *ctx, const vel_cmat *x, int32_t *order) {
    int64_t n = x->rows;
    tree t = {.x = x, .order = order};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, t.before, n));
    VEL_TRY(VEL_ALLOC(ctx, t.key, n));
    VEL_TRY(VEL_ALLOC(ctx, t.rank, n));
    VEL_TRY(VEL_ALLOC(ctx, t.work, n));
    for (int64_t i = 0; i < n; i++) order[i] = (int32_t)i;
    split(&t, 0, n);
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

/* ---- boxes */

vel_err vel_box_new(vel_ctx *ctx, int64_t dim, vel_box *box) {
    VEL_TRY(VEL_ALLOC(ctx, box->low, dim));
    return VEL_ALLOC(ctx, box->high, dim);
}

void vel_box_around(const vel_cmat *x, int64_t count, const int32_t *points, const vel_box *box) {
    for (int64_t d = 0; d < x->cols; d++) box->low[d] = box->high[d] = vel_cmat_at(x, points[0], d);
    for (int64_t i = 1; i < count; i++)
        for (int64_t d = 0; d < x->cols; d++) {
            double at = vel_cmat_at(x, points[i], d);
            box->low[d] = at < box->low[d] ? at : box->low[d];
            box->high[d] = at > box->high[d] ? at : box->high[d];
        }
}

void vel_box_gaps(int64_t dim, const vel_box *a, const vel_box *b, double *gap) {
    for (int64_t d = 0; d < dim; d++) {
        double over = a->low[d] - b->high[d], under = b->low[d] - a->high[d];
        gap[d] = over > under ? over : under;
        gap[d] = gap[d] > 0 ? gap[d] : 0;
    }
}
