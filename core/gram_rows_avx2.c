#define LANES 4
#define GRAM_ROWS vel_gram_rows_avx2
#include "core/gram_rows_lanes.h"
