/* compare.h - one field of the reference against the same field of the result. */
#ifndef VEL_VERIFY_COMPARE_H
#define VEL_VERIFY_COMPARE_H

#include "verify/gap.h"
#include "verify/match.h"

typedef enum {
    VEL_AGREES,
    VEL_DRIFTS,
    VEL_LACKS,     /* the reference has it, the result does not */
    VEL_MISSHAPEN, /* the shapes differ */
} vel_verdict;

typedef struct {
    vel_verdict verdict;
    char why[160];            /* in words, if something but the figures speaks against it */
    vel_tolerance tolerance;  /* as it was applied: atol absolute */
    bool numeric;             /* else max_abs and max_rel mean nothing */
    vel_gap gap;              /* texts count as pairs, equal or outside */
    vel_gap *by_row, *by_col; /* the same for each row and column of the reference, in ctx->scratch; NULL: not asked */
} vel_comparison;

/* Which order the axes have in the result and for which the gaps are wanted one by one. NULL: the same, and no. */
typedef struct {
    const vel_match *rows, *cols;
} vel_axes;

/* Numbers against numbers within t (bool: exactly), texts and categories exactly, records column by column. Sparse
 * arrays by value, whatever is stored. Under t.bits the types in the files must be equal too. O(elements). */
vel_err vel_compare_fields(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_axes *axes, vel_tolerance t,
                           vel_comparison *out) VEL_CHECKED;

#endif
