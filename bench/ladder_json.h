/* ladder_json.h - ladder.json: every rung, every sample. Its schema is docs/ladder.schema.json; numbers are written as
 * in results.h. */
#ifndef VEL_BENCH_LADDER_JSON_H
#define VEL_BENCH_LADDER_JSON_H

#include <jansson.h>

#include "bench/ladder.h"

#define BENCH_LADDER_SCHEMA "velbench/ladder/1"

/* A new reference; NULL: out of memory. */
json_t *bench_ladder_json(const bench_ladder *ladder);

#endif
