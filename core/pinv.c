#include "core/pinv.h"

#include <math.h>

#define CUTOFF 1e-15

enum { K = VEL_PINV_MOST, SWEEPS = 30 };

/* One Jacobi rotation that makes a[p][q] zero; v collects the eigenvectors in its columns. */
static void rotate(int k, double a[K][K], double v[K][K], int p, int q) {
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < k; i++) {
        double x = a[i][p], y = a[i][q];
        a[i][p] = c * x - s * y;
        a[i][q] = s * x + c * y;
    }
    for (int i = 0; i < k; i++) {
        double x = a[p][i], y = a[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
    }
    for (int i = 0; i < k; i++) {
        double x = v[i][p], y = v[i][q];
        v[i][p] = c * x - s * y;
        v[i][q] = s * x + c * y;
    }
}

static void diagonalise(int k, double a[K][K], double v[K][K]) {
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < k; p++)
            for (int q = p + 1; q < k; q++) rotate(k, a, v, p, q);
}

void vel_pinv_solve(int k, const double a[K][K], const double *b, double *x) {
    double d[K][K], v[K][K] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, most = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) d[i][j] = a[i][j];
    diagonalise(k, d, v);
    for (int i = 0; i < k; i++) {
        x[i] = 0;
        most = fmax(most, fabs(d[i][i]));
    }
    for (int e = 0; e < k; e++) {
        if (fabs(d[e][e]) <= CUTOFF * most) continue;
        double along = 0;
        for (int i = 0; i < k; i++) along += v[i][e] * b[i];
        along *= 1 / d[e][e];
        for (int i = 0; i < k; i++) x[i] += v[i][e] * along;
    }
}
