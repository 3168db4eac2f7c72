#define LANE_BYTES 16
#define TALLIES vel_tallies_plain
#include "core/tallies_lanes.h"
