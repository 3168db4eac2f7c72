#include "core/stochastic.h"

#include <math.h>
#include <string.h>

#include "core/pinv.h"
#include "core/sum.h"

/* Sums over the two blocks of rows of the weighted problem: n is the sum of squared weights, s and u those of weighted
 * regressor and response. Double: the result is rounded to float32, where their order does not show. */
typedef struct {
    double n, s, u, ss, us;
} block;

/* v, c, the residual in double and its squares, the two vectors of vel_extremes, the selection. */
size_t vel_stochastic_work(int64_t n) { return (size_t)n * (6 * sizeof(double) + sizeof(uint8_t)); }

static void add_row(block *b, double weight, double s, double u) {
    b->n += weight * weight;
    b->s += weight * s;
    b->u += weight * u;
    b->ss += s * s;
    b->us += s * u;
}

static double or_zero(double x) { return isnan(x) ? 0 : (double)(float)x; }

/* Normal equations over the unknowns o, o2 (those asked for) and gamma. */
static vel_stochastic solve(const vel_stochastic_opts *o, const block *first, const block *second) {
    double a[VEL_PINV_MOST][VEL_PINV_MOST] = {{0}}, b[VEL_PINV_MOST], x[VEL_PINV_MOST];
    const block *blocks[2] = {o->steady.offset ? first : NULL, o->offset2 ? second : NULL};
    int at[2] = {-1, -1}, k = 0;
    for (int i = 0; i < 2; i++) {
        if (!blocks[i]) continue;
        a[k][k] = blocks[i]->n;
        b[k] = blocks[i]->u;
        at[i] = k++;
    }
    for (int i = 0; i < 2; i++)
        if (blocks[i]) a[at[i]][k] = a[k][at[i]] = blocks[i]->s;
    a[k][k] = first->ss + second->ss;
    b[k] = first->us + second->us;
    vel_pinv_solve(k + 1, (const double(*)[VEL_PINV_MOST])a, b, x);
    return (vel_stochastic){.gamma = or_zero(x[k]),
                            .offset = at[0] < 0 ? 0 : or_zero(x[at[0]]),
                            .offset2 = at[1] < 0 ? 0 : or_zero(x[at[1]])};
}

/* Population standard deviations, one cell after the other. */
static float deviation_f32(int64_t n, const float *x) {
    float sum = 0, squares = 0;
    for (int64_t c = 0; c < n; c++) sum += x[c];
    float mean = sum / (float)n;
    for (int64_t c = 0; c < n; c++) squares += (x[c] - mean) * (x[c] - mean);
    return sqrtf(squares / (float)n);
}

static double deviation_f64(int64_t n, const double *x) {
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < n; c++) sum += x[c];
    double mean = sum / (double)n;
    for (int64_t c = 0; c < n; c++) squares += (x[c] - mean) * (x[c] - mean);
    return sqrt(squares / (double)n);
}

/* The deviation of the residual u - gamma s - o of the deterministic fit, in the type of that fit. */
static double first_deviation(const vel_stochastic_opts *o, const vel_gene_data *g, const vel_steady *steady,
                              double *work) {
    vel_type type = vel_steady_type(&o->steady, g->type);
    vel_steady_velocity(g, steady->gamma, steady->offset, type, work);
    if (type == VEL_F64) return o->pairwise ? vel_std_f64(work, g->n, work) : deviation_f64(g->n, work);
    float *x = (float *)work;
    return o->pairwise ? vel_std_f32(x, g->n, x) : deviation_f32(g->n, x);
}

#define REAL float
#define TYPE VEL_F32
#define NAME(x) x##_f32
#include "core/stochastic_body.h"

#define REAL double
#define TYPE VEL_F64
#define NAME(x) x##_f64
#include "core/stochastic_body.h"

void vel_stochastic_fit(const vel_stochastic_opts *opts, const vel_gene_data *gene, const vel_second_moments *second,
                        const vel_steady *steady, void *work, vel_stochastic *fit) {
    *fit =
        gene->type == VEL_F32 ? fit_f32(opts, gene, second, steady, work) : fit_f64(opts, gene, second, steady, work);
}

void vel_stochastic_variance(const vel_stochastic_opts *opts, const vel_gene_data *gene,
                             const vel_second_moments *second, const vel_stochastic *fit, double *variance) {
    if (gene->type == VEL_F32)
        variance_f32(opts, gene, second, fit, variance);
    else
        variance_f64(opts, gene, second, fit, variance);
}
