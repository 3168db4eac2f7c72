/* extremes.h - the cells near a gene's steady states: those in the extreme quantiles of its expression.
 *
 *     z_c = s_c / max(max s, 1e-3) + u_c / max(max u, 1e-3)
 *     selected:  z_c >= Q(z, upper)   or, with both ends,   z_c <= Q(z, lower)
 *
 * Everything is rounded to the type of the data, except that with both ends the bounds are double (NumPy takes the
 * percentiles as a list then): the selection decides the fit, and one cell more moves it by percents. Reference: scvelo
 * 0.3.4, LinearRegression._trim_data and get_weight. */
#ifndef VEL_CORE_EXTREMES_H
#define VEL_CORE_EXTREMES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double lower, upper; /* percentiles, 0 .. 100 */
    bool both;           /* the lower end counts too */
} vel_extremes;

/* selected[c] |= whether cell c is extreme: clear it before, or add one selection to another.
 *
 *   s[n], u[n]    one gene over the cells; u NULL: z is s itself, not normalised
 *   work[2 * n]   overwritten
 *
 * A NaN among the values selects no cell. O(n). */
void vel_extremes_f32(const vel_extremes *e, int64_t n, const float *s, const float *u, float *work, uint8_t *selected);
void vel_extremes_f64(const vel_extremes *e, int64_t n, const double *s, const double *u, double *work,
                      uint8_t *selected);

#endif
