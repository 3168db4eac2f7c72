/* child.h - runs one job in a fresh process group: watched, measured, limited in time and memory, and never believed
 * without its result frame (wire.h). */
#ifndef VEL_BENCH_CHILD_H
#define VEL_BENCH_CHILD_H

#include "bench/limit.h"
#include "bench/sample.h"
#include "core/ctx.h"

/* How a child can end: what results.json calls it, and what a table cell shows. */
#define BENCH_OUTCOME_ROWS(X)         \
    X(OK, "ok", "ok")                 \
    X(EXIT, "exit", "FAILED")         \
    X(SIGNAL, "signal", "CRASH")      \
    X(TIMEOUT, "timeout", "TIMEOUT")  \
    X(OOM, "oom", "OOM")              \
    X(NO_FRAME, "no-frame", "FAILED") \
    X(BAD_FRAME, "bad-frame", "FAILED")

typedef enum {
#define BENCH_OUTCOME_ENUM(name, word, cell) BENCH_##name,
    BENCH_OUTCOME_ROWS(BENCH_OUTCOME_ENUM)
#undef BENCH_OUTCOME_ENUM
} bench_outcome;

typedef struct {
    const char *const *argv; /* ends with NULL; argv[0] is a path or looked up */
    const char *const *env;  /* "NAME=value", ends with NULL; beside the environment of this process; NULL: none */
    double limit_s;          /* of its whole life; then SIGTERM to the group, and SIGKILL two seconds later */
    int64_t memory;          /* bytes, <= 0: no limit */
    bool without_groups;     /* memory by RLIMIT_DATA even where a control group could be made */
    int threads;             /* that it was given, for the doubts */
} bench_job;

enum { BENCH_WORDS = 4096 };

typedef struct {
    bench_outcome outcome;
    int code;                /* exit status or signal */
    char words[BENCH_WORDS]; /* the last that it wrote on stdout and stderr */
    const char *why;         /* of BAD_FRAME */
    const char *frame;       /* JSON, in ctx->scratch; NULL unless ok */
    bool timed;              /* it had a timed part, and sample holds it */
    bench_sample sample;
    double took_s; /* its whole life */
    bench_limit_kind limit;
} bench_child;

/* Every way for the child to end is VEL_OK with its outcome; VEL_EINTR or VEL_ETERM if this run was asked to stop (the
 * child is gone then); other errors if no process could be made. */
vel_err bench_child_run(vel_ctx *ctx, const bench_job *job, bench_child *out) VEL_CHECKED;

const char *bench_outcome_word(bench_outcome o);
const char *bench_outcome_cell(bench_outcome o);

/* "exit status 3: its last line", "signal 11 (Segmentation fault)", …: one line, in ctx->scratch. */
vel_err bench_child_story(vel_ctx *ctx, const bench_child *c, const char **text) VEL_CHECKED;

#endif
