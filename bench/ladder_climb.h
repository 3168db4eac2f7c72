/* ladder_climb.h - measures the rungs of a ladder: a fresh child for each repeat, inside the budget. */
#ifndef VEL_BENCH_LADDER_CLIMB_H
#define VEL_BENCH_LADDER_CLIMB_H

#include "bench/ladder.h"

/* Climbs, and fits the growth. What fails in a child is in its rung; VEL_EINTR or VEL_ETERM: asked to stop
 * (run->interrupted), and what was finished is there. */
vel_err bench_ladder_climb(vel_ctx *ctx, bench_ladder *ladder) VEL_CHECKED;

#endif
