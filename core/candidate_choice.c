#include "core/candidate_choice.h"

#include <string.h>

#include "core/least.h"
#include "core/rng.h"

typedef struct {
    const vel_candidate_choice *choice;
    vel_cell_set set;
    vel_rng rng;
    int32_t *order; /* n: a permutation being drawn */
    int32_t *cells; /* n: candidates of the cell at hand */
    int32_t *later; /* n: cells of the next time point */
} drawing;

/* numpy.random.choice(cells, size, replace=False): the first of a shuffled 0 .. count - 1. The chosen come first. */
static void draw(drawing *d, int32_t *cells, int64_t count, int64_t size) {
    for (int64_t i = 0; i < count; i++) d->order[i] = (int32_t)i;
    for (int64_t i = count - 1; i > 0; i--) {
        uint32_t j = vel_rng_upto(&d->rng, (uint32_t)i);
        int32_t swap = d->order[i];
        d->order[i] = d->order[j];
        d->order[j] = swap;
    }
    for (int64_t i = 0; i < size; i++) d->order[i] = cells[d->order[i]];
    memcpy(cells, d->order, (size_t)size * sizeof *cells);
}

static int64_t keep_some(drawing *d, int64_t count) {
    int64_t most = d->choice->most;
    if (most <= 0 || count <= most) return count;
    draw(d, d->cells, count, most);
    return most;
}

/* Cells of the time point after that of a cell: as many as there are candidates, at most. */
static int64_t next_in_time(drawing *d, int64_t n, int64_t cell, int64_t most) {
    int64_t count = 0;
    int32_t now = d->choice->time ? d->choice->time[cell] : -1;
    for (int64_t c = 0; now >= 0 && c < n; c++)
        if (d->choice->time[c] == now + 1) d->later[count++] = (int32_t)c;
    if (count <= most) return count;
    draw(d, d->later, count, most);
    return most;
}

/* Sorted through the set. */
static int64_t unite(drawing *d, int64_t count, int64_t later, int32_t *out) {
    for (int64_t i = 0; i < count; i++) vel_cell_set_add(&d->set, d->cells[i]);
    for (int64_t i = 0; i < later; i++) vel_cell_set_add(&d->set, d->later[i]);
    return vel_cell_set_take(&d->set, out);
}

/* No cell gets more candidates than this. */
static int64_t bound(const vel_neighbor_lists *lists, const vel_candidate_choice *choice) {
    int64_t longest = 0, reach = 1, sum = 1;
    for (int64_t i = 0; i < lists->n; i++) {
        int64_t count = lists->indptr[i + 1] - lists->indptr[i];
        if (count > longest) longest = count;
    }
    for (int64_t hop = 0; hop < choice->hops && sum < lists->n; hop++) {
        reach *= longest;
        sum += reach;
    }
    if (choice->most > 0 && sum > choice->most) sum = choice->most;
    if (choice->time) sum *= 2;
    return vel_least(sum, lists->n);
}

vel_err vel_candidates_choose(vel_ctx *ctx, const vel_neighbor_lists *lists, const vel_candidate_choice *choice,
                              vel_neighbor_lists *chosen) {
    int64_t n = lists->n, *indptr;
    int32_t *indices;
    drawing *d;
    VEL_TRY(VEL_ALLOC(ctx, d, 1));
    d->choice = choice;
    VEL_TRY(vel_cell_set_make(ctx, n, &d->set));
    VEL_TRY(VEL_ALLOC(ctx, d->order, n));
    VEL_TRY(VEL_ALLOC(ctx, d->cells, n));
    VEL_TRY(VEL_ALLOC(ctx, d->later, n));
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, n * bound(lists, choice)));
    vel_rng_seed_numpy(&d->rng, choice->seed);
    indptr[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        indptr[i + 1] = indptr[i];
        if (!choice->moving[i]) continue;
        VEL_TRY(vel_poll(ctx));
        int64_t count = keep_some(d, vel_candidates(lists, i, choice->hops, &d->set, d->cells));
        int64_t later = next_in_time(d, n, i, count);
        indptr[i + 1] += unite(d, count, later, indices + indptr[i]);
    }
    *chosen = (vel_neighbor_lists){n, indptr, indices};
    return VEL_OK;
}
