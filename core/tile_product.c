#include "core/tile_product.h"

vel_tile_product *vel_tile_product_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? vel_tile_product_plain : vel_tile_product_avx2;
#else
    (void)level;
    return vel_tile_product_plain;
#endif
}
