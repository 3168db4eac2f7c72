#include "core/special.h"

#include <math.h>

#include "core/fmath.h"

double vel_ndtr(double x) {
    double z = x * 0.70710678118654752440; /* sqrt(1/2) */
    if (fabs(z) < 1.0) return 0.5 + 0.5 * vel_erf(z);
    double tail = 0.5 * vel_erfc(fabs(z));
    return z > 0 ? 1.0 - tail : tail;
}
