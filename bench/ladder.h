/* ladder.h - velbench ladder: how time and memory grow over cells and over genes.
 *
 * A side is one of the two axes; its rungs are the sizes given, the other dimension held. A climb is one step on one
 * side. Each measurement is a fresh child, as of a bench. The rungs are climbed together, smallest first, so that
 * every step has come equally far when the time is up: a rung that would not fit what is left of the budget (growth.h
 * extrapolates) is not begun, nor those above it, and its reason is kept. */
#ifndef VEL_BENCH_LADDER_H
#define VEL_BENCH_LADDER_H

#include "bench/growth.h"
#include "bench/ladder_steps.h"
#include "bench/result.h"
#include "bench/sizes.h"

enum { BENCH_MOST_CLIMBS = 16 };

typedef enum { BENCH_OVER_CELLS, BENCH_OVER_GENES, BENCH_SIDES } bench_side_kind;
typedef enum {
    BENCH_RUNG_PENDING,
    BENCH_RUNG_RAN,
    BENCH_RUNG_STOPPED, /* the budget would not do */
    BENCH_RUNG_FAILED,
} bench_rung_state;

typedef struct {
    bench_rung_state state;
    const char *reason;    /* of STOPPED and FAILED */
    int64_t cells, genes;  /* of the data when the step was done */
    bench_sample *samples; /* run->request.repeat of them at most */
    int n;
    double wall_s, cpu_s;   /* the least of the samples; NaN: none */
    double added_b, peak_b; /* the most: added to what was resident before, and of the whole process */
    double life_s;          /* of one child, reading its input included */
} bench_rung;

typedef struct {
    const bench_ladder_step *step;
    bench_rung rung[BENCH_MOST_SIZES];
    bench_growth wall, cpu, memory;
} bench_climb;

typedef struct {
    bench_sizes sizes;
    int64_t beside;                                         /* what the other dimension is held at */
    double making_s[BENCH_LADDER_INPUTS][BENCH_MOST_SIZES]; /* of the inputs; 0: not made, or there already */
    bool ready[BENCH_LADDER_INPUTS][BENCH_MOST_SIZES];      /* inputs that need no making any more */
    bench_climb climbs[BENCH_MOST_CLIMBS];
    int n_climbs;
} bench_side;

typedef struct {
    bench_run *run; /* request, host, arena, backends[0] */
    double budget_s;
    int64_t started_ns;
    bench_side sides[BENCH_SIDES];
    /* called after each rung of each climb, the growth fitted so far; may be NULL */
    vel_err (*done)(void *user, const bench_side *side, const bench_climb *climb, int rung);
    void *user;
} bench_ladder;

/* What a user asks for; NULL: the default. */
typedef struct {
    const char *cells, *genes; /* bench_sizes_parse */
    const char *beside;        /* bench_shape_parse: the cells that genes vary at, the genes that cells vary at */
    double budget_s;
} bench_ladder_request;

/* A rung is repeated until its children have taken this many seconds, or it has run->request.repeat samples. */
enum { BENCH_LADDER_ENOUGH = 5 };

#define BENCH_LADDER_CELLS "1k,3k,10k,30k,100k"
#define BENCH_LADDER_GENES "50,150,500,2000"
#define BENCH_LADDER_BESIDE "3000x100"
enum { BENCH_LADDER_BUDGET = 600, BENCH_LADDER_LEAST_CELLS = 50, BENCH_LADDER_LEAST_GENES = 32 };

/* Climbs for the steps whose name matches run->request.only, nothing measured. VEL_EUSAGE says what is wrong. */
vel_err bench_ladder_plan(vel_ctx *ctx, const bench_ladder_request *request, bench_ladder *ladder) VEL_CHECKED;

/* Fits the growth of every climb to the rungs that are there. */
void bench_ladder_conclude(bench_ladder *ladder);

/* Seconds that the rung will take, its repeats and the making of its input included unless that is ready: from the
 * rungs below (growth.h). 0 for the first, and for an input that was there on every rung below. */
double bench_ladder_expect(const bench_ladder *ladder, const bench_side *side, const bench_climb *climb, int rung);

/* Cells and genes of a rung's input. */
void bench_ladder_shape(const bench_ladder *ladder, const bench_side *side, int rung, int64_t *cells, int64_t *genes);

/* 130 interrupted, 3 a child failed, else 0. */
int bench_ladder_exit(const bench_ladder *ladder);

#endif
