#include "core/knn.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "core/knn_best.h"
#include "core/least.h"
#include "core/leaves.h"
#include "core/par.h"
#include "core/sort.h"

enum {
    LANES = VEL_KNN_LANES,
    QUERIES = VEL_KNN_QUERIES,
    ITEM = VEL_LEAF_PART, /* queries */
    GROUPS = ITEM / QUERIES,
    MANY = VEL_LEAF / LANES, /* panels of a leaf */
    FEW = 4,                 /* of these looked at first, to get limits */
};

typedef struct {
    const vel_cmat *x;
    int64_t n, dim, k, n_panels, n_leaves;
    int32_t *order;  /* n: which point stands at each place */
    vel_box *leaves; /* n_leaves */
    vel_knn_grid grid;
    double *zeros; /* dim */
    vel_knn_space space;
    int32_t *indices;
    double *distances;
} job;

static const vel_knn_body *body_here(void) {
#if defined(__x86_64__)
    switch (vel_cpu_level()) {
        case VEL_CPU_AVX512:
            return vel_cpu_has_vnni() ? &vel_knn_vnni : &vel_knn_avx512;
        case VEL_CPU_AVX2:
            return &vel_knn_avx2;
        case VEL_CPU_PLAIN:
            break;
    }
#endif
    return &vel_knn_plain;
}

/* ---- leaves */

static vel_err make_leaves(vel_ctx *ctx, job *j) {
    j->n_leaves = (j->n + VEL_LEAF - 1) / VEL_LEAF;
    j->n_panels = (j->n + LANES - 1) / LANES;
    VEL_TRY(VEL_ALLOC(ctx, j->order, j->n));
    VEL_TRY(VEL_ALLOC(ctx, j->leaves, j->n_leaves));
    VEL_TRY(VEL_ZALLOC(ctx, j->zeros, j->dim));
    VEL_TRY(vel_leaves_order(ctx, j->x, j->order));
    for (int64_t l = 0; l < j->n_leaves; l++) {
        VEL_TRY(vel_box_new(ctx, j->dim, &j->leaves[l]));
        vel_box_around(j->x, vel_least(VEL_LEAF, j->n - l * VEL_LEAF), j->order + l * VEL_LEAF, &j->leaves[l]);
    }
    return VEL_OK;
}

/* ---- an item: the queries of a part of a leaf against all leaves that are near enough */

typedef struct {
    int64_t first, count; /* places of the queries */
    vel_knn_best *best;   /* count */
    int16_t *queries;     /* GROUPS * pairs * QUERIES * 2 */
    double *square;       /* n_leaves: nothing in a leaf is nearer to any query */
    int64_t *leaf;        /* n_leaves: in this order */
    uint16_t masks[MANY * QUERIES];
    int32_t sums[MANY * QUERIES * LANES];
} item;

/* The item's own leaf comes first. The bound is summed like the distances, so that it holds to the bit. */
static vel_err order_leaves(vel_ctx *ctx, const job *j, item *it) {
    vel_box box;
    double *gap;
    int64_t *work;
    VEL_TRY(VEL_ALLOC(ctx, it->square, j->n_leaves));
    VEL_TRY(VEL_ALLOC(ctx, it->leaf, j->n_leaves));
    VEL_TRY(VEL_ALLOC(ctx, work, j->n_leaves));
    VEL_TRY(VEL_ALLOC(ctx, gap, j->dim));
    VEL_TRY(vel_box_new(ctx, j->dim, &box));
    vel_box_around(j->x, it->count, j->order + it->first, &box);
    for (int64_t l = 0; l < j->n_leaves; l++) {
        vel_box_gaps(j->dim, &j->leaves[l], &box, gap);
        it->square[l] = j->space.body->square_f64(j->dim, gap, j->zeros);
    }
    it->square[it->first / VEL_LEAF] = -1;
    vel_argsort_f64(it->square, j->n_leaves, it->leaf, work);
    return VEL_OK;
}

static int64_t queries_a_group(const job *j) { return j->grid.pairs * QUERIES * 2; }

static vel_err item_make(vel_ctx *ctx, const job *j, int64_t i, item *it) {
    it->first = i * ITEM;
    it->count = vel_least(ITEM, j->n - it->first);
    VEL_TRY(VEL_ZALLOC(ctx, it->queries, GROUPS * queries_a_group(j)));
    VEL_TRY(VEL_ALLOC(ctx, it->best, it->count));
    for (int64_t q = 0; q < it->count; q++) {
        VEL_TRY(vel_knn_best_new(ctx, it->first + q, j->k - 1, &it->best[q]));
        int16_t *group = it->queries + q / QUERIES * queries_a_group(j);
        vel_knn_grid_query(&j->grid, it->first + q, group + q % QUERIES * 2);
    }
    return order_leaves(ctx, j, it);
}

/* Whether a point at this squared distance, or further, may be among the best of one of the queries. */
static bool is_within_reach(const item *it, int64_t first, int64_t count, double square) {
    for (int64_t q = first; q < first + count; q++)
        if (square <= it->best[q].reach) return true;
    return false;
}

static void offer_panel(const job *j, const item *it, int64_t q, int64_t panel, unsigned mask, const int32_t *sums) {
    for (; mask; mask &= mask - 1) {
        int64_t lane = __builtin_ctz(mask);
        vel_knn_best_offer(&j->space, &it->best[q], panel * LANES + lane, sums[lane]);
    }
}

static void try_panels(const job *j, item *it, int64_t first, int64_t count, double square) {
    for (int64_t g = 0; g * QUERIES < it->count; g++) {
        int64_t q0 = g * QUERIES, queries = vel_least(QUERIES, it->count - q0);
        if (!is_within_reach(it, q0, queries, square)) continue;
        int32_t limits[QUERIES];
        for (int64_t q = 0; q < QUERIES; q++) limits[q] = q < queries ? it->best[q0 + q].limit : VEL_KNN_NONE;
        vel_knn_screen s = {j->grid.pairs,
                            count,
                            j->grid.points + first * j->grid.pairs * LANES * 2,
                            j->grid.norms + first * LANES,
                            it->queries + g * queries_a_group(j),
                            limits};
        j->space.body->screen(&s, it->masks, it->sums);
        for (int64_t k = 0; k < count * QUERIES; k++)
            if (it->masks[k])
                offer_panel(j, it, q0 + k % QUERIES, first + k / QUERIES, it->masks[k], it->sums + k * LANES);
        for (int64_t q = q0; q < q0 + queries; q++) vel_knn_best_look(&j->space, &it->best[q]);
    }
}

static void try_leaf(const job *j, item *it, int64_t leaf, int64_t at_once) {
    int64_t end = vel_least((leaf + 1) * MANY, j->n_panels);
    for (int64_t p = leaf * MANY; p < end; p += at_once)
        try_panels(j, it, p, vel_least(at_once, end - p), it->square[leaf]);
}

static void store(const job *j, item *it, int64_t q) {
    vel_knn_best *b = &it->best[q];
    vel_knn_best_sort(&j->space, b);
    int64_t row = j->order[it->first + q], at = row * j->k;
    j->indices[at] = (int32_t)row;
    j->distances[at] = 0;
    for (int64_t r = 0; r < b->size; r++) {
        double square = b->square[r];
        j->indices[at + 1 + r] = b->index[r];
        j->distances[at + 1 + r] = j->x->type == VEL_F32 ? (double)sqrtf((float)square) : sqrt(square);
    }
}

static vel_err run_item(vel_ctx *ctx, int64_t i, void *arg) {
    const job *j = arg;
    item it;
    VEL_TRY(item_make(ctx, j, i, &it));
    for (int64_t l = 0; l < j->n_leaves && is_within_reach(&it, 0, it.count, it.square[it.leaf[l]]); l++)
        try_leaf(j, &it, it.leaf[l], l ? MANY : FEW);
    for (int64_t q = 0; q < it.count; q++) store(j, &it, q);
    return VEL_OK;
}

vel_err vel_knn(vel_ctx *ctx, const vel_cmat *x, int64_t k, int32_t *indices, double *distances) {
    job j = {.x = x, .n = x->rows, .dim = x->cols, .k = k, .indices = indices, .distances = distances};
    vel_mark mark = vel_arena_mark(ctx->scratch);
    j.space = (vel_knn_space){.x = x, .grid = &j.grid, .body = body_here()};
    VEL_TRY(make_leaves(ctx, &j));
    j.space.order = j.order;
    VEL_TRY(vel_knn_grid_make(ctx, x, j.order, &j.grid));
    VEL_TRY(vel_for(ctx, "nearest neighbours", (j.n + ITEM - 1) / ITEM, run_item, &j));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
