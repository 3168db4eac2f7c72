/* tolerance.h - how closely a field can agree with the reference: one row a family of fields, with its reason.
 *
 * Elements a (reference) and b (result) agree when
 *
 *     |a - b| <= atol * scale + rtol * max(|a|, |b|)
 *
 * with scale = 1, or the largest |a| of the field where a row says so. NaN agrees with NaN, an infinity with itself.
 * Zero tolerances ask for equal values, `bits` for equal bits. */
#ifndef VEL_VERIFY_TOLERANCE_H
#define VEL_VERIFY_TOLERANCE_H

#include <stdbool.h>

#include "core/mat.h"

typedef enum {
    VEL_SPEC,  /* what the specification says the field can reach */
    VEL_LOOSE, /* what two honest implementations may differ by */
    VEL_EXACT, /* equal bits, whatever the row */
} vel_strictness;

typedef struct {
    double atol, rtol;
} vel_allowance;

typedef struct {
    const char *glob; /* of the field's path; '*' runs over '/' too */
    vel_type type;    /* only fields that the reference stores so; VEL_NOTYPE: any */
    const char
        *from; /* only if this field, which it is computed from, is not the same bits in both files; NULL: always */
    vel_allowance spec, loose;
    bool of_max;     /* atol is in units of the largest |reference| of the field */
    double outliers; /* the share of elements that may lie outside, 0 .. 1 */
    const char *why;
} vel_tolerance_row;

/* The rows; the first that matches counts, and the last matches everything. */
extern const vel_tolerance_row vel_tolerance_rows[];
extern const int vel_n_tolerance_rows;

/* moved: the field named by a row's `from` that differs between the files; NULL: none does. */
const vel_tolerance_row *vel_tolerance_find(const char *path, vel_type type, const char *moved);

/* What a comparison is held to. */
typedef struct {
    double atol, rtol;
    bool of_max, bits;
    double outliers;
} vel_tolerance;

vel_tolerance vel_tolerance_of(const vel_tolerance_row *row, vel_strictness strictness);

#endif
