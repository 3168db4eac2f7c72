/* candidate_choice.h - candidates by lot: a random part of many, and cells of the next time point.
 *
 * Draws are those of NumPy's legacy generator, cell after cell: numpy.random.seed(seed) before the reference's call
 * (with one job) gives the same graph. Reference: scvelo 0.3.4, get_iterative_indices and
 * VelocityGraph._compute_cosines. */
#ifndef VEL_CORE_CANDIDATE_CHOICE_H
#define VEL_CORE_CANDIDATE_CHOICE_H

#include "core/candidates.h"

typedef struct {
    int64_t hops;
    int64_t most;          /* of more candidates, so many are drawn; 0: all stay */
    const int32_t *time;   /* n: time point of each cell, -1: none. Cells of the next one join, at most as many as there
                              are candidates already. NULL: no time points */
    const uint8_t *moving; /* n: cells without velocity draw nothing and get no candidates */
    uint32_t seed;
} vel_candidate_choice;

/* The candidates of every cell, ascending. Memory from ctx->scratch. Serial: the order of draws is part of the result.
 * O(n log n + candidates + n * cells of a time point). */
vel_err vel_candidates_choose(vel_ctx *ctx, const vel_neighbor_lists *lists, const vel_candidate_choice *choice,
                              vel_neighbor_lists *chosen) VEL_CHECKED;

#endif
