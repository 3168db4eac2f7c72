/* parity.h - a result against a reference, field by field: what velcmp does, and what a bench does after its last run.
 */
#ifndef VEL_VERIFY_PARITY_H
#define VEL_VERIFY_PARITY_H

#include "verify/compare.h"

typedef struct {
    const char *steps; /* names with commas between them; NULL: every step */
    const char *only;  /* a glob over paths; NULL: every field */
    vel_strictness strictness;
    double atol, rtol; /* instead of the rows' figures if either is >= 0 (the other then counts as 0) */
    double outliers;   /* instead of the rows' if >= 0 */
    int worst;         /* genes and cells named a field, at most VEL_WORST */
} vel_parity_options;

#define VEL_PARITY_DEFAULTS \
    { .strictness = VEL_SPEC, .atol = -1, .rtol = -1, .outliers = -1, .worst = 5 }

enum { VEL_WORST = 20 };

/* A gene, a cell or an element with a difference. */
typedef struct {
    const char *name; /* NULL: it has none, go by the index */
    int64_t index;    /* in the reference */
    int64_t outside;
    double max_abs;
} vel_worst;

typedef struct {
    const char *path, *step;
    vel_comparison got; /* its by_row and by_col are gone */
    vel_worst *genes, *cells;
    int n_genes, n_cells;
} vel_outcome;

typedef struct {
    vel_outcome *outcomes;
    int64_t n, passed;
    bool misshapen; /* a shape or a set of names differs */
    char why[256];  /* in words, if the sets of genes or cells differ: nothing was compared then */
} vel_parity;

/* Compares every field of the reference that a step writes. Matrices that were compared are dropped from both handles,
 * to hold one pair at a time. The report is in ctx->scratch. Fails as reading fails, and with VEL_EUSAGE on an unknown
 * step; a difference is no failure. */
vel_err vel_compare_handles(vel_ctx *ctx, vel_adata *reference, vel_adata *result, const vel_parity_options *options,
                            vel_parity *parity) VEL_CHECKED;

/* The same of two files. */
vel_err vel_compare_files(vel_ctx *ctx, const char *reference, const char *result, const vel_parity_options *options,
                          vel_parity *parity) VEL_CHECKED;

/* PASS: everything that was compared agrees, and something was. */
bool vel_parity_passes(const vel_parity *p);

/* velcmp's exit code: 0 PASS, 1 DRIFT or nothing compared, 4 shapes or sets of names differ. */
int vel_parity_exit(const vel_parity *p);

#endif
