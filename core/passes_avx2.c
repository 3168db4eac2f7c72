#include <math.h>

#include "core/passes_bodies.h"

#define LANES 4
#define PASSES vel_passes_avx2
#include "core/passes_lanes.h"
