/* project.h - orthogonal projection of cells onto a curve given by points.
 *
 * Each cell takes the point that minimises (U - x)^2 + (S - s)^2, the first of several; distances are not weighted.
 * Reference: scvelo 0.3.4, assign_timepoints_projection. */
#ifndef VEL_CORE_PROJECT_H
#define VEL_CORE_PROJECT_H

#include "core/tagged.h"

/* A curve as m points (u[m], s[m]) with their times[m]. */
typedef struct {
    int64_t m;
    vel_vec times, u, s;
} vel_points;

/* time[n] = the time of the point of the curve nearest to (x[n], s[n]), with the tag of the curve's times.
 *
 * A NaN distance is the least, as NumPy's argmin has it. O(n m) at worst, about O(n sqrt m): points far away are passed
 * over by boxes around pieces of the curve. */
void vel_project(int64_t n, vel_vec x, vel_vec s, const vel_points *curve, vel_vec *time);

/* The same, point by point: the oracle. */
void vel_project_plain(int64_t n, vel_vec x, vel_vec s, const vel_points *curve, vel_vec *time);

#endif
