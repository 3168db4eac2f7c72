/* dynamical_average_lanes.h - averages over neighbours of core/dynamical_velocity_bodies.h, for the end of
 * core/dynamical_velocity_lanes.h. */

/* Rows of one length, four at a time, eight numbers a cell: each number is a chain of additions in the order of its
 * row's entries. */
#define ADD(k, fetch)                                   \
    do {                                                \
        const double *at = x + 4 * (int64_t)near[k][e]; \
        fetch(k);                                       \
        sum[2 * k] += w[k] * load(at);                  \
        sum[2 * k + 1] += w[k] * load(at + 4);          \
    } while (0)

/* So many cells as need wide numbers are more than the second cache holds: what the entries `ahead` will read comes
 * into it meanwhile. */
#define FROM_THIRD(k) __builtin_prefetch(x + 4 * (int64_t)near[k][e + ahead], 0, 2)
#define AT_HAND(k) (void)ahead

#define ROWS(name, index, fetch)                                                                        \
    static inline void name(const double *x, const index *const near[4], int64_t length, int64_t ahead, \
                            const double w[4], four out[8]) {                                           \
        four sum[8] = {{0}};                                                                            \
        for (int64_t e = 0; e < length; e++) {                                                          \
            ADD(0, fetch);                                                                              \
            ADD(1, fetch);                                                                              \
            ADD(2, fetch);                                                                              \
            ADD(3, fetch);                                                                              \
        }                                                                                               \
        for (int k = 0; k < 8; k++) out[k] = sum[k];                                                    \
    }

ROWS(rows16, uint16_t, AT_HAND)
ROWS(rows32, int32_t, FROM_THIRD)
#undef AT_HAND
#undef FROM_THIRD
#undef ROWS
#undef ADD

static void average(const vel_nearby *nb, const double *x, const double per[2], double *y) {
    const int32_t *cell = nb->cell;
    int64_t at = 0;
    for (int64_t r = 0; r < nb->n_runs; r++) {
        int64_t rows = nb->runs[r].rows, length = nb->runs[r].blocks * VEL_NEARBY_BLOCK;
        for (int64_t i = 0; i < rows; i += 4) {
            int some = rows - i < 4 ? (int)(rows - i) : 4;
            int64_t ahead = rows - i < 8 ? 0 : 4 * length; /* the next four rows, if they are of this run */
            const uint16_t *near16[4];
            const int32_t *near32[4];
            double w[4];
            four sum[8];
            for (int k = 0; k < 4; k++) {
                int64_t row = i + (k < some ? k : 0);
                if (nb->near16) near16[k] = nb->near16 + at + row * length;
                if (nb->near32) near32[k] = nb->near32 + at + row * length;
                w[k] = nb->weight[cell[row]];
            }
            if (nb->near16)
                rows16(x, near16, length, ahead, w, sum);
            else
                rows32(x, near32, length, ahead, w, sum);
            for (int k = 0; k < 2 * some; k++)
                store(y + 8 * (int64_t)cell[i + k / 2] + 4 * (k % 2), sum[k] / per[k % 2]);
        }
        at += rows * length;
        cell += rows;
    }
}
