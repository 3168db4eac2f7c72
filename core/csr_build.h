/* csr_build.h - a sparse matrix made row by row, by many threads, in little more memory than the matrix itself.
 *
 * Rows are made a run at a time into a buffer and then moved to their place, so the buffer stays small beside the
 * result, and the result is the same for any number of threads. */
#ifndef VEL_CORE_CSR_BUILD_H
#define VEL_CORE_CSR_BUILD_H

#include "core/ctx.h"

/* What makes the rows. */
typedef struct {
    const char *what; /* for the progress line */
    int64_t n;        /* rows */
    int64_t bound;    /* no row has more entries */
    const void *arg;
    /* Called for each batch of rows before its first: takes what they need from ctx->scratch. */
    vel_err (*begin)(vel_ctx *ctx, const void *arg, int64_t first, int64_t count, void **state);
    /* Writes the entries of a row, columns ascending; returns their number. Zeros are dropped. */
    int64_t (*row)(void *state, int64_t row, int32_t *columns, float *values);
    /* Rows first .. end - 1 are in their places, and rows are made by nobody. NULL: no need to say. */
    void (*placed)(const void *arg, int64_t first, int64_t end);
} vel_row_maker;

/* Rows of a run: such that the buffer has room for some megabytes a thread, of which only entries are touched. */
int64_t vel_csr_rows_a_run(int threads, int64_t n, int64_t bound);

/* Where a matrix goes: indptr[n + 1], and room for n * bound entries; what is not used is not touched. */
typedef struct {
    int64_t *indptr;
    int32_t *indices;
    float *values;
} vel_csr_room;

/* Entries > 0 go to positive, entries < 0 to negative, NaN nowhere; with negative NULL both go to positive. O(entries)
 * beside the making. */
vel_err vel_csr_build(vel_ctx *ctx, const vel_row_maker *maker, const vel_csr_room *positive,
                      const vel_csr_room *negative) VEL_CHECKED;

#endif
