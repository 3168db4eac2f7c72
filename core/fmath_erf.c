/* The error function and its complement as Cephes has them (S. L. Moshier, ndtr.c), which scipy.special uses in ndtr.
 *
 *     erf(x)  = x T(x^2) / U(x^2)              |x| < 1
 *     erfc(x) = exp(-x^2) P(x) / Q(x)          1 <= x < 8,     exp(-x^2) R(x) / S(x) above
 *
 * Polynomials by Horner's rule, multiply and add rounded separately, highest coefficient first. */
#include <math.h>

#include "core/fmath.h"

/* c[0] x^n + … + c[n] */
static double polynomial(double x, const double *c, int n) {
    double y = c[0];
    for (int i = 1; i <= n; i++) y = y * x + c[i];
    return y;
}

/* x^n + c[0] x^(n-1) + … + c[n-1] */
static double monic(double x, const double *c, int n) {
    double y = x + c[0];
    for (int i = 1; i < n; i++) y = y * x + c[i];
    return y;
}

static const double P[9] = {
    2.46196981473530512524E-10, 5.64189564831068821977E-1, 7.46321056442269912687E0,
    4.86371970985681366614E1,   1.96520832956077098242E2,  5.26445194995477358631E2,
    9.34528527171957607540E2,   1.02755188689515710272E3,  5.57535335369399327526E2,
};
static const double Q[8] = {
    1.32281951154744992508E1, 8.67072140885989742329E1, 3.54937778887819891062E2, 9.75708501743205489753E2,
    1.82390916687909736289E3, 2.24633760818710981792E3, 1.65666309194161350182E3, 5.57535340817727675546E2,
};
static const double R[6] = {
    5.64189583547755073984E-1, 1.27536670759978104416E0, 5.01905042251180477414E0,
    6.16021097993053585195E0,  7.40974269950448939160E0, 2.97886665372100240670E0,
};
static const double S[6] = {
    2.26052863220117276590E0, 9.39603524938001434673E0, 1.20489539808096656605E1,
    1.70814450747565897222E1, 9.60896809063285878198E0, 3.36907645100081516050E0,
};
static const double T[5] = {
    9.60497373987051638749E0, 9.00260197203842689217E1, 2.23200534594684319226E3,
    7.00332514112805075473E3, 5.55923013010394962768E4,
};
static const double U[5] = {
    3.35617141647503099647E1, 5.21357949780152679795E2, 4.59432382970980127987E3,
    2.26290000613890934246E4, 4.92673942608635921086E4,
};

double vel_erf(double x) {
    if (fabs(x) > 1.0) return 1.0 - vel_erfc(x);
    double z = x * x;
    return x * polynomial(z, T, 4) / monic(z, U, 5);
}

double vel_erfc(double x) {
    const double log_max = 7.09782712893383996843E2; /* of the largest double */
    double a = fabs(x);
    if (a < 1.0) return 1.0 - vel_erf(x);
    double z = -x * x;
    if (z < -log_max) return x < 0 ? 2.0 : 0.0;
    double e = vel_exp(z);
    double p = a < 8.0 ? polynomial(a, P, 8) : polynomial(a, R, 5);
    double q = a < 8.0 ? monic(a, Q, 8) : monic(a, S, 6);
    double y = e * p / q;
    return x < 0 ? 2.0 - y : y;
}
