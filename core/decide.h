/* decide.h - which of a few rows is least at each cell, on average over the cell's neighbours.
 *
 *     state_c = argmin_r  sum over j in N(c) of w_c row_r[j]         the first of several; a NaN is the least
 *
 * The averages are defined in core/average.h, in the precision of the rows. Only their order is wanted, so that most
 * cells can be decided by sums in float32, in any order, without the weight: distances are not negative, hence such a
 * sum is known to (degree + 2) 2^-24 of itself. A cell whose two least sums are nearer than that allows is averaged
 * exactly; ties are common.
 *
 * There are two decisions: between the first two rows; and among all, once some cells' values in these two have
 * changed. The other two rows are distances to the steady states, whose sums are known without them
 * (core/steady_sums.h): they are wanted only where sums do not decide. What the first sums say of all rows stays right
 * where no neighbour has changed. */
#ifndef VEL_CORE_DECIDE_H
#define VEL_CORE_DECIDE_H

#include "core/duet.h"
#include "core/segments.h"
#include "core/steady_sums.h"
#include "core/tagged.h"

enum { VEL_DECIDE_ROWS = 4, VEL_UNDECIDED = 255 };

/* What is compared: rows[n] of `count` quantities, values >= 0, 2 or 4 of them, all averaged in `tag`. The cells are in
 * the order of the segments, here and in all that follows. segments NULL: no neighbours, the values themselves are
 * compared. */
typedef struct {
    const vel_segments *segments;
    int64_t n;
    int count;
    const double *row[VEL_DECIDE_ROWS]; /* the third and fourth are read by vel_decide_rest and vel_decide_plain only */
    vel_tag tag;
    const vel_steady_sums *steady; /* of these two, if there are four rows and segments */
} vel_choice;

/* What is kept from one decision to the next. */
typedef struct vel_screen {
    vel_part part;
    vel_two *cell; /* of each cell, at its place times `voices` */
    int voices;    /* 1, in a duet its number */
    uint8_t *all;  /* what the sums of the first decision say of all rows, */
    bool few;      /* if few cells had neighbours that had changed the last time: then it is likely to be of use */
    vel_two *sum;  /* over the neighbours of each cell, for a moment: in the room of the duet (core/duet.h), */
    uint8_t *near; /* and behind them which cells have a neighbour that has changed */
    bool usable;   /* float32 can hold the sums */
} vel_screen;

/* Memory for choices with these neighbours, from ctx->scratch: 41 bytes a cell, in a duet one; none if segments is
 * NULL. */
vel_err vel_screen_new(vel_ctx *ctx, const vel_segments *segments, vel_part part, vel_screen *screen) VEL_CHECKED;

/* The first decision, between the first two rows. state[n] is out. O(n degree). */
void vel_decide(const vel_choice *choice, vel_screen *screen, uint8_t *state);

/* Cells at which a row is another than it was; each at most once. */
typedef struct {
    const int32_t *cell;
    int64_t n;
} vel_changed;

/* The second decision, among all rows, `changed` of the first two since the first one, in the first one's tag or a
 * larger one. The lists may lie in the last 8 (n + 1) bytes of the room. Returns whether any state is VEL_UNDECIDED,
 * for vel_decide_rest. */
bool vel_decide_again(const vel_choice *choice, const vel_changed changed[2], vel_screen *screen, uint8_t *state);

/* The states that are VEL_UNDECIDED: all rows must be there, and may lie in the room. */
void vel_decide_rest(const vel_choice *choice, uint8_t *state);

/* Sums over neighbours of the first two rows: use(arg, sum) gets them, as in core/duet.h. False: float32 cannot hold
 * them. */
bool vel_decide_sums(const vel_choice *choice, vel_screen *screen, void (*use)(void *arg, const vel_two *sum),
                     void *arg);

/* The least of the first `count` rows, every average formed: the oracle. */
void vel_decide_plain(const vel_choice *choice, int count, uint8_t *state);

#endif
