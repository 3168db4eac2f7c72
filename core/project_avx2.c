#include <math.h>

#define LANES 4
#define PROJECT_BOXES vel_project_boxes_avx2
#include "core/project_lanes.h"
