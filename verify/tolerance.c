#include "verify/tolerance.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#define ANY VEL_NOTYPE
#define PCA "obsm/X_pca"
#define BITWISE \
    { 0, 0 }
#define FLOAT32_EPSILON 1.1920928955078125e-7

/* Sources: the reference's own reproducibility, measured stage by stage (docs/parity.md). A figure above zero is there
 * only where the reference itself goes through single-precision BLAS or ARPACK, or through another sum. */
const vel_tolerance_row vel_tolerance_rows[] = {
    /* glob, type, from, spec: {atol, rtol}, loose: {atol, rtol}, of_max, outliers, why */
    {PCA, ANY, NULL, {1e-3, 0}, {1e-3, 0}, true, 0, "single-precision ARPACK: 2.4e-6 sd / spectral gap"},
    {"varm/PCs", ANY, NULL, {1e-3, 0}, {1e-3, 0}, true, 0, "single-precision ARPACK: 2.4e-6 sd / spectral gap"},
    {"uns/pca/variance*", ANY, NULL, {0, 1e-5}, {0, 1e-5}, false, 0, "squares of single-precision singular values"},
    {"obsp/distances", ANY, PCA, {0, 1e-4}, {0, 1e-4}, false, 0, "distances of components that differ in last digits"},
    {"obsp/connectivities", ANY, PCA, {1e-3, 0}, {1e-3, 0}, false, 0, "weights of such distances, 0 .. 1"},
    {"obsp/distances", ANY, NULL, {0, 1e-12}, {0, 1e-7}, false, 0, "float64 input goes through another BLAS: 3.4e-13"},
    {"obsp/connectivities", ANY, NULL, BITWISE, {0, 5e-7}, false, 0, "5e-7 with another expf than the C library's"},
    {"obsm/*", ANY, NULL, {2e-6, 0}, {2e-6, 0}, true, 0, "embedding: single-precision products in BLAS"},

    {"var/*_likelihood", ANY, NULL, {0, 1e-12}, {0, 1e-9}, false, 0, "exp and log of sums: a last bit or two"},
    {"var/*_variance", ANY, NULL, {0, 1e-12}, {0, 1e-9}, false, 0, "a variance through its likelihood"},
    {"var/*_pval_steady", ANY, NULL, {0, 1e-12}, {0, 1e-9}, false, 0, "erfc of another library: 3e-14"},
    {"var/*_pval_kinetics", ANY, NULL, {0, 1e-12}, {0, FLOAT32_EPSILON}, false, 0, "chi-square tail: 3.7e-14"},
    {"varm/*pval*", ANY, NULL, BITWISE, {0, FLOAT32_EPSILON}, false, 0, "p-values kept in single precision"},
    {"varm/*", ANY, NULL, BITWISE, {0, 1e-9}, false, 0, "the loss of the fits"},
    {"var/*", VEL_F32, NULL, BITWISE, {0, FLOAT32_EPSILON}, false, 0, "kept in single precision"},
    {"var/*", ANY, NULL, BITWISE, {0, 1e-9}, false, 0, "fit parameters: chosen by comparisons, not by rounding"},
    {"layers/*", ANY, NULL, BITWISE, {1e-7, 1e-7}, false, 0, "per-cell layers"},

    {"uns/*_graph*", ANY, NULL, BITWISE, {2e-6, 0}, false, 0, "cosines: 2e-6 with double dot products"},
    {"obs/*self_transition", ANY, NULL, BITWISE, {2e-6, 0}, false, 0, "from the graph"},
    {"obsp/*", ANY, NULL, BITWISE, {5e-6, 0}, false, 0, "transitions: 5e-6 from double dot products"},
    {"obs/*_confidence_transition", ANY, NULL, {0, 1e-12}, {1e-6, 0}, false, 0, "sums over a cell's neighbours"},
    {"obs/*_confidence",
     ANY,
     NULL,
     {5e-7, 0},
     {5e-7, 0},
     false,
     0,
     "correlations of single-precision velocities; else 1e-12"},
    {"obs/*_pseudotime", ANY, NULL, {1e-4, 0}, {1e-4, 0}, false, 0, "eigenvectors from ARPACK"},
    {"obs/root_cells", ANY, NULL, {2e-5, 0}, {1e-4, 0}, false, 0, "eigenvectors from ARPACK"},
    {"obs/end_points", ANY, NULL, {2e-5, 0}, {1e-4, 0}, false, 0, "eigenvectors from ARPACK"},
    {"*", ANY, NULL, BITWISE, {0, 1e-7}, false, 0, "nothing in its computation is left to chance"},
};
const int vel_n_tolerance_rows = (int)(sizeof vel_tolerance_rows / sizeof *vel_tolerance_rows);

static bool matches(const vel_tolerance_row *row, const char *path, vel_type type, const char *moved) {
    if (row->type != ANY && row->type != type) return false;
    if (row->from && (!moved || strcmp(row->from, moved) != 0)) return false;
    return fnmatch(row->glob, path, 0) == 0;
}

const vel_tolerance_row *vel_tolerance_find(const char *path, vel_type type, const char *moved) {
    const vel_tolerance_row *row = vel_tolerance_rows, *last = row + vel_n_tolerance_rows - 1;
    while (row < last && !matches(row, path, type, moved)) row++;
    return row;
}

vel_tolerance vel_tolerance_of(const vel_tolerance_row *row, vel_strictness strictness) {
    if (strictness == VEL_EXACT) return (vel_tolerance){.bits = true};
    vel_allowance given = strictness == VEL_LOOSE ? row->loose : row->spec;
    return (vel_tolerance){.atol = given.atol, .rtol = given.rtol, .of_max = row->of_max, .outliers = row->outliers};
}
