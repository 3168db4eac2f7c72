#define LANES 2
#define WEIGHTED_ADD vel_weighted_add_plain
#include "core/weighted_lanes.h"
