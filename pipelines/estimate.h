/* estimate.h - the memory that a plan takes, from the shapes and types of its fields, before anything is read. */
#ifndef VEL_PIPELINES_ESTIMATE_H
#define VEL_PIPELINES_ESTIMATE_H

#include "pipelines/plan.h"

enum { VEL_SPILLED_FROM = 1 << 20 }; /* bytes: arrays that lie in the scratch file, if there is one */

typedef struct {
    int64_t n_obs, n_vars;   /* at the start */
    int64_t inputs, results; /* bytes: all fields read from the file, all fields written */
    int64_t peak;            /* bytes of the whole process at its largest */
    int64_t sure;            /* the same, with room for errors: enough in any case */
    int64_t least;           /* that must be allowed: layers lie in a scratch file, and there is room for errors */
    const char *peak_step;   /* where the peak is, and where the least is */
    const char *least_step;
} vel_estimate;

/* Fields stay resident once read or made. A step with `n_top_genes` that keeps only these cuts what comes after it;
 * neighbour graphs have n_neighbors entries a cell. ad may be NULL (a recipe that makes its data: its n_obs and
 * n_vars). Of the file only a column is read that says which genes a step uses. */
vel_estimate vel_estimate_make(vel_ctx *ctx, const vel_adata *ad, const vel_plan *plan);

/* Whether layers have to lie in a scratch file for the plan to stay surely within ctx->max_memory.
 * VEL_EBUDGET if even that is not enough; the message has both figures. */
vel_err vel_estimate_check(vel_ctx *ctx, const vel_estimate *estimate, bool *spill) VEL_CHECKED;

/* "1.5 GB" (decimal units, as --max-memory takes them). Returns text. */
char *vel_bytes_text(int64_t bytes, char text[16]);

/* The next size from these bytes on that its text says exactly: a limit that is told must do when it is given back.
 * bytes >= 0, at most 2^62. */
int64_t vel_bytes_up(int64_t bytes);

/* "8G", "512M", "1.5GiB", "1.24 MB", "1000000" -> bytes. False if it is none of these. */
bool vel_bytes_parse(const char *text, int64_t *bytes);

#endif
