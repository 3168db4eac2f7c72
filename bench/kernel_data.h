/* kernel_data.h - made-up inputs for the kernels of velbench roofline, of a stated shape.
 *
 * Cells lie along a trajectory in random order, and their neighbours are the nearest along it: rows of a graph then
 * jump through memory as they do in real data. */
#ifndef VEL_BENCH_KERNEL_DATA_H
#define VEL_BENCH_KERNEL_DATA_H

#include "core/around.h"
#include "core/segments.h"

typedef struct {
    int64_t cells, genes;
    int64_t wide;       /* genes of the matrices that are normalised and decomposed, >= genes */
    int64_t neighbors;  /* the cell itself included */
    int64_t dims;       /* of the points whose neighbours are searched */
    int64_t points;     /* of the curve that cells are projected onto, <= 500 */
    int64_t queries;    /* cells whose transitions are formed */
    int64_t candidates; /* of each of them */
} bench_shape;

/* What velbench roofline measures: 10,000 cells, so that the neighbour sums of one gene lie in L2. */
extern const bench_shape bench_shape_default;

struct bench_counts_data; /* kernel_counts.h: it and the fit's numbers may not be seen by one file */

typedef struct {
    bench_shape shape;
    vel_around around; /* of cells */
    vel_segments segments;
    float *wide;   /* cells x wide, gene-major; the first genes are those of the other kernels */
    float *out;    /* cells x genes */
    float *points; /* cells x dims */
    int32_t *near; /* cells x neighbors, out */
    double *far;
    struct bench_counts_data *counts;
    float *expression; /* cells x stride: cell-major */
    float *velocity;   /* stride */
    float *cosine_work, *cosines;
    int32_t *candidates;   /* queries x candidates */
    double *t;             /* cells: times along the trajectory */
    double *times, *u, *s; /* ranks: the same, abundances of one gene */
    double *row[4];        /* ranks: distances, each least somewhere */
    double *a, *b, *c;     /* cells: scratch */
    double *curve_t, *curve_u, *curve_s;
    struct bench_screens *screens; /* kernel_fit.c */
    uint8_t *state;
    void *steady_work;
} bench_kernel_data;

/* In ctx->scratch. */
vel_err bench_kernel_data_make(vel_ctx *ctx, const bench_shape *shape, bench_kernel_data *d) VEL_CHECKED;

#endif
