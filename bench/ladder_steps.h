/* ladder_steps.h - what velbench ladder climbs: a step or recipe a row. */
#ifndef VEL_BENCH_LADDER_STEPS_H
#define VEL_BENCH_LADDER_STEPS_H

/* What a step starts from. Each is a file, made once for a size. */
typedef enum {
    BENCH_LADDER_COUNTS,  /* simulated counts */
    BENCH_LADDER_MOMENTS, /* normalised, with components, neighbours and moments (fixture.h) */
    BENCH_LADDER_FITTED,  /* that, and the fit of every gene */
    BENCH_LADDER_INPUTS
} bench_ladder_input;

typedef struct {
    const char *name;
    const char
        *forget; /* fields of the input that are its results: "a,b", dropped before the clock starts; NULL: none */
    const char *before; /* recipe run before the clock starts; "": none */
    const char *op;     /* recipe that is timed */
    bench_ladder_input input;
    const char *over_cells, *over_genes; /* why it does not grow linearly by its nature; NULL: it should */
} bench_ladder_step;

extern const bench_ladder_step bench_ladder_steps[];
extern const int bench_n_ladder_steps;

/* The recipe that makes BENCH_LADDER_FITTED of BENCH_LADDER_MOMENTS: that of the row recover_dynamics. */
extern const char bench_ladder_fit[];

#endif
