#include "core/knn_grid.h"

#include <math.h>

enum {
    LANES = VEL_KNN_LANES,
    QUERIES = VEL_KNN_QUERIES,
    RADIUS = 16000,       /* of the grid: twice a coordinate fits into 16 bits, the squared length of a sum into 31 */
    FAR = 16,             /* times the root mean square distance from the mean: outside */
    OUTSIDE = -(1 << 30), /* norm of such a point: below every limit */
    FURTHEST = 1 << 30,   /* squared distances beyond are not told apart */
};

static double norm_of(const vel_cmat *x, int64_t i, const double *center) {
    double norm = 0;
    for (int64_t d = 0; d < x->cols; d++) {
        double off = vel_cmat_at(x, i, d) - center[d];
        norm += off * off;
    }
    return norm;
}

/* Squares of distances on the grid must be far above the least numbers there are. */
#define MOST_SCALE 1e150

/* Fills the centre; 0 where no scale is right, since all points are alike, or so close that squares of their distances
 * are lost, or out of all proportion. */
static double scale_of(const vel_cmat *x, double *center) {
    double most = 0, sum = 0;
    for (int64_t d = 0; d < x->cols; d++) center[d] = 0;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t d = 0; d < x->cols; d++) center[d] += vel_cmat_at(x, i, d) / (double)x->rows;
    for (int64_t i = 0; i < x->rows; i++) {
        double norm = norm_of(x, i, center);
        most = fmax(most, norm);
        sum += norm / (double)x->rows;
    }
    double scale = RADIUS / sqrt(fmin(most, FAR * FAR * sum));
    return scale < MOST_SCALE ? scale : 0;
}

static int16_t *element(const vel_knn_grid *g, int64_t i, int64_t d) {
    return g->points + ((i / LANES * g->pairs + d / 2) * LANES + i % LANES) * 2 + d % 2;
}

static void put_point(const vel_knn_grid *g, const vel_cmat *x, int64_t row, const double *center, int64_t i) {
    int64_t norm = 0;
    g->norms[i] = OUTSIDE;
    if (!(norm_of(x, row, center) * g->scale * g->scale <= (double)(RADIUS + 1) * (RADIUS + 1))) return;
    for (int64_t d = 0; d < g->dim; d++) {
        int16_t p = (int16_t)lrint((vel_cmat_at(x, row, d) - center[d]) * g->scale);
        *element(g, i, d) = p;
        norm += (int64_t)p * p;
    }
    if (norm < FURTHEST / 4)
        g->norms[i] = (int32_t)norm;
    else /* thousands of coordinates, rounded outwards */
        for (int64_t d = 0; d < g->dim; d++) *element(g, i, d) = 0;
}

vel_err vel_knn_grid_make(vel_ctx *ctx, const vel_cmat *x, const int32_t *order, vel_knn_grid *grid) {
    int64_t n = x->rows, places = (n + LANES - 1) / LANES * LANES;
    double *center;
    *grid = (vel_knn_grid){.dim = x->cols, .pairs = (x->cols + 1) / 2};
    VEL_TRY(VEL_ALLOC(ctx, center, x->cols));
    VEL_TRY(VEL_ZALLOC(ctx, grid->points, places * grid->pairs * 2));
    VEL_TRY(VEL_ALLOC(ctx, grid->norms, places));
    grid->scale = scale_of(x, center);
    for (int64_t i = 0; i < n; i++) put_point(grid, x, order[i], center, i);
    for (int64_t i = n; i < places; i++) grid->norms[i] = INT32_MAX;
    return VEL_OK;
}

void vel_knn_grid_query(const vel_knn_grid *g, int64_t i, int16_t *query) {
    for (int64_t p = 0; p < g->pairs; p++)
        for (int64_t h = 0; h < 2; h++) query[p * QUERIES * 2 + h] = (int16_t)(-2 * *element(g, i, 2 * p + h));
}

/* The last term allows for the rounding of what is computed here, and of the distances. */
static double with_rounding(const vel_knn_grid *g, double distance) {
    return (distance + sqrt((double)g->dim)) * (1 + 1e-6) + 1e-3;
}

int32_t vel_knn_grid_limit(const vel_knn_grid *g, int64_t i, double square) {
    double reach = with_rounding(g, sqrt(square) * g->scale);
    if (g->norms[i] == OUTSIDE || !(reach * reach < FURTHEST)) return VEL_KNN_EVERY;
    return (int32_t)(reach * reach) - g->norms[i];
}

double vel_knn_grid_square(const vel_knn_grid *g, int64_t i, int32_t sum) {
    if (g->norms[i] == OUTSIDE || !(g->scale > 0)) return INFINITY;
    double reach = with_rounding(g, sqrt((double)((int64_t)sum + g->norms[i]))) / g->scale;
    return reach * reach;
}
