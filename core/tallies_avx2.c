#define LANE_BYTES 32
#define TALLIES vel_tallies_avx2
#include "core/tallies_lanes.h"
