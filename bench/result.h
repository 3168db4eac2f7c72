/* result.h - what a run has found so far: lines (benches) of cells (one program each). Every output is made from this.
 */
#ifndef VEL_BENCH_RESULT_H
#define VEL_BENCH_RESULT_H

#include "bench/benches.h"
#include "bench/child.h"
#include "bench/guards.h"
#include "bench/select.h"
#include "bench/versus.h"

enum { BENCH_MOST_BACKENDS = 6, BENCH_MOST_ROWS = 96 };

/* What a step, or a whole process, may take of memory over what it gives (and, of a process, what it needs). */
#define BENCH_BOUND 1.3

/* A program that is measured. The job's options are put behind its command. */
typedef struct {
    const char *name;           /* "vel", "scvelo": what a user types */
    const char *const *command; /* ends with NULL */
    bool reference;             /* parity is measured against its results */
    const char *missing;        /* why it cannot run here, or NULL: every cell is SKIPPED with this */
    const char *version;        /* "0.3.4" or NULL */
} bench_backend;

typedef enum { BENCH_CELL_PENDING, BENCH_CELL_RAN, BENCH_CELL_SKIPPED, BENCH_CELL_LEFT_OUT } bench_cell_state;

typedef struct {
    bool done, passes;
    int64_t passed, total;
    const char *worst; /* the field that is furthest off, and how; NULL: none drifts */
} bench_parity;

typedef struct {
    bench_cell_state state;
    bench_outcome outcome; /* of the first repeat that failed, else BENCH_OK */
    int code;
    const char *reason; /* why it was skipped, or the story of a failure; NULL: neither */
    const char *words;  /* the last of a failed child; NULL otherwise */
    const char *frame;  /* of the first good repeat: JSON, versions and threads */
    bench_limit_kind limit;
    bench_sample *samples; /* of the good repeats; room for every repeat */
    int n;
    bench_summary wall_s, cpu_s, added_mb, sampled_mb;
    bench_summary base_mb, peak_mb; /* resident before the timed part, and at most in it */
    bench_summary clean_wall_s;     /* of the samples without a doubt */
    int doubtful;                   /* samples with one */
    bench_versus wall, cpu, memory; /* against the first backend: this one's need / the first one's */
    double share;                   /* memory over the bytes of the results (bench_share); NaN: not known */
    double gain;                    /* times as fast as the same bench with one thread; NaN: not known */
    bench_parity parity;            /* with the reference's result */
} bench_cell;

/* Bytes that the first backend's child has told of; -1: not told. */
typedef struct {
    int64_t inputs;  /* of the fields that the recipe reads from the file, as loaded */
    int64_t results; /* of the fields that it made or changed */
    int64_t data;    /* of all that was read or written */
    int64_t budget;  /* that it was given; and what the plan would have liked (estimate.h) */
    int64_t estimate;
} bench_bytes;

typedef enum { BENCH_LINE_PENDING, BENCH_LINE_RAN, BENCH_LINE_SKIPPED, BENCH_LINE_FIXTURE } bench_line_state;

typedef struct {
    const bench_row *row;
    bench_line_state state;
    const char *reason;      /* of SKIPPED and FIXTURE */
    const char *words;       /* of FIXTURE: the child's last */
    const char *before, *op; /* the recipes as they were run: named ones replaced by their steps */
    const char *fixture;     /* the recipe that made the input; NULL: a file, or none */
    const char *input;       /* NULL: the recipe makes its data */
    int64_t cells, genes;    /* of the input as it was run; 0: not known */
    int threads;             /* of every program */
    bench_bytes bytes;
    bool makes_data; /* the recipe needs no input */
    bool stand_in;   /* simulated in place of the workflow's file */
    bool made_now;   /* the fixture was not there yet */
    double making_s; /* that its making may take; 0: as long as any */
    bool wants_parity;
    bool compared, same; /* of a memory budget: whether the result's bytes were compared with those without, and are
                            the same */
    double free_mb;      /* and the peak of the process without; 0: not measured */
    double *plain_s;     /* what the disk took for as much: reading a cold file from end to end, or writing one; room
                            for every repeat */
    int n_plain;
    double *load_s; /* of a cold file, that it took into new memory; as many as plain_s */
    bool warm;      /* the file system would not let go of it */
    bench_cell cell[BENCH_MOST_BACKENDS];
} bench_line;

/* What the run was asked for. */
typedef struct {
    bench_set set;
    const char *only; /* NULL: all */
    double scale;
    int repeat, threads;
    const char *data; /* folder of the workflows' files; NULL: none */
    bool stand_in;
    int64_t memory;    /* bytes a child may hold at most; 0: the row's, or what can be spared */
    const char *out;   /* folder of the outputs */
    const char *cache; /* folder of the fixtures */
} bench_request;

typedef struct {
    const char *cpu, *kernel, *compiler, *commit, *os; /* NULL: not known */
    int cpus;                                          /* that this process may use */
    int64_t memory_kb;
    bench_finding findings[BENCH_MOST_FINDINGS];
    int n_findings;
} bench_host;

typedef struct {
    bench_request request;
    const char *const *argv;
    bench_host host;
    const char *started, *finished; /* UTC, ISO 8601; finished NULL while it runs */
    bool interrupted;
    bench_backend backends[BENCH_MOST_BACKENDS]; /* the first is this program */
    int n_backends;
    bench_line lines[BENCH_MOST_ROWS];
    int n_lines;
    vel_arena *arena; /* everything that the lines point to */
} bench_run;

/* What a table cell shows when it has no figure: "OOM", "SKIPPED", "LEFT OUT", "FIXTURE", ""; NULL if there are
 * figures. */
const char *bench_cell_word(const bench_line *line, const bench_cell *cell);

/* All summaries and comparisons of a line whose repeats are done. */
void bench_conclude_line(bench_run *run, bench_line *line);

/* Peak added over the results' bytes; of a whole process (BENCH_WHOLE) its peak over those of inputs and results. NaN:
 * not known, or less than a ratio needs. */
double bench_share(const bench_line *line, const bench_cell *cell);

/* Megabytes (10^6) of data a second, of a bench of BENCH_IO; NaN: none. */
double bench_mb_per_s(const bench_line *line, const bench_cell *cell);

/* Seconds of the plain read of a cold file, or of the plain write of a new one, the median; that over the program's
 * wall time. NaN: none. */
double bench_plain_s(const bench_line *line);
double bench_disk_share(const bench_line *line, const bench_cell *cell);

/* The same of the plain read of a cold file into new memory. */
double bench_load_s(const bench_line *line);
double bench_load_share(const bench_line *line, const bench_cell *cell);

/* The plan's estimate of the whole process's peak over the measured one (without a budget); NaN: none. */
double bench_estimate_ratio(const bench_line *line, const bench_cell *cell);

/* The verdicts of all lines, corrected for their number; geometric mean of the wall ratios of a backend against the
 * first, over the lines of that kind that have one; NaN: none. */
void bench_conclude_run(bench_run *run);
double bench_mean_ratio(const bench_run *run, int backend, bench_kind kind);

/* velbench's exit code: 130 interrupted, 3 something could not be measured, 1 a parity check drifted, else 0. */
int bench_exit_code(const bench_run *run);

#endif
