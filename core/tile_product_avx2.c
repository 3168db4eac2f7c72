#define LANES 4
#define TILE_PRODUCT vel_tile_product_avx2
#include "core/tile_product_lanes.h"
