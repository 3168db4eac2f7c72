/* parity.h - a program's result against the reference's, by the code of velcmp. */
#ifndef VEL_BENCH_PARITY_H
#define VEL_BENCH_PARITY_H

#include "bench/result.h"
#include "verify/tolerance.h"

/* Compares what the steps of `op` wrote. strictness: VEL_SPEC for ours, VEL_LOOSE for rivals, who promise no more.
 * worst is in the arena. */
vel_err bench_check_parity(vel_ctx *ctx, vel_arena *arena, const char *op, vel_strictness strictness,
                           const char *reference, const char *result, bench_parity *parity) VEL_CHECKED;

#endif
