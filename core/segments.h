/* segments.h - the cells in an order that has neighbours near, and the neighbours of every cell, laid out for many sums
 * over them in any order.
 *
 * The order goes patch by patch, each grown breadth first through the graph. What has the cells in this order - all
 * arrays of a fit, after its start - reads and writes one after the other where it would jump. The places are cut into
 * segments that 16 bits can number and the second cache can hold; a row's neighbours stand apart in each, and the sums
 * over them are added. Within a stretch of places rows of about equal length stand together, filled up to whole blocks
 * with a place that adds nothing, so that the loop over a row has the same length again and again, and rows that follow
 * each other find their neighbours in the first cache. Where the order of additions counts, core/nearby.h is right.
 * Made once, read by all threads. */
#ifndef VEL_CORE_SEGMENTS_H
#define VEL_CORE_SEGMENTS_H

#include "core/terms.h"

enum { VEL_SEGMENT_BLOCK = 8, VEL_SEGMENT = 1 << 14, VEL_SEGMENT_PIECE = 64 };

/* `rows` rows of `blocks` blocks each, of cells of a stretch, in the segment that begins at the place `first`. */
typedef struct {
    int64_t rows, blocks, first;
    bool adds; /* to what these cells have in segments before; else they have nothing there */
} vel_segment_run;

typedef struct {
    vel_csr graph;               /* whose terms are summed: a pattern of core/terms.h */
    int64_t n;                   /* cells */
    const int32_t *order, *rank; /* n each: the cell at each rank; the rank of each cell */
    int64_t places; /* of what is summed over: one a rank, and one a segment, its last, that adds nothing */
    const vel_segment_run *runs;
    int64_t n_runs;
    const int32_t *row;   /* the rank whose row comes next: of cells that have a term in the segment */
    const uint16_t *near; /* four times the places of row after row, counted from the segment's first */
    const float *terms;   /* of each rank, n, and zeros to the next multiple of VEL_SEGMENT_BLOCK: cells in its row */
    const int32_t *start; /* n: the block that a rank's row begins at, if there is one segment; else NULL */
    bool symmetric;       /* every cell is a neighbour of its neighbours */
} vel_segments;

/* Where the cell of a rank stands in what is summed over. */
static inline int64_t vel_segment_place(int64_t rank) { return rank + rank / (VEL_SEGMENT - 1); }

/* What the terms of a cell's average are multiplied by. */
static inline float vel_segments_weight(const vel_segments *segments, int64_t rank) {
    return (float)(1.0 / (double)segments->terms[rank]);
}

/* How many segments n cells take. */
static inline int64_t vel_segments_count(int64_t n) { return (n + VEL_SEGMENT - 2) / (VEL_SEGMENT - 1); }

/* The place that adds nothing in the segment that begins at `first`. */
static inline int64_t vel_segments_nothing(const vel_segments *segments, int64_t first) {
    int64_t last = first + VEL_SEGMENT - 1;
    return last < segments->places ? last : segments->places - 1;
}

/* The graph must stay where it is. Memory from ctx->scratch: 2 bytes an entry, filled up, 20 a cell.
 * O(entries). */
vel_err vel_segments_make(vel_ctx *ctx, const vel_csr *graph, vel_segments *segments) VEL_CHECKED;

/* The ranks of the terms of a cell, in the order in which an average adds them (core/average.h): those from number
 * `from` on go to out[VEL_SEGMENT_PIECE]. Returns how many; 0: there are no more. */
int64_t vel_segments_terms(const vel_segments *segments, int64_t rank, int64_t from, int32_t *out);

/* Averages over the terms: x[n] by rank, y[n] by cell; work[n] is scratch. None may overlap. */
void vel_segments_average(const vel_segments *segments, const double *x, double *y, double *work);

#endif
