#include <math.h>

#include "core/project_bodies.h"

#define LANES 2
#define PROJECT_BOXES vel_project_boxes

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias));
typedef int64_t masks __attribute__((vector_size(LANES * 8), may_alias));

static inline uint32_t bits_of(masks m) { return (uint32_t)(m[0] & 1) | (uint32_t)(m[1] & 2); }
static inline lanes pick(masks m, lanes a, lanes b) { return (lanes)(((masks)a & m) | ((masks)b & ~m)); }
static inline lanes smaller(lanes a, lanes b) { return pick(a < b, a, b); }
static inline lanes larger(lanes a, lanes b) { return pick(a < b, b, a); }

#include "core/project_lanes.h"
