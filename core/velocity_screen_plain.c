#define SCREEN_LOOPS vel_screen_loops_plain
#include "core/velocity_screen_lanes.h"
