/* counts_pair.h - one small matrix of counts in each storage that kernels take. */
#ifndef VEL_TESTS_CORE_COUNTS_PAIR_H
#define VEL_TESTS_CORE_COUNTS_PAIR_H

#include "core/counts.h"

enum { PAIR_ROWS = 70, PAIR_COLS = 9, PAIR_CELLS = PAIR_ROWS * PAIR_COLS };

typedef struct {
    double dense[PAIR_CELLS];     /* row-major */
    float rows_f32[PAIR_CELLS];   /* row-major */
    double genes_f64[PAIR_CELLS]; /* gene-major */
    int64_t indptr[PAIR_ROWS + 1];
    int32_t indices[PAIR_CELLS];
    float values[PAIR_CELLS];
    double values_f64[PAIR_CELLS];
    vel_counts sparse, sparse_f64, row_major, gene_major;
} counts_pair;

/* Three quarters zeros; whole numbers times scale. */
static inline void counts_pair_make(counts_pair *p, uint64_t seed, double scale) {
    int64_t e = 0;
    for (int i = 0; i < PAIR_ROWS; i++) {
        p->indptr[i] = e;
        for (int j = 0; j < PAIR_COLS; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bits = seed >> 40;
            float v = bits % 4 == 0 ? (float)((double)(1 + bits / 4 % 7) * scale) : 0;
            p->dense[i * PAIR_COLS + j] = v;
            p->rows_f32[i * PAIR_COLS + j] = v;
            p->genes_f64[j * PAIR_ROWS + i] = v;
            if (v == 0) continue;
            p->indices[e] = j;
            p->values[e] = v;
            p->values_f64[e++] = v;
        }
    }
    p->indptr[PAIR_ROWS] = e;
    p->sparse = (vel_counts){PAIR_ROWS, PAIR_COLS, VEL_F32, p->values, p->indptr, p->indices, false, false};
    p->sparse_f64 = (vel_counts){PAIR_ROWS, PAIR_COLS, VEL_F64, p->values_f64, p->indptr, p->indices, false, false};
    p->row_major = (vel_counts){PAIR_ROWS, PAIR_COLS, VEL_F32, p->rows_f32, NULL, NULL, false, false};
    p->gene_major = (vel_counts){PAIR_ROWS, PAIR_COLS, VEL_F64, p->genes_f64, NULL, NULL, true, false};
}

#endif
