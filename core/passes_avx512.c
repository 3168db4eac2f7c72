#include <math.h>

#include "core/passes_bodies.h"

#define LANES 8
#define PASSES vel_passes_avx512
#include "core/passes_lanes.h"
