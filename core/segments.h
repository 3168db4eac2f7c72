/* segments.h - the neighbours of every cell, laid out for many sums over them in any order.
 *
 * Cells get places such that neighbours are near in memory: patch by patch, each grown breadth first through the graph.
 * The places are cut into segments that 16 bits can number and the second cache can hold; a row's neighbours stand
 * apart in each, and the sums over them are added. Within a stretch of places rows of about equal length stand
 * together, filled up to whole blocks with a place that adds nothing, so that the loop over a row has the same length
 * again and again, and rows that follow each other find their neighbours in the first cache. Where the order of
 * additions counts, core/nearby.h is right. Made once, read by all threads. */
#ifndef VEL_CORE_SEGMENTS_H
#define VEL_CORE_SEGMENTS_H

#include "core/average.h"

enum { VEL_SEGMENT_BLOCK = 8, VEL_SEGMENT = 1 << 14 };

/* `rows` rows of `blocks` blocks each, of cells of a stretch, in the segment that begins at the place `first`. */
typedef struct {
    int64_t rows, blocks, first;
} vel_segment_run;

typedef struct {
    const vel_average *average; /* what the sums stand for */
    int64_t places;             /* n, and one a segment, its last, that adds nothing */
    const int32_t *place;       /* n: of each cell in the array that is summed over */
    const vel_segment_run *runs;
    int64_t n_runs;
    const int32_t
        *cell; /* whose row comes next: in the first segment every cell, then those that have neighbours there */
    const uint16_t *near; /* four times the places of row after row, counted from the segment's first */
    const float *terms;   /* n, and zeros to the next multiple of VEL_SEGMENT_BLOCK: how many cells a row has */
    bool symmetric;       /* every cell is a neighbour of its neighbours */
} vel_segments;

/* How many segments n cells take. */
static inline int64_t vel_segments_count(int64_t n) { return (n + VEL_SEGMENT - 2) / (VEL_SEGMENT - 1); }

/* The place that adds nothing in the segment that begins at `first`. */
static inline int64_t vel_segments_nothing(const vel_segments *segments, int64_t first) {
    int64_t last = first + VEL_SEGMENT - 1;
    return last < segments->places ? last : segments->places - 1;
}

/* Memory from ctx->scratch: 2 bytes an entry, filled up, 20 a cell. O(entries segments). */
vel_err vel_segments_make(vel_ctx *ctx, const vel_average *average, vel_segments *segments) VEL_CHECKED;

#endif
