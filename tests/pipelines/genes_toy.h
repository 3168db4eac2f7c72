/* genes_toy.h - moments of a few simulated genes, with neighbours: what the steps of the dynamical model start from. */
#ifndef VEL_TESTS_PIPELINES_GENES_TOY_H
#define VEL_TESTS_PIPELINES_GENES_TOY_H

#include <stdio.h>
#include <string.h>

#include "core/adata.h"
#include "tests/core/gene.h"

enum { MOMENT_GENES = 5 };

static inline vel_err moments_names(vel_ctx *ctx, vel_adata *ad, bool of_vars, char stem, int n) {
    static char text[GENE_CELLS][16];
    const char *names[GENE_CELLS];
    for (int i = 0; i < n; i++) {
        snprintf(text[i], sizeof text[i], "%c%d", stem, i);
        names[i] = text[i];
    }
    return vel_put_names(ctx, ad, of_vars, names);
}

static inline vel_err moments_graph(vel_ctx *ctx, vel_adata *ad) {
    static gene g;
    vel_csr graph = make_neighbors(&g);
    vel_field *f;
    int64_t stored = graph.indptr[GENE_CELLS];
    VEL_TRY(vel_put_sparse(ctx, ad, "obsp/connectivities", VEL_F64, vel_matrix(GENE_CELLS, GENE_CELLS), stored, &f));
    memcpy(f->indptr, graph.indptr, (GENE_CELLS + 1) * sizeof *f->indptr);
    memcpy(f->indices, graph.indices, (size_t)stored * sizeof *f->indices);
    for (int64_t e = 0; e < stored; e++) ((double *)f->data)[e] = 0.5;
    return vel_put_text(ctx, ad, "uns/neighbors/connectivities_key", "connectivities");
}

/* Genes g0 … g4: the simulated one, scaled by 1, 2, …; g4 is not expressed. */
static inline vel_err moments_make(vel_ctx *ctx, vel_adata **ad) {
    static gene g;
    vel_field *s, *u;
    make_gene(&g);
    VEL_TRY(vel_adata_new(ctx, GENE_CELLS, MOMENT_GENES, ad));
    VEL_TRY(moments_names(ctx, *ad, false, 'c', GENE_CELLS));
    VEL_TRY(moments_names(ctx, *ad, true, 'g', MOMENT_GENES));
    VEL_TRY(vel_put_dense(ctx, *ad, "layers/Ms", VEL_F64, vel_matrix(GENE_CELLS, MOMENT_GENES), &s));
    VEL_TRY(vel_put_dense(ctx, *ad, "layers/Mu", VEL_F64, vel_matrix(GENE_CELLS, MOMENT_GENES), &u));
    for (int k = 0; k < MOMENT_GENES - 1; k++) {
        for (int c = 0; c < GENE_CELLS; c++) {
            ((double *)s->data)[k * GENE_CELLS + c] = (k + 1) * g.s[c];
            ((double *)u->data)[k * GENE_CELLS + c] = (k + 1) * g.u[c];
        }
    }
    return moments_graph(ctx, *ad);
}

#endif
