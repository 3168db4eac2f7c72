/* tallies_lanes.h - the bodies of tallies.h in vectors of LANE_BYTES bytes, as the set TALLIES. */
#include <string.h>

#include "core/tallies.h"

#define REAL float
#define WORD int32_t
#define NATURAL uint32_t
#define SHIFT 0x1.8p23f
#define NAME(x) x##_f32
#include "core/tallies_body.h"

#define REAL double
#define WORD int64_t
#define NATURAL uint64_t
#define SHIFT 0x1.8p52
#define NAME(x) x##_f64
#include "core/tallies_body.h"

const vel_tallies TALLIES = {joined_f32, joined_f64, strand_f32, strand_f64};
