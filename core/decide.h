/* decide.h - which of a few rows is least at each cell, on average over the cell's neighbours.
 *
 *     state_c = argmin_r  sum over j in N(c) of w_c row_r[j]         the first of several; a NaN is the least
 *
 * The averages are defined in core/average.h, in the precision of the rows. Only their order is wanted, so that most
 * cells can be decided by sums in float32, in any order, without the weight: distances are not negative, hence such a
 * sum is known to (degree + 2) 2^-24 of itself. A cell whose two least sums are nearer than that allows is averaged
 * exactly; ties are common. */
#ifndef VEL_CORE_DECIDE_H
#define VEL_CORE_DECIDE_H

#include "core/nearby.h"
#include "core/tagged.h"

enum { VEL_DECIDE_ROWS = 4 };

/* What is compared: rows[n] of `count` quantities, values >= 0, 2 or 4 of them, all averaged in `tag`. nearby NULL:
 * no neighbours, the values themselves are compared. */
typedef struct {
    const vel_nearby *nearby;
    int64_t n;
    int count;
    const double *row[VEL_DECIDE_ROWS];
    vel_tag tag;
} vel_choice;

/* state[n] out. work: 2 (n + 1) doubles, 16-byte aligned. O(n degree). */
void vel_decide(const vel_choice *choice, double *work, uint8_t *state);

/* The same, every average formed: the oracle. */
void vel_decide_plain(const vel_choice *choice, uint8_t *state);

/* One cell of it. */
uint8_t vel_decide_cell(const vel_choice *choice, int64_t cell);

#endif
