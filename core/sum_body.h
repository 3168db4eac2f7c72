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
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK) sum += NAME(pairwise)(x + i, vel_least(n - i, VEL_SUM_CHUNK));
    return sum;
}

REAL NAME(vel_sum_row)(const REAL *x, int64_t n) { return n == 0 ? 0 : x[0] + NAME(pairwise)(x + 1, n - 1); }

/* ---- rows side by side: the same additions for each */

static void NAME(add_rows)(REAL *sum, const REAL *x, int64_t rows) {
    for (int64_t l = 0; l < rows; l++) sum[l] += x[l];
}

/* total += n terms one after the other. */
static bool NAME(add_terms)(const REAL *x, int64_t n, int64_t stride, int64_t rows, REAL *total) {
    const vel_tallies *body = vel_tallies_at(vel_cpu_level());
    REAL term[VEL_SUM_ROWS];
    bool raw = true;
    for (int64_t i = 0; i < n; i++) {
        raw &= body->NAME(strand)(x + i * stride, 1, stride, rows, term);
        NAME(add_rows)(total, term, rows);
    }
    return raw;
}

static bool NAME(pairwise_across)(const REAL *x, int64_t n, int64_t stride, int64_t rows, REAL *total) {
    const vel_tallies *body = vel_tallies_at(vel_cpu_level());
    bool raw = true;
    if (n > 128) {
        int64_t half = n / 2 / 8 * 8;
        REAL rest[VEL_SUM_ROWS];
        raw &= NAME(pairwise_across)(x, half, stride, rows, total);
        raw &= NAME(pairwise_across)(x + half * stride, n - half, stride, rows, rest);
        NAME(add_rows)(total, rest, rows);
        return raw;
    }
    if (n < 8) {
        for (int64_t l = 0; l < rows; l++) total[l] = -(REAL)0;
        return NAME(add_terms)(x, n, stride, rows, total);
    }
    REAL r[8][VEL_SUM_ROWS];
    for (int k = 0; k < 8; k++) raw &= body->NAME(strand)(x + k * stride, n / 8, 8 * stride, rows, r[k]);
    for (int64_t l = 0; l < rows; l++)
        total[l] = ((r[0][l] + r[1][l]) + (r[2][l] + r[3][l])) + ((r[4][l] + r[5][l]) + (r[6][l] + r[7][l]));
    return raw & NAME(add_terms)(x + n / 8 * 8 * stride, n % 8, stride, rows, total);
}

bool NAME(vel_sum_across)(const REAL *x, int64_t n, int64_t stride, int64_t rows, REAL *sums) {
    REAL part[VEL_SUM_ROWS];
    bool raw = true;
    for (int64_t l = 0; l < rows; l++) sums[l] = 0;
    for (int64_t i = 0; i < n; i += VEL_SUM_CHUNK) {
        raw &= NAME(pairwise_across)(x + i * stride, vel_least(n - i, VEL_SUM_CHUNK), stride, rows, part);
        NAME(add_rows)(sums, part, rows);
    }
    return raw;
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
