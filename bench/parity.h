/* parity.h - a program's result against the reference's, by the code of velcmp. */
#ifndef VEL_BENCH_PARITY_H
#define VEL_BENCH_PARITY_H

#include "bench/result.h"

/* Compares what the steps of `op` wrote, at the tolerances of the specification. worst is in the arena. */
vel_err bench_check_parity(vel_ctx *ctx, vel_arena *arena, const char *op, const char *reference, const char *result,
                           bench_parity *parity) VEL_CHECKED;

#endif
