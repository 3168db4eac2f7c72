/* tile_product.h - a few columns of cells times a few vectors, in vectors of the CPU: the same bits in every body. */
#ifndef VEL_CORE_TILE_PRODUCT_H
#define VEL_CORE_TILE_PRODUCT_H

#include "core/cpu.h"

#include <stdint.h>

/* y[k * cells] += v' t, of v[genes * k] and t[genes * cells], all row-major: every element adds up gene after gene, and
 * nothing is fused. Best where t and v lie in the first cache. */
typedef struct {
    int64_t genes, cells, k;
    const double *t, *v;
    double *y;
} vel_tile;
typedef void vel_tile_product(const vel_tile *of);

vel_tile_product vel_tile_product_plain, vel_tile_product_avx2;

/* The body of a level. */
vel_tile_product *vel_tile_product_at(vel_cpu level);

#endif
