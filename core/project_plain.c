#include <math.h>

#define LANES 2
#define PROJECT_BOXES vel_project_boxes
#include "core/project_lanes.h"
