/* pairs.h - the elements of two arrays of equal shape side by side, whatever their storage and order.
 *
 *     VEL_TRY(vel_pairs_open(ctx, a, b, rows, cols, &p));
 *     for (int64_t line = 0; line < p.lines; line++) {
 *         vel_pairs_line(&p, line);
 *         … p.x[k], p.y[k], k < p.n: elements (vel_pairs_row(&p, line, k), vel_pairs_col(&p, line, k)) …
 *     }
 *
 * Every element comes up once, apart from those of two sparse arrays that neither stores. */
#ifndef VEL_VERIFY_PAIRS_H
#define VEL_VERIFY_PAIRS_H

#include "verify/match.h"

typedef struct {
    const vel_field *a, *b;       /* reference and result: DENSE or SPARSE */
    const vel_match *rows, *cols; /* NULL: the same order */
    int64_t height, width;        /* of both; a scalar is 1 x 1, a vector n x 1 */
    bool by_column;               /* a line is a column: for arrays that are stored so */
    int64_t lines;
    int64_t n;     /* pairs in this line */
    double *x, *y; /* of a and b; a missing entry of a nullable column is NaN */
    double *rest;  /* what x - y lacks of the difference of whole numbers of 64 bits; NULL: nothing */
    int64_t *at;   /* the reference's index across the line; NULL: 0 .. n - 1 */
    double *full_x, *full_y;
    uint8_t *seen;
} vel_pairs;

/* Rows and columns of a field: a scalar is 1 x 1, a vector n x 1. */
int64_t vel_field_height(const vel_field *f);
int64_t vel_field_width(const vel_field *f);

/* a and b are numeric, of equal height and width. Memory from ctx->scratch: O(the longer side). */
vel_err vel_pairs_open(vel_ctx *ctx, const vel_field *a, const vel_field *b, const vel_match *rows,
                       const vel_match *cols, vel_pairs *p) VEL_CHECKED;
void vel_pairs_line(vel_pairs *p, int64_t line);

static inline int64_t vel_pairs_across(const vel_pairs *p, int64_t k) { return p->at ? p->at[k] : k; }
static inline int64_t vel_pairs_row(const vel_pairs *p, int64_t line, int64_t k) {
    return p->by_column ? vel_pairs_across(p, k) : line;
}
static inline int64_t vel_pairs_col(const vel_pairs *p, int64_t line, int64_t k) {
    return p->by_column ? line : vel_pairs_across(p, k);
}

#endif
