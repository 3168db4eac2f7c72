#define LOOPS vel_velocity_loops_avx2
#include "core/dynamical_velocity_lanes.h"
