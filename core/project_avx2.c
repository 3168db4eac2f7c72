#include <immintrin.h>
#include <math.h>

#include "core/project_bodies.h"

#define LANES 4
#define PROJECT_BOXES vel_project_boxes_avx2

typedef double lanes __attribute__((vector_size(LANES * 8), may_alias));
typedef int64_t masks __attribute__((vector_size(LANES * 8), may_alias));

static inline uint32_t bits_of(masks m) { return (uint32_t)_mm256_movemask_pd((__m256d)m); }
static inline lanes smaller(lanes a, lanes b) { return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b); }
static inline lanes larger(lanes a, lanes b) { return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b); }

#include "core/project_lanes.h"
