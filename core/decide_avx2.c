#define DECIDE_SCREENED vel_decide_screened_avx2
#include "core/decide_lanes.h"
