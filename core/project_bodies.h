/* project_bodies.h - the search of core/project.c for one precision and instruction set; all give the same points.
 *
 * The points are cut into pieces of VEL_CURVE_PIECE, each with the box that holds it. The distance from a cell to the
 * nearest place of a box, formed with the operations of the distance itself, is never above the computed distance to a
 * point in it, since rounding keeps order: a piece whose box is farther than the best point so far is passed over. */
#ifndef VEL_CORE_PROJECT_BODIES_H
#define VEL_CORE_PROJECT_BODIES_H

#include "core/project.h"

enum { VEL_CURVE_PIECE = 32, VEL_CURVE_PIECES = 16 }; /* up to 512 points */

/* Aligned to 64 bytes by whoever makes one. */
typedef struct {
    double u[VEL_CURVE_PIECES * VEL_CURVE_PIECE],
        s[VEL_CURVE_PIECES * VEL_CURVE_PIECE]; /* filled up with the last point */
    double u_low[VEL_CURVE_PIECES], u_high[VEL_CURVE_PIECES], s_low[VEL_CURVE_PIECES], s_high[VEL_CURVE_PIECES];
    const double *times; /* of the points */
    int count;           /* pieces, a multiple of four */
} vel_curve_pieces;

/* time[n]: of the point nearest to each (x[n], s[n]), the first of several. The points are finite; a NaN in a cell
 * gives the first point. */
typedef void vel_project_body(const vel_curve_pieces *pieces, int64_t n, const double *x, const double *s,
                              double *time);

vel_project_body vel_project_boxes, vel_project_boxes_avx2;

#endif
