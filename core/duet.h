/* duet.h - two fits in one thread, gene beside gene, whose sums over neighbours are formed together.
 *
 * What these sums wait for is the numbers of neighbours and where they lead, not the width of what is added: the sums
 * of two genes cost little more than those of one. So each fit has a stack of its own, rests where it needs the sums of
 * all cells, and both go on once they are there. The numbers are those of a fit alone. */
#ifndef VEL_CORE_DUET_H
#define VEL_CORE_DUET_H

#include "core/fiber.h"
#include "core/segments.h"

enum { VEL_VOICES = 2 };

typedef float vel_quad __attribute__((vector_size(16))); /* the rows of one cell, in float32 */

typedef struct {
    const vel_segments *segments;
    int voices;                   /* 1 or VEL_VOICES */
    vel_quad *cell;               /* cell[places][voices] */
    vel_fiber *fiber[VEL_VOICES]; /* NULL: has ended */
    vel_quad *sum[VEL_VOICES];    /* where the sums of each go; NULL: has not asked for any */
    void *room;                   /* which both use between rests; NULL: not asked for yet */
} vel_duet;

/* Where a fit takes place: alone (duet NULL), or as a voice of a duet. */
typedef struct {
    vel_duet *duet;
    int voice;
} vel_part;

/* body(ctx, part, arg) for both voices, in turns, or for a single one, which can then be stopped between its sums as
 * two can. Of two failures that of the first voice is returned, with its message, as if it had been alone. Once the
 * user has asked to stop, the voices are left where they rest (VEL_EINTR, VEL_ETERM): all that a body holds must be
 * scratch. Memory from ctx->scratch: 16 bytes a cell and voice, and the stacks. Between a mark and its release a body
 * must not ask for sums. */
typedef vel_err (*vel_duet_body)(vel_ctx *ctx, vel_part part, void *arg);
vel_err vel_duet_run(vel_ctx *ctx, const vel_segments *segments, int voices, vel_duet_body body, void *arg) VEL_CHECKED;

/* For a body: the sums over the neighbours of all cells go to sum[n]; its cells lie at cell[place][voice]. */
void vel_duet_sum(vel_part part, vel_quad *sum);

/* Memory that is wanted between rests only: the voices of a duet, which must ask for the same size, get the same.
 * Alone, memory of its own. From ctx->scratch. */
vel_err vel_duet_room(vel_ctx *ctx, vel_part part, size_t bytes, void **room) VEL_CHECKED;

#endif
