/* three_genes.h - three made-up genes of 23 cells, small fractions rounded to float32, for tests that compare with
 * figures of the reference. */
#ifndef VEL_TESTS_THREE_GENES_H
#define VEL_TESTS_THREE_GENES_H

#include "core/steady_state.h"

enum { N = 23, GENES = 3 };

static inline double spliced(int g, int c) {
    if (g == 0) return (float)((c * 7) % N / 7.0 + 1);
    return g == 1 ? (float)((c * 11) % N / 3.0) : (float)((c * 5) % N * ((c * 5) % N) / 11.0);
}

static inline double unspliced(int g, int c) {
    if (g == 0) return (float)((c * 7) % N / 5.0 + (c * 3) % N / 9.0);
    return g == 1 ? (float)((c * 11) % N / 2.0 + (c * 13) % 7) : (float)((c * 5) % N / 13.0);
}

typedef struct {
    float u32[N], s32[N];
    double u64[N], s64[N];
} gene_arrays;

static inline vel_gene_data gene(gene_arrays *a, int g, vel_type type) {
    for (int c = 0; c < N; c++) {
        a->u64[c] = unspliced(g, c);
        a->s64[c] = spliced(g, c);
        a->u32[c] = (float)a->u64[c];
        a->s32[c] = (float)a->s64[c];
    }
    bool single = type == VEL_F32;
    return (vel_gene_data){N, type, single ? (void *)a->u32 : a->u64, single ? (void *)a->s32 : a->s64};
}

#endif
