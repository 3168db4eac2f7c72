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

typedef float vel_two __attribute__((vector_size(8))); /* the rows of one cell, in float32 */

typedef struct {
    const vel_segments *segments;
    int voices;                   /* 1 or VEL_VOICES */
    vel_two *cell;                /* cell[places][voices] */
    vel_fiber *fiber[VEL_VOICES]; /* NULL: has ended */
    struct vel_duet_wish {
        void (*use)(void *arg, const vel_two *sum); /* NULL: none */
        void *arg;
    } wish[VEL_VOICES]; /* what each wants with the sums that it waits for */
    void *room;         /* of the sums, while all rest; between rests both use it */
} vel_duet;

/* Where a fit takes place: alone (duet NULL), or as a voice of a duet. */
typedef struct {
    vel_duet *duet;
    int voice;
} vel_part;

/* body(ctx, part, arg) for both voices, in turns, or for a single one, which can then be stopped between its sums as
 * two can. Of two failures that of the first voice is returned, with its message, as if it had been alone. Once the
 * user has asked to stop, the voices are left where they rest (VEL_EINTR, VEL_ETERM): all that a body holds must be
 * scratch. Memory from ctx->scratch: 32 bytes a cell and 8 more for each voice, and the stacks. Between a mark and its
 * release a body must not ask for sums. */
typedef vel_err (*vel_duet_body)(vel_ctx *ctx, vel_part part, void *arg);
vel_err vel_duet_run(vel_ctx *ctx, const vel_segments *segments, int voices, vel_duet_body body, void *arg) VEL_CHECKED;

/* For a body, whose cells lie at cell[place][voice]: rests, and goes on once use(arg, sum) was called with the sums
 * over the neighbours of all cells, sum[n], which are gone after it. */
void vel_duet_sum(vel_part part, void (*use)(void *arg, const vel_two *sum), void *arg);

/* Memory that is wanted between rests only, VEL_DUET_ROOM(n) bytes for n cells: the voices of a duet get the same.
 * Alone, memory of its own, from ctx->scratch. The sums take half of it. */
#define VEL_DUET_ROOM(n) (2 * VEL_VOICES * ((size_t)(n) + VEL_SEGMENT_BLOCK) * sizeof(vel_two))
vel_err vel_duet_room(vel_ctx *ctx, vel_part part, int64_t n, void **room) VEL_CHECKED;

#endif
