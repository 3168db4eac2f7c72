/* benches.h - the sixteen benches: one row each. */
#ifndef VEL_BENCH_BENCHES_H
#define VEL_BENCH_BENCHES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { BENCH_SPEED, BENCH_MEMORY, BENCH_VENDOR } bench_kind;
typedef enum { BENCH_QUICK, BENCH_LONG, BENCH_EXTRA_LONG } bench_tier;

typedef struct {
    const char *name;
    bench_kind kind;
    bench_tier tier;
    int64_t cells, genes;
    const char *before; /* recipe run before the clock starts; "": none */
    const char *op;     /* recipe that is timed; of a vendor bench the name of its workflow */
    bool parity;        /* the result is compared with scVelo's (in a scaled run: on every row) */
    int limit_s;        /* of a child's whole life */
    int64_t memory;     /* bytes a child may hold; 0: what the machine has to spare */
} bench_row;

extern const bench_row bench_rows[];
extern const int bench_n_rows;

const char *bench_kind_word(bench_kind kind); /* "speed" */
const char *bench_tier_word(bench_tier tier); /* "quick" */

enum { BENCH_LEAST_CELLS = 50 };

/* Cells of a row in a run of that scale: at least BENCH_LEAST_CELLS. */
int64_t bench_scaled_cells(const bench_row *row, double scale);

#endif
