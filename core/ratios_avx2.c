#define LANE_BYTES 32
#define RATIOS vel_ratios_avx2
#include "core/ratios_lanes.h"
