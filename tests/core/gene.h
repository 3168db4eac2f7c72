/* gene.h - a simulated gene for tests: cells along a trajectory, with noise, and a ring of neighbours. */
#ifndef VEL_TESTS_CORE_GENE_H
#define VEL_TESTS_CORE_GENE_H

#include <math.h>

#include "core/average.h"
#include "core/trajectory.h"

enum { GENE_CELLS = 240 };

typedef struct {
    double u[GENE_CELLS], s[GENE_CELLS], t[GENE_CELLS];
    int64_t indptr[GENE_CELLS + 1];
    int32_t indices[6 * GENE_CELLS];
} gene;

/* A number in [-1, 1) from a counter (splitmix64). */
static inline double noise(uint64_t k) {
    uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* alpha 5, beta 0.5, gamma 0.3, switch at 10, times 0 .. 20 in order, noise of a tenth; negative values become 0. */
static inline void make_gene(gene *g) {
    vel_trajectory p = {{vel_double(5), vel_double(0.5), vel_double(0.3)}, vel_weak(1), vel_double(10)};
    vel_branch on = vel_branch_of(&p, true), off = vel_branch_of(&p, false);
    for (int i = 0; i < GENE_CELLS; i++) {
        double tau;
        g->t[i] = 20.0 * i / GENE_CELLS;
        const vel_branch *b = vel_branch_time(&p, vel_double(g->t[i]), &tau) ? &on : &off;
        double u = vel_branch_u(b, exp(-0.5 * tau)), s = vel_branch_s(b, exp(-0.5 * tau), exp(-0.3 * tau));
        g->u[i] = fmax(0, u + 0.3 * noise(2 * (uint64_t)i));
        g->s[i] = fmax(0, s + 0.3 * noise(2 * (uint64_t)i + 1));
    }
}

/* Each cell's neighbours are the three before and the three after it, ends excepted. */
static inline vel_csr make_neighbors(gene *g) {
    int64_t k = 0;
    for (int i = 0; i < GENE_CELLS; i++) {
        g->indptr[i] = k;
        for (int j = i - 3; j <= i + 3; j++)
            if (j != i && j >= 0 && j < GENE_CELLS) g->indices[k++] = j;
    }
    g->indptr[GENE_CELLS] = k;
    return (vel_csr){.rows = GENE_CELLS, .cols = GENE_CELLS, .indptr = g->indptr, .indices = g->indices};
}

#endif
