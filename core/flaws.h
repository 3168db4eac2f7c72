/* flaws.h - what values a matrix has that counts may not have.
 *
 * One pass at the speed of memory where there is none: runs of values are seen to be sound without branches, and only
 * the others are looked at one by one. */
#ifndef VEL_CORE_FLAWS_H
#define VEL_CORE_FLAWS_H

#include "core/counts.h"

/* bad[g] = 1 for genes with a value that is NaN or infinite. O(stored values), one thread. */
void vel_counts_not_finite(const vel_counts *m, uint8_t *bad);

/* What a value may be found not to be. */
typedef enum {
    VEL_NOT_FINITE, /* NaN, infinite */
    VEL_NOT_COUNT,  /* not finite, or negative */
    VEL_NOT_WHOLE,  /* not finite, or more than 1e-3 above the whole number below */
    VEL_NOT_RAW,    /* any of these: what raw counts are free of */
} vel_flaw;

/* The first value with the flaw, in the order of storage, and its place. row -1: there is none. Parallel. */
typedef struct {
    int64_t row, col;
    double value;
} vel_flawed;
vel_err vel_counts_find(vel_ctx *ctx, const vel_counts *m, vel_flaw flaw, vel_flawed *found) VEL_CHECKED;

/* Whether no value of x[n], float or double, is VEL_NOT_FINITE. O(n), one thread. */
bool vel_all_finite(vel_type type, const void *x, int64_t n);

/* Whether no value of the first n_rows rows is VEL_NOT_WHOLE: by them scVelo takes a matrix for raw counts. An empty
 * set is whole. O(stored values of those rows). */
bool vel_counts_whole(const vel_counts *m, int64_t n_rows);

#endif
