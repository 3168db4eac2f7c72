/* fmath_tables.h - the tables of exp and log.
 *
 * Source of the figures: Arm Optimized Routines as in Debian's newlib-source 3.3.0,
 * libm/common/{exp,log,sf_exp2}_data.c, Copyright (c) 2017-2018 Arm Ltd, SPDX-License-Identifier: BSD-3-Clause. glibc
 * >= 2.28 uses the same ones. */
#ifndef VEL_CORE_FMATH_TABLES_H
#define VEL_CORE_FMATH_TABLES_H

#include <stdint.h>

#define VEL_INTERNAL __attribute__((visibility("hidden")))

/* Pairs, i = 0 .. 127: the bits of the tail of 2^(i/128) relative to it, then the bits of 2^(i/128) less i << 45. */
extern const uint64_t vel_exp_table[2 * 128] VEL_INTERNAL;

/* Pairs, i = 0 .. 127: 1/c and log(c) for a c near the middle of the i-th of 128 parts of [0.6875, 1.375). */
extern const double vel_log_table[2 * 128] VEL_INTERNAL;

/* i = 0 .. 31: the bits of 2^(i/32) less i << 47. */
extern const uint64_t vel_expf_table[32] VEL_INTERNAL;

#endif
