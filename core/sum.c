#include "core/sum.h"

#include <math.h>
#include <string.h>

#include "core/least.h"
#include "core/tallies.h"

#define REAL double
#define NAME(x) x##_f64
#define SQRT sqrt
#include "core/sum_body.h"

#define REAL float
#define NAME(x) x##_f32
#define SQRT sqrtf
#include "core/sum_body.h"
