#include "core/nearby.h"

#include <string.h>

#include "core/least.h"

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

/* Where the rows of cells go: patch after patch of cells whose places follow each other, so that what a patch reads
 * stays in the cache. */
typedef struct {
    const vel_average *avg;
    const int32_t *order; /* n: the cells by place */
    int32_t *cell;        /* n, out */
    vel_nearby_run *runs; /* out */
    int64_t n_runs;
    int64_t *count; /* most + 2: scratch */
    int64_t most;   /* blocks of a cell */
} layout;

/* The cells first .. end - 1 of the order by number of blocks, ascending, in the order given among equals: a counting
 * sort. */
static void sort_patch(layout *l, int64_t first, int64_t end) {
    int64_t *count = l->count;
    memset(count, 0, (size_t)(l->most + 2) * sizeof *count);
    for (int64_t k = first; k < end; k++) count[blocks_of(l->avg, l->order[k]) + 1]++;
    count[0] = first;
    for (int64_t b = 0; b <= l->most; b++) {
        if (count[b + 1]) l->runs[l->n_runs++] = (vel_nearby_run){count[b + 1], b};
        count[b + 1] += count[b];
    }
    for (int64_t k = first; k < end; k++) l->cell[count[blocks_of(l->avg, l->order[k])]++] = l->order[k];
}

static void sort_cells(layout *l) {
    int64_t n = l->avg->n;
    for (int64_t k = 0; k < n; k += VEL_NEARBY_PATCH) sort_patch(l, k, vel_least(k + VEL_NEARBY_PATCH, n));
}

/* Writes entry k of the wide or the narrow list. */
static void put(uint16_t *near16, int32_t *near32, int64_t k, int64_t c) {
    if (near16)
        near16[k] = (uint16_t)(2 * c);
    else
        near32[k] = (int32_t)(2 * c);
}

/* Blocks of a graph whose rows are filled up, if all entries count and the diagonal is not among them: as many as there
 * can be. */
static int64_t most_blocks(const vel_csr *graph, int64_t *most) {
    int64_t total = 0;
    *most = 0;
    for (int64_t c = 0; c < graph->rows; c++) {
        int64_t b = (graph->indptr[c + 1] - graph->indptr[c] + VEL_NEARBY_BLOCK) / VEL_NEARBY_BLOCK;
        if (b > *most) *most = b;
        total += b;
    }
    return total;
}

/* Where the lists go. */
typedef struct {
    int32_t *place, *order, *cell, *near32;
    uint16_t *near16;
    float *weight;
} lists;

/* What is needed only here lies behind the mark. */
static vel_err fill(vel_ctx *ctx, const vel_csr *graph, const lists *to, layout *l) {
    vel_average avg;
    int64_t n = graph->rows, k = 0;
    VEL_TRY(vel_average_make(ctx, graph, &avg));
    VEL_TRY(VEL_ALLOC(ctx, l->count, l->most + 2));
    walk(&avg, to->order, to->place);
    l->avg = &avg;
    l->order = to->order;
    sort_cells(l);
    for (int64_t i = 0; i < n; i++) {
        int64_t c = to->cell[i], end = k + blocks_of(&avg, c) * VEL_NEARBY_BLOCK;
        for (int64_t e = avg.indptr[c]; e < avg.indptr[c + 1]; e++)
            put(to->near16, to->near32, k++, to->place[avg.indices[e]]);
        while (k < end) put(to->near16, to->near32, k++, n);
    }
    memcpy(to->weight, avg.weight, (size_t)n * sizeof *to->weight);
    return VEL_OK;
}

vel_err vel_nearby_make(vel_ctx *ctx, const vel_csr *graph, vel_nearby *nearby) {
    lists to = {0};
    layout l = {0};
    int64_t n = graph->rows, total = most_blocks(graph, &l.most) * VEL_NEARBY_BLOCK;
    if (n > INT32_MAX / 2)
        return vel_fail(ctx, VEL_EVALUE, "%lld cells are too many for averages over neighbours", (long long)n);
    VEL_TRY(VEL_ALLOC(ctx, to.cell, n));
    VEL_TRY(VEL_ALLOC(ctx, to.place, n));
    VEL_TRY(VEL_ALLOC(ctx, to.order, n));
    VEL_TRY(VEL_ALLOC(ctx, to.weight, n));
    VEL_TRY(VEL_ALLOC(ctx, l.runs, vel_least(n, (l.most + 1) * (n / VEL_NEARBY_PATCH + 1))));
    if (2 * n <= UINT16_MAX)
        VEL_TRY(VEL_ALLOC(ctx, to.near16, total));
    else
        VEL_TRY(VEL_ALLOC(ctx, to.near32, total));
    l.cell = to.cell;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(fill(ctx, graph, &to, &l));
    vel_arena_release(ctx->scratch, mark);
    vel_arena_trim(ctx->scratch);
    *nearby = (vel_nearby){n, to.weight, to.place, to.order, to.cell, l.runs, l.n_runs, to.near16, to.near32};
    return VEL_OK;
}
