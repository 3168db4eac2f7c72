#define LANES 2
#define GRAM_ROWS vel_gram_rows_plain
#include "core/gram_rows_lanes.h"
