/* special.h - special functions of statistics. Reference: scipy 1.16.3. */
#ifndef VEL_CORE_SPECIAL_H
#define VEL_CORE_SPECIAL_H

/* The standard normal distribution function, as scipy.special.ndtr (Cephes):
 *
 *     Phi(x) = 1/2 + erf(x / sqrt 2) / 2
 *
 * by the complement where |x| >= sqrt 2, so that small tails keep their digits. NaN gives NaN. */
double vel_ndtr(double x);

#endif
