/* benches.h - the benches: one row each. The sixteen of the tiers quick, long and extra-long are published names; the
 * tiers `steps` and `steps-long` hold every step and every promise about memory to its figure. */
#ifndef VEL_BENCH_BENCHES_H
#define VEL_BENCH_BENCHES_H

#include <stdbool.h>
#include <stdint.h>

/* name, word, title of its section */
#define BENCH_KIND_ROWS(X)                                              \
    X(SPEED, "speed", "Speed: wall time")                               \
    X(STEP, "step", "Single steps: wall time and peak added")           \
    X(THREADS, "threads", "Threads: wall time")                         \
    X(MEMORY, "memory", "Memory: peak added")                           \
    X(WHOLE, "whole", "Memory: the whole process, reading and writing") \
    X(IO, "io", "Reading and writing: wall time")                       \
    X(VENDOR, "vendor", "Vendor workflows: wall time")
typedef enum {
#define BENCH_KIND_ENUM(name, word, title) BENCH_##name,
    BENCH_KIND_ROWS(BENCH_KIND_ENUM)
#undef BENCH_KIND_ENUM
        BENCH_N_KINDS
} bench_kind;

typedef enum { BENCH_QUICK, BENCH_LONG, BENCH_EXTRA_LONG, BENCH_STEPS, BENCH_STEPS_LONG } bench_tier;

/* What lies between the start and the end of the clock. */
typedef enum {
    BENCH_SCOPE_OP,    /* the recipe, its inputs resident */
    BENCH_SCOPE_READ,  /* reading the whole file into memory */
    BENCH_SCOPE_WRITE, /* writing what is in memory to a new file */
    BENCH_SCOPE_WHOLE, /* all that a process does: opening, the recipe, writing */
} bench_scope;

/* What a simulated fixture is turned into. */
typedef enum {
    BENCH_AS_MADE,    /* dense float64 abundances, and what the fixture's steps made of them */
    BENCH_COUNTS,     /* rounded to counts, dense float64 */
    BENCH_COUNTS_F32, /* the same in float32 */
    BENCH_COUNTS_CSR, /* the same in compressed sparse rows, float32 */
} bench_form;

typedef struct {
    const char *name;
    bench_kind kind;
    bench_tier tier;
    int64_t cells, genes;
    const char *before;  /* recipe run before the clock starts; NULL: none */
    const char *op;      /* recipe that is timed; of a vendor bench the name of its workflow; NULL: none */
    bool parity;         /* the result is compared with scVelo's (in a scaled run: on every row) */
    int limit_s;         /* of a child's whole life */
    int64_t memory;      /* bytes a child may hold; 0: what the machine has to spare */
    const char *fixture; /* steps behind `simulate`, made once and kept on disk; NULL: those of fixture.h */
    bench_form form;
    const char *packing; /* "gzip" or "lzf": arrays are compressed so, those of the fixture that is read or those that
                            are written; NULL: plain */
    bench_scope scope;
    bool cold;           /* the file is read from the disk: the page cache forgets it before every repeat */
    int threads;         /* of every program; 0: as --threads says */
    double within;       /* > 0: under a memory budget at that share of the way from the least that the plan could
                            do with to all that it would like (estimate.h) */
    const char *without; /* rivals, with commas between them, that a full-size run leaves out; NULL: none */
} bench_row;

extern const bench_row bench_rows[];
extern const int bench_n_rows;

const char *bench_kind_word(bench_kind kind);    /* "speed" */
const char *bench_kind_title(bench_kind kind);   /* of its section */
const char *bench_tier_word(bench_tier tier);    /* "quick" */
const char *bench_scope_word(bench_scope scope); /* "op" */
const char *bench_form_word(bench_form form);    /* "csr" */

/* Whether its figure is memory rather than time. */
bool bench_is_memory(bench_kind kind);

enum { BENCH_LEAST_CELLS = 50 };

/* Cells of a row in a run of that scale: at least BENCH_LEAST_CELLS. */
int64_t bench_scaled_cells(const bench_row *row, double scale);

#endif
