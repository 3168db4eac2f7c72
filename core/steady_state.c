#include "core/steady_state.h"

#include <math.h>
#include <string.h>

#include "core/stats.h"

/* Genes whose R2 is above this percentile stay when the rule leaves fewer than two. scvelo 0.3.4. */
#define LOW_SIGNAL_PERCENTILE 80

/* What the least-squares line of one gene needs: sums over its cells. */
typedef struct {
    double n, u, s, ss, us;
} moments;

typedef struct {
    double gamma, offset;
} line;

vel_steady_opts vel_steady_defaults(void) {
    return (vel_steady_opts){.extremes = {.lower = 5, .upper = 95}, .least_ratio = -INFINITY, .most_ratio = INFINITY};
}

vel_type vel_steady_type(const vel_steady_opts *opts, vel_type data) { return opts->offset ? VEL_F64 : data; }

/* Gathered u and s, the two vectors of vel_extremes, and the selection. */
size_t vel_steady_work(int64_t n) { return (size_t)n * (4 * sizeof(double) + sizeof(uint8_t)); }

static double rounded(double x, vel_type type) { return type == VEL_F32 ? (double)(float)x : x; }

/* Every operation is rounded to `type`, the ratio of the fallback to the type of the data. */
static line fit_line(const moments *m, bool offset, vel_type type, vel_type data) {
    double ratio = rounded(m->us / m->ss, data);
    line l = {ratio, 0};
    if (offset) {
        double s = rounded(m->s / m->n, type), u = rounded(m->u / m->n, type);
        double cov = rounded(rounded(m->us / m->n, type) - rounded(s * u, type), type);
        double var = rounded(rounded(m->ss / m->n, type) - rounded(s * s, type), type);
        l.gamma = rounded(cov / var, type);
        l.offset = rounded(u - rounded(l.gamma * s, type), type);
        if (l.offset < 0) l = (line){ratio, 0};
    }
    if (isnan(l.gamma)) l.gamma = 0;
    if (isnan(l.offset)) l.offset = 0;
    return l;
}

static double clip(double x, double least, double most) {
    if (x < least) x = least;
    return x > most ? most : x;
}

/* Few cells are extreme: flags are looked at eight at a time. */
enum { SKIPPED = 8 };
static bool is_none(const uint8_t *flags) {
    uint64_t all;
    memcpy(&all, flags, sizeof all);
    return all == 0;
}

/* Two sums in the first two lanes, what is in the others is not looked at: {a_0, b_0}, then {a_1, b_1} … are added. */
typedef float both_f32 __attribute__((vector_size(16)));
typedef double both_f64 __attribute__((vector_size(16)));

static inline both_f32 add_pairs_f32(both_f32 sums, both_f32 a, both_f32 b) {
    both_f32 low = __builtin_shufflevector(a, b, 0, 4, 1, 5), high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    sums += low;
    sums += __builtin_shufflevector(low, low, 2, 3, 2, 3);
    sums += high;
    return sums + __builtin_shufflevector(high, high, 2, 3, 2, 3);
}

static inline both_f64 add_pairs_f64(both_f64 sums, both_f64 a, both_f64 b) {
    sums += __builtin_shufflevector(a, b, 0, 2);
    return sums + __builtin_shufflevector(a, b, 1, 3);
}

#define REAL float
#define TYPE VEL_F32
#define NAME(x) x##_f32
#include "core/steady_state_body.h"

#define REAL double
#define TYPE VEL_F64
#define NAME(x) x##_f64
#include "core/steady_state_body.h"

void vel_steady_fit(const vel_steady_opts *opts, int n_genes, const vel_gene_data *genes, void *work,
                    vel_steady *fits) {
    if (genes->type == VEL_F32)
        fit_f32(opts, n_genes, genes, work, fits);
    else
        fit_f64(opts, n_genes, genes, work, fits);
}

static void velocity_wide(int64_t n, const float *u, const float *s, line l, double *v) {
    for (int64_t c = 0; c < n; c++) v[c] = (double)u[c] - l.gamma * (double)s[c] - l.offset;
}

void vel_steady_velocity(const vel_gene_data *gene, double gamma, double offset, vel_type type, void *v) {
    line l = {gamma, offset};
    if (gene->type == VEL_F64)
        velocity_f64(gene->n, gene->u, gene->s, l, v);
    else if (type == VEL_F64)
        velocity_wide(gene->n, gene->u, gene->s, l, v);
    else
        velocity_f32(gene->n, gene->u, gene->s, l, v);
}

double vel_steady_select(const vel_steady_rule *rule, int64_t n_genes, const vel_steady *fits, double *work,
                         uint8_t *genes) {
    double min_ratio = rounded(rule->min_ratio, rule->type);
    int64_t count = 0;
    for (int64_t g = 0; g < n_genes; g++) {
        const vel_steady *f = &fits[g];
        genes[g] = f->r2 > rule->min_r2 && f->gamma > min_ratio && f->any_s && f->any_u &&
                   (!rule->highly_variable || rule->highly_variable[g]);
        count += genes[g];
    }
    if (count >= 2) return rule->min_r2;
    for (int64_t g = 0; g < n_genes; g++) work[g] = fits[g].r2;
    double limit = vel_percentile_f64(work, n_genes, LOW_SIGNAL_PERCENTILE, work);
    for (int64_t g = 0; g < n_genes; g++) genes[g] = fits[g].r2 > limit;
    return limit;
}
