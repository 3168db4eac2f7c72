#include <immintrin.h>

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

static inline quad load_f32(const float *x) { return (quad)_mm256_cvtps_pd(_mm_loadu_ps(x)); }
static inline quad load_f64(const double *x) { return *(const quad *)(const void *)x; }

#define PANEL_ADD vel_panel_add_avx2
#define PANEL_DOT vel_panel_dot_avx2
#include "core/panel_lanes.h"
