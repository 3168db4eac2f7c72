#include <math.h>

#include "core/passes_bodies.h"

#define LANES 2
#define PASSES vel_passes_plain
#include "core/passes_lanes.h"
