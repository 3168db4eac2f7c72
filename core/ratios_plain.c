#define LANE_BYTES 16
#define RATIOS vel_ratios_plain
#include "core/ratios_lanes.h"
