#define SCREEN_LOOPS vel_screen_loops_avx2
#include "core/velocity_screen_lanes.h"
