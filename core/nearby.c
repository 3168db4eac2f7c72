#include "core/nearby.h"

static int64_t blocks_of(const vel_average *avg, int64_t c) {
    return (avg->indptr[c + 1] - avg->indptr[c] + VEL_NEARBY_BLOCK - 1) / VEL_NEARBY_BLOCK;
}

/* order[n]: the cells breadth first, each part of the graph from its first cell; place[n]: its inverse. */
static void walk(const vel_average *avg, int32_t *order, int32_t *place) {
    int64_t last = 0;
    for (int64_t c = 0; c < avg->n; c++) place[c] = -1;
    for (int64_t start = 0, next = 0; start < avg->n; start++) {
        if (place[start] >= 0) continue;
        place[start] = (int32_t)last;
        order[last++] = (int32_t)start;
        for (; next < last; next++) {
            int64_t c = order[next];
            for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) {
                int32_t j = avg->indices[e];
                if (place[j] >= 0) continue;
                place[j] = (int32_t)last;
                order[last++] = j;
            }
        }
    }
}

/* Cells by number of blocks, ascending, in the order given among equals: a counting sort. Fills runs and the number of
 * all blocks. */
static vel_err sort_cells(vel_ctx *ctx, const vel_average *avg, const int32_t *order, int32_t *cell,
                          vel_nearby_run **runs, int64_t *n_runs, int64_t *total) {
    int64_t most = 0, *count;
    *total = 0;
    for (int64_t c = 0; c < avg->n; c++) {
        int64_t b = blocks_of(avg, c);
        if (b > most) most = b;
        *total += b;
    }
    VEL_TRY(VEL_ZALLOC(ctx, count, most + 2));
    for (int64_t c = 0; c < avg->n; c++) count[blocks_of(avg, c) + 1]++;
    VEL_TRY(VEL_ALLOC(ctx, *runs, most + 1));
    *n_runs = 0;
    for (int64_t b = 0; b <= most; b++) {
        if (count[b + 1]) (*runs)[(*n_runs)++] = (vel_nearby_run){count[b + 1], b};
        count[b + 1] += count[b];
    }
    for (int64_t k = 0; k < avg->n; k++) cell[count[blocks_of(avg, order[k])]++] = order[k];
    return VEL_OK;
}

/* Writes entry k of the wide or the narrow list. */
static void put(uint16_t *near16, int32_t *near32, int64_t k, int64_t c) {
    if (near16)
        near16[k] = (uint16_t)(2 * c);
    else
        near32[k] = (int32_t)(2 * c);
}

vel_err vel_nearby_make(vel_ctx *ctx, const vel_average *avg, vel_nearby *nearby) {
    int32_t *cell, *place, *order, *near32 = NULL;
    uint16_t *near16 = NULL;
    vel_nearby_run *runs;
    int64_t n_runs, total, k = 0;
    if (avg->n > INT32_MAX / 2)
        return vel_fail(ctx, VEL_EVALUE, "%lld cells are too many for averages over neighbours", (long long)avg->n);
    VEL_TRY(VEL_ALLOC(ctx, cell, avg->n));
    VEL_TRY(VEL_ALLOC(ctx, place, avg->n));
    VEL_TRY(VEL_ALLOC(ctx, order, avg->n));
    walk(avg, order, place);
    VEL_TRY(sort_cells(ctx, avg, order, cell, &runs, &n_runs, &total));
    if (2 * avg->n <= UINT16_MAX)
        VEL_TRY(VEL_ALLOC(ctx, near16, total * VEL_NEARBY_BLOCK));
    else
        VEL_TRY(VEL_ALLOC(ctx, near32, total * VEL_NEARBY_BLOCK));
    for (int64_t i = 0; i < avg->n; i++) {
        int64_t c = cell[i], end = k + blocks_of(avg, c) * VEL_NEARBY_BLOCK;
        for (int64_t e = avg->indptr[c]; e < avg->indptr[c + 1]; e++) put(near16, near32, k++, place[avg->indices[e]]);
        while (k < end) put(near16, near32, k++, avg->n);
    }
    *nearby = (vel_nearby){avg, place, cell, runs, n_runs, near16, near32};
    return VEL_OK;
}
