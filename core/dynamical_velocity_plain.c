#define LOOPS vel_velocity_loops_plain
#include "core/dynamical_velocity_lanes.h"
