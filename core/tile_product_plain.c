#define LANES 2
#define TILE_PRODUCT vel_tile_product_plain
#include "core/tile_product_lanes.h"
