/* centered_body.h - the loops of core/centered.c over a row or a gene, compiled once a type: REAL is float or double,
 * NAME(x) the function's name. Sums are in four parts, (0 + 1) + (2 + 3): no chain of additions, and the same bits
 * everywhere. */

static double NAME(sparse_dot)(const REAL *x, const int32_t *at, int64_t n, const double *v) {
    double a = 0, b = 0, c = 0, d = 0;
    int64_t e = 0;
    for (; e + 4 <= n; e += 4) {
        a += (double)x[e] * v[at[e]];
        b += (double)x[e + 1] * v[at[e + 1]];
        c += (double)x[e + 2] * v[at[e + 2]];
        d += (double)x[e + 3] * v[at[e + 3]];
    }
    for (; e < n; e++) a += (double)x[e] * v[at[e]];
    return (a + b) + (c + d);
}

static void NAME(sparse_add)(const REAL *x, const int32_t *at, int64_t n, double by, double *y) {
    for (int64_t e = 0; e < n; e++) y[at[e]] += (double)x[e] * by;
}

static double NAME(dense_dot)(const REAL *x, int64_t n, const double *v) {
    double a = 0, b = 0, c = 0, d = 0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += (double)x[i] * v[i];
        b += (double)x[i + 1] * v[i + 1];
        c += (double)x[i + 2] * v[i + 2];
        d += (double)x[i + 3] * v[i + 3];
    }
    for (; i < n; i++) a += (double)x[i] * v[i];
    return (a + b) + (c + d);
}

static void NAME(dense_add)(const REAL *x, int64_t n, double by, double *y) {
    for (int64_t i = 0; i < n; i++) y[i] += (double)x[i] * by;
}

static double NAME(dense_sum)(const REAL *x, int64_t n, int64_t step) {
    double a = 0, b = 0, c = 0, d = 0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += (double)x[i * step];
        b += (double)x[(i + 1) * step];
        c += (double)x[(i + 2) * step];
        d += (double)x[(i + 3) * step];
    }
    for (; i < n; i++) a += (double)x[i * step];
    return (a + b) + (c + d);
}

/* y = x - mean; what lies at `next` is fetched meanwhile. */
static void NAME(dense_less)(const REAL *x, const REAL *next, int64_t n, double mean, double *y) {
    typedef REAL some __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __builtin_prefetch(next + i);
#pragma GCC unroll 4
        for (int k = 0; k < 8; k += 2)
            *(pair *)(void *)(y + i + k) =
                __builtin_convertvector(*(const some *)(const void *)(x + i + k), pair) - mean;
    }
    for (; i < n; i++) y[i] = (double)x[i] - mean;
}

#undef REAL
#undef NAME
