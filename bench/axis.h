/* axis.h - where a value lies on a drawing. */
#ifndef VEL_BENCH_AXIS_H
#define VEL_BENCH_AXIS_H

#include <stdbool.h>

/* From value low to value high over pixels from .. to. */
typedef struct {
    double low, high, from, to;
    bool log;
} bench_axis;

/* The pixel of x; on a logarithmic axis x > 0. */
double bench_axis_place(const bench_axis *a, double x);

/* Widened to whole decades (or, linear, to something that is not a point). */
bench_axis bench_axis_decades(double low, double high, bool log, double from, double to);

/* Logarithmic from low to high (0 < low <= high), and a share of that on either side so that no mark touches the frame.
 */
bench_axis bench_axis_padded(double low, double high, double from, double to);

#endif
