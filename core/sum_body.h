/* sum_body.h - the text of core/sum.c, compiled once a type: REAL is double or float, NAME(x) the function's name, SQRT
 * its square root. */

typedef REAL NAME(lanes) __attribute__((vector_size(16)));

#define VECTORS (8 * sizeof(REAL) / 16) /* that hold the eight lanes */

/* NumPy's pairwise sum without its initial 0: -0 for n = 0, so that a sum of -0 stays -0. */
static REAL NAME(pairwise)(const REAL *x, int64_t n) {
    if (n < 8) {
        REAL sum = -(REAL)0;
        for (int64_t i = 0; i < n; i++) sum += x[i];
        return sum;
    }
    if (n > 128) {
        int64_t half = n / 2 / 8 * 8;
        return NAME(pairwise)(x, half) + NAME(pairwise)(x + half, n - half);
    }
    NAME(lanes) r[VECTORS], v;
    memcpy(r, x, sizeof r);
    int64_t i = 8;
    for (; i + 8 <= n; i += 8) {
#pragma GCC unroll 4
        for (size_t k = 0; k < VECTORS; k++) {
            memcpy(&v, x + i + k * (8 / VECTORS), sizeof v);
            r[k] += v;
        }
    }
    REAL l[8];
    memcpy(l, r, sizeof l);
    REAL sum = ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
    for (; i < n; i++) sum += x[i];
    return sum;
}

REAL NAME(vel_sum)(const REAL *x, int64_t n) {
    REAL sum = 0;
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK)
        sum += NAME(pairwise)(x + i, n - i < VEL_SUM_CHUNK ? n - i : VEL_SUM_CHUNK);
    return sum;
}

REAL NAME(vel_sum_row)(const REAL *x, int64_t n) { return n == 0 ? 0 : x[0] + NAME(pairwise)(x + 1, n - 1); }

/* ---- rows side by side: the same additions for each */

typedef REAL NAME(loose) __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));

/* out[l] = x[l] + x[step + l] + … of n terms, n >= 1. A line of memory or two of each term are kept in registers: the
 * terms are so many streams, which the hardware fetches ahead. */
static void NAME(strand)(const REAL *x, int64_t n, int64_t step, int64_t rows, REAL *out) {
    enum { LANES = 16 / sizeof(REAL), WIDE = 8 };
    int64_t l = 0;
    for (; l + WIDE * LANES <= rows; l += WIDE * LANES) {
        NAME(loose) sum[WIDE];
        memcpy(sum, x + l, sizeof sum);
        for (int64_t i = 1; i < n; i++) {
            const NAME(loose) *v = (const void *)(x + i * step + l);
#pragma GCC unroll 8
            for (int k = 0; k < WIDE; k++) sum[k] += v[k];
        }
        memcpy(out + l, sum, sizeof sum);
    }
    for (; l < rows; l++) {
        out[l] = x[l];
        for (int64_t i = 1; i < n; i++) out[l] += x[i * step + l];
    }
}

static void NAME(add_rows)(REAL *sum, const REAL *x, int64_t rows) {
    for (int64_t l = 0; l < rows; l++) sum[l] += x[l];
}

static void NAME(pairwise_across)(const REAL *x, int64_t n, int64_t stride, int64_t rows, REAL *total) {
    if (n > 128) {
        int64_t half = n / 2 / 8 * 8;
        REAL rest[VEL_SUM_ROWS];
        NAME(pairwise_across)(x, half, stride, rows, total);
        NAME(pairwise_across)(x + half * stride, n - half, stride, rows, rest);
        NAME(add_rows)(total, rest, rows);
        return;
    }
    if (n < 8) {
        for (int64_t l = 0; l < rows; l++) total[l] = -(REAL)0;
        for (int64_t i = 0; i < n; i++) NAME(add_rows)(total, x + i * stride, rows);
        return;
    }
    REAL r[8][VEL_SUM_ROWS];
    for (int k = 0; k < 8; k++) NAME(strand)(x + k * stride, n / 8, 8 * stride, rows, r[k]);
    for (int64_t l = 0; l < rows; l++)
        total[l] = ((r[0][l] + r[1][l]) + (r[2][l] + r[3][l])) + ((r[4][l] + r[5][l]) + (r[6][l] + r[7][l]));
    for (int64_t i = n / 8 * 8; i < n; i++) NAME(add_rows)(total, x + i * stride, rows);
}

void NAME(vel_sum_across)(const REAL *x, int64_t n, int64_t stride, int64_t rows, REAL *sums) {
    REAL part[VEL_SUM_ROWS];
    for (int64_t l = 0; l < rows; l++) sums[l] = 0;
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK) {
        NAME(pairwise_across)(x + i * stride, n - i < VEL_SUM_CHUNK ? n - i : VEL_SUM_CHUNK, stride, rows, part);
        NAME(add_rows)(sums, part, rows);
    }
}

REAL NAME(vel_mean)(const REAL *x, int64_t n) { return (REAL)((double)NAME(vel_sum)(x, n) / (double)n); }

REAL NAME(vel_std)(const REAL *x, int64_t n, REAL *work) {
    REAL mean = NAME(vel_mean)(x, n);
    for (int64_t i = 0; i < n; i++) {
        REAL d = x[i] - mean;
        work[i] = d * d;
    }
    return SQRT(NAME(vel_mean)(work, n));
}

#undef REAL
#undef VECTORS
#undef NAME
#undef SQRT
