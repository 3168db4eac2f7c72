/* normals_bodies.h - the pairs of core/normals.c, one body an instruction set; all give the same bits. */
#ifndef VEL_CORE_NORMALS_BODIES_H
#define VEL_CORE_NORMALS_BODIES_H

#include "core/cpu.h"
#include "core/rng.h"

/* z[2 pairs], of an r that keeps no normal. */
typedef void vel_normals_pairs(vel_rng *r, int64_t pairs, double *z);

vel_normals_pairs vel_normals_plain, vel_normals_avx2, vel_normals_avx512;

/* The body of a level. */
vel_normals_pairs *vel_normals_at(vel_cpu level);

#endif
