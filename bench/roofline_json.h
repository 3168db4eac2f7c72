/* roofline_json.h - roofline.json; its schema is docs/roofline.schema.json. */
#ifndef VEL_BENCH_ROOFLINE_JSON_H
#define VEL_BENCH_ROOFLINE_JSON_H

#include <jansson.h>

#include "bench/roofline.h"

#define BENCH_ROOFLINE_SCHEMA "velbench/roofline/1"

/* A new reference; NULL: out of memory. */
json_t *bench_roofline_json(const bench_roofline *r);

#endif
