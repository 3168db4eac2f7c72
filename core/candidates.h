/* candidates.h - where a cell may go: its neighbours, their neighbours, and so on.
 *
 *     R_i = {i} + N(i) + N(N(i)) + ...      (hops times)
 *
 * Reference: scvelo 0.3.4, get_indices and get_iterative_indices. */
#ifndef VEL_CORE_CANDIDATES_H
#define VEL_CORE_CANDIDATES_H

#include "core/ctx.h"
#include "core/mat.h"

typedef struct {
    int64_t n;
    const int64_t *indptr; /* n + 1 */
    const int32_t *indices;
} vel_neighbor_lists;

/* What was found on the way. */
typedef struct {
    int64_t k;            /* neighbours kept a cell */
    int64_t n_lonely;     /* cells without any stored neighbour: they keep an empty list */
    int64_t n_coincident; /* cells all of whose neighbours are at distance 0: the list is kept as it is */
    int64_t first_lonely, first_coincident; /* -1: none */
} vel_neighbor_report;

/* The same number of neighbours for every cell: the k nearest of a graph of distances, where k is the shortest list
 * that is not empty, or `most` if that is smaller (0: no limit). Every stored entry is a neighbour, at distance 0 too.
 * Of equally distant ones the first stored stays. Memory from ctx->scratch. O(entries log k). */
vel_err vel_neighbor_lists_make(vel_ctx *ctx, const vel_csr *distances, int64_t most, vel_neighbor_lists *lists,
                                vel_neighbor_report *report) VEL_CHECKED;

/* A set of cells below n; empty between calls. One for each thread. */
typedef struct {
    uint64_t *member; /* n_words: a bit a cell */
    uint8_t *used;    /* n_words: 1 if any bit of the word is set, else 0 */
    int64_t n_words;  /* n / 64, in whole groups of 64 */
} vel_cell_set;

vel_err vel_cell_set_make(vel_ctx *ctx, int64_t n, vel_cell_set *set) VEL_CHECKED;

/* Puts a cell in; false if it was there. */
bool vel_cell_set_add(vel_cell_set *set, int32_t cell);

/* Writes the cells ascending, empties the set, returns their number: room for those is enough. O(n / 512 + cells). */
int64_t vel_cell_set_take(vel_cell_set *set, int32_t *cells);

/* R_i, ascending, cell i among them: cells[n] out; returns their number. O(sum of the lists walked). */
int64_t vel_candidates(const vel_neighbor_lists *lists, int64_t cell, int64_t hops, vel_cell_set *set, int32_t *cells);

#endif
