/* tallies_body.h - the part of tallies_lanes.h that exists in both precisions: included there twice, with
 *
 *     REAL      float or double
 *     WORD      the signed integer of its size, NATURAL the one without a sign
 *     SHIFT     what rounds to a whole number when it is added and taken away again
 *     NAME      puts the suffix of the precision to a name
 */

/* ---- joined: four cells of four genes at a time */

typedef REAL NAME(four) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
typedef WORD NAME(flags) __attribute__((vector_size(4 * sizeof(REAL))));

/* Adds what the first four cells of four genes have, the lanes of a row, to the sums of the genes, cell after cell. */
static inline void NAME(add_cells)(const NAME(four) * row, NAME(four) * sums) {
    NAME(four) a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    NAME(four) b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    NAME(four) c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    NAME(four) d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    *sums += __builtin_shufflevector(a, c, 0, 1, 4, 5);
    *sums += __builtin_shufflevector(b, d, 0, 1, 4, 5);
    *sums += __builtin_shufflevector(a, c, 2, 3, 6, 7);
    *sums += __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

static void NAME(joined)(int64_t n, const REAL *const *x, const REAL *const *y, REAL *sum, int64_t *cells) {
    const NAME(four) zero = {0};
    NAME(four) sums = {0}, both[4];
    NAME(flags) found[4] = {{0}};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            NAME(four)
            v = *(const NAME(four) *)(const void *)(x[k] + i), w = *(const NAME(four) *)(const void *)(y[k] + i);
            NAME(flags) has_both = (v > zero) & (w > zero);
            both[k] = (NAME(four))((NAME(flags))(v + w) & has_both);
            found[k] -= has_both;
        }
        NAME(add_cells)(both, &sums);
    }
    for (int k = 0; k < 4; k++) {
        sum[k] = sums[k];
        cells[k] = (int64_t)found[k][0] + found[k][1] + found[k][2] + found[k][3];
        for (int64_t j = i; j < n; j++) {
            bool has_both = x[k][j] > 0 && y[k][j] > 0;
            sum[k] += has_both ? x[k][j] + y[k][j] : 0;
            cells[k] += has_both;
        }
    }
}

/* ---- strand */

typedef REAL NAME(lanes) __attribute__((vector_size(LANE_BYTES), aligned(sizeof(REAL)), may_alias));
typedef NATURAL NAME(words) __attribute__((vector_size(LANE_BYTES)));

/* What speaks against terms: left, which is 0 if whatever was seen is whole and finite, and their signs. */
typedef struct {
    NAME(words) left, signs;
} NAME(doubt);

static inline NAME(doubt) NAME(seen)(NAME(doubt) d, NAME(lanes) v) {
    d.left |= (NAME(words))(v - ((v + SHIFT) - SHIFT));
    d.signs |= (NAME(words))v;
    return d;
}

static bool NAME(is_free)(NAME(doubt) d) {
    NATURAL left = 0, signs = 0;
    for (size_t k = 0; k < LANE_BYTES / sizeof(REAL); k++) {
        left |= d.left[k];
        signs |= d.signs[k];
    }
    return (NATURAL)(left << 1) == 0 && signs >> (8 * sizeof(REAL) - 1) == 0;
}

/* Some lines of memory of each term are kept in registers: the terms are so many streams, which the hardware fetches
 * ahead. */
static bool NAME(strand)(const REAL *x, int64_t n, int64_t step, int64_t rows, REAL *out) {
    enum { LANES = LANE_BYTES / sizeof(REAL), WIDE = 8 };
    NAME(doubt) doubt = {{0}, {0}};
    int64_t l = 0;
    for (; l + WIDE * LANES <= rows; l += WIDE * LANES) {
        NAME(lanes) sum[WIDE];
        memcpy(sum, x + l, sizeof sum);
#pragma GCC unroll 8
        for (int k = 0; k < WIDE; k++) doubt = NAME(seen)(doubt, sum[k]);
        for (int64_t i = 1; i < n; i++) {
            const NAME(lanes) *v = (const void *)(x + i * step + l);
#pragma GCC unroll 8
            for (int k = 0; k < WIDE; k++) {
                sum[k] += v[k];
                doubt = NAME(seen)(doubt, v[k]);
            }
        }
        memcpy(out + l, sum, sizeof sum);
    }
    for (; l < rows; l++) {
        out[l] = x[l];
        doubt = NAME(seen)(doubt, (NAME(lanes)){x[l]});
        for (int64_t i = 1; i < n; i++) {
            out[l] += x[i * step + l];
            doubt = NAME(seen)(doubt, (NAME(lanes)){x[i * step + l]});
        }
    }
    return NAME(is_free)(doubt);
}

#undef REAL
#undef WORD
#undef NATURAL
#undef SHIFT
#undef NAME
