/* panel.h - some columns of a few rows of a matrix times a vector, in vectors of the CPU: the same bits in every body.
 */
#ifndef VEL_CORE_PANEL_H
#define VEL_CORE_PANEL_H

#include <stdint.h>

#include "core/cpu.h"
#include "core/mat.h"

enum { VEL_PANEL_ROWS = 16, VEL_PANEL_COLS = 32 };

/* x_rj = element `first` + j of row[r], for at most VEL_PANEL_ROWS rows and VEL_PANEL_COLS columns. */
typedef struct {
    vel_type type; /* VEL_F32 or VEL_F64 */
    const void *const *row;
    int64_t rows, first, cols;
} vel_panel;

/* With VEL_PANEL_ROWS rows and VEL_PANEL_COLS columns only. */
typedef void vel_panel_body(const vel_panel *p, const double *in, double *out);
typedef struct {
    vel_panel_body *add, *dot;
} vel_panel_bodies;

vel_panel_body vel_panel_add_plain, vel_panel_add_avx2, vel_panel_dot_plain, vel_panel_dot_avx2;

/* The bodies of a level. */
vel_panel_bodies vel_panel_at(vel_cpu level);

/* y_j += sum over r of x_rj by_r, by[rows], y[cols], row after row and nothing fused. What lies some columns ahead in
 * each row is fetched meanwhile. Here and below vectors must not overlap; NaN and Inf propagate. */
void vel_panel_add(const vel_panel_bodies *bodies, const vel_panel *p, const double *by, double *y);

/* sum_r += sum over j of x_rj y_j, y[cols], sum[rows], in four partial sums, (0 + 1) + (2 + 3), nothing fused. */
void vel_panel_dot(const vel_panel_bodies *bodies, const vel_panel *p, const double *y, double *sum);

#endif
