#define DECIDE_SCREENED vel_decide_screened
#include "core/decide_lanes.h"
