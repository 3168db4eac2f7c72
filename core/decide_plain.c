#define DECIDE_BODIES vel_decide_bodies_plain
#include "core/decide_lanes.h"
