#define LANES 4
#define WEIGHTED_ADD vel_weighted_add_avx2
#include "core/weighted_lanes.h"
