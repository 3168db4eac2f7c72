#include "core/moments_body.h"

const vel_moments_body vel_moments_avx512 = {average_f32, average_f64};
