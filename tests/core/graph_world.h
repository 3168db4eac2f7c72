/* graph_world.h - a small world for tests of graphs: cells on a circle in a space of genes, each moving on along it. */
#ifndef VEL_TESTS_GRAPH_WORLD_H
#define VEL_TESTS_GRAPH_WORLD_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/velocity_graph.h"
#include "tests/random.h"

enum { CELLS = 90, ALL_GENES = 20, USED_GENES = 17, NEIGHBORS = 6 };

typedef struct {
    vel_graph_source source;
    vel_neighbor_lists lists;
    int64_t indptr[CELLS + 1], genes[USED_GENES];
    int32_t indices[CELLS * NEIGHBORS];
    double velocity[ALL_GENES * CELLS]; /* gene-major */
    float x[CELLS * 32] __attribute__((aligned(64)));
} graph_world;

static inline double position(int g, double angle) { return 3 + cos(angle + g) + 0.3 * sin(2 * angle - 2 * g); }

/* Cell 5 stands still; gene 3 is not used. */
static inline graph_world *world_new(void) {
    graph_world *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    double turn = 2 * 3.14159265358979 / CELLS;
    for (int c = 0; c < CELLS; c++) {
        for (int k = 0; k < NEIGHBORS; k++) {
            int ahead = k < 3 ? k + 1 : 2 - k;
            w->indices[c * NEIGHBORS + k] = (c + ahead + CELLS) % CELLS;
        }
        w->indptr[c + 1] = (c + 1) * NEIGHBORS;
        for (int g = 0; g < ALL_GENES; g++)
            w->velocity[g * CELLS + c] = c == 5 ? 0 : position(g, c * turn + 0.05) - position(g, c * turn);
    }
    for (int k = 0; k < USED_GENES; k++) {
        w->genes[k] = k + (k >= 3);
        for (int c = 0; c < CELLS; c++) w->x[c * 32 + k] = (float)position((int)w->genes[k], c * turn);
    }
    w->lists = (vel_neighbor_lists){CELLS, w->indptr, w->indices};
    w->source = (vel_graph_source){.space = {w->x, USED_GENES, vel_cosine_stride(USED_GENES), false, NULL},
                                   .velocity = {w->velocity, VEL_F64, CELLS, ALL_GENES, 1, CELLS},
                                   .genes = w->genes,
                                   .lists = &w->lists,
                                   .hops = 2};
    return w;
}

typedef struct {
    int64_t indptr[CELLS + 1];
    int32_t indices[CELLS * CELLS];
    float values[CELLS * CELLS];
} graph_matrix;

static inline vel_csr_room graph_room(graph_matrix *m) { return (vel_csr_room){m->indptr, m->indices, m->values}; }

/* Entry (i, j), 0 if it is not stored. */
static inline float graph_at(const graph_matrix *m, int i, int j) {
    for (int64_t e = m->indptr[i]; e < m->indptr[i + 1]; e++)
        if (m->indices[e] == j) return m->values[e];
    return 0;
}

#endif
