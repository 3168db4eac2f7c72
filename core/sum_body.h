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

/* Eight rows side by side; the same additions for each. */
typedef REAL NAME(rows) __attribute__((vector_size(8 * sizeof(REAL)), may_alias, aligned(sizeof(REAL))));

static void NAME(pairwise_across)(const REAL *x, int64_t n, int64_t stride, NAME(rows) * total) {
#define ROW(i) (*(const NAME(rows) *)(const void *)(x + (i)*stride))
    if (n > 128) {
        int64_t half = n / 2 / 8 * 8;
        NAME(rows) rest;
        NAME(pairwise_across)(x, half, stride, total);
        NAME(pairwise_across)(x + half * stride, n - half, stride, &rest);
        *total += rest;
        return;
    }
    int64_t i = 0;
    NAME(rows) sum = -(NAME(rows)){0};
    if (n >= 8) {
        NAME(rows) r[8];
        for (int k = 0; k < 8; k++) r[k] = ROW(k);
        for (i = 8; i + 8 <= n; i += 8)
            for (int k = 0; k < 8; k++) r[k] += ROW(i + k);
        sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; i < n; i++) sum += ROW(i);
    *total = sum;
#undef ROW
}

void NAME(vel_sum_across)(const REAL *x, int64_t n, int64_t stride, REAL sums[8]) {
    NAME(rows) sum = {0}, part;
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK) {
        NAME(pairwise_across)(x + i * stride, n - i < VEL_SUM_CHUNK ? n - i : VEL_SUM_CHUNK, stride, &part);
        sum += part;
    }
    memcpy(sums, &sum, sizeof sum);
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
