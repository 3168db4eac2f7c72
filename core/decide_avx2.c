#define DECIDE_BODIES vel_decide_bodies_avx2
#include "core/decide_lanes.h"
