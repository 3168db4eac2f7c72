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

/* VEL_SUM_ROWS rows side by side, in as many vectors; the same additions for each. */
#define ACROSS (VEL_SUM_ROWS * sizeof(REAL) / 16)

typedef struct {
    NAME(lanes) of[ACROSS];
} NAME(rows);

static inline void NAME(load_rows)(NAME(rows) * sum, const REAL *x) { memcpy(sum, x, sizeof *sum); }

static inline void NAME(add_rows)(NAME(rows) * sum, const REAL *x) {
    NAME(lanes) v;
#pragma GCC unroll 16
    for (size_t k = 0; k < ACROSS; k++) {
        memcpy(&v, x + k * (16 / sizeof *x), sizeof v);
        sum->of[k] += v;
    }
}

static inline void NAME(add_sums)(NAME(rows) * sum, const NAME(rows) * other) {
    for (size_t k = 0; k < ACROSS; k++) sum->of[k] += other->of[k];
}

static void NAME(pairwise_across)(const REAL *x, int64_t n, int64_t stride, NAME(rows) * total) {
    if (n > 128) {
        int64_t half = n / 2 / 8 * 8;
        NAME(rows) rest;
        NAME(pairwise_across)(x, half, stride, total);
        NAME(pairwise_across)(x + half * stride, n - half, stride, &rest);
        NAME(add_sums)(total, &rest);
        return;
    }
    int64_t i = 0;
    for (size_t k = 0; k < ACROSS; k++) total->of[k] = -(NAME(lanes)){0};
    if (n >= 8) {
        NAME(rows) r[8];
        for (int k = 0; k < 8; k++) NAME(load_rows)(&r[k], x + k * stride);
        for (i = 8; i + 8 <= n; i += 8)
            for (int k = 0; k < 8; k++) NAME(add_rows)(&r[k], x + (i + k) * stride);
        for (size_t k = 0; k < ACROSS; k++)
            total->of[k] = ((r[0].of[k] + r[1].of[k]) + (r[2].of[k] + r[3].of[k])) +
                           ((r[4].of[k] + r[5].of[k]) + (r[6].of[k] + r[7].of[k]));
    }
    for (; i < n; i++) NAME(add_rows)(total, x + i * stride);
}

void NAME(vel_sum_across)(const REAL *x, int64_t n, int64_t stride, REAL *sums) {
    NAME(rows) sum = {{{0}}}, part;
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK) {
        NAME(pairwise_across)(x + i * stride, n - i < VEL_SUM_CHUNK ? n - i : VEL_SUM_CHUNK, stride, &part);
        NAME(add_sums)(&sum, &part);
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
#undef ACROSS
#undef NAME
#undef SQRT
