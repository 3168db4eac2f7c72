#include "core/csr_build.h"

#include <string.h>

#include "core/least.h"
#include "core/pages.h"
#include "core/par.h"

/* Rows of a batch, and bytes of the buffer for a run of batches, a thread. */
enum { BATCH = 32, RUN_BYTES = 1 << 20 };

/* Of the entries that the rows so far let expect of the rest. */
#define SURE_SHARE 0.9

typedef struct {
    int32_t *columns;
    float *values;
} entries;

typedef struct {
    const vel_row_maker *maker;
    const vel_csr_room *out[2]; /* positive, negative or NULL */
    int64_t first, count;       /* rows of the run */
    entries buffer;             /* batches of BATCH * bound entries; within one, row after row, positive first */
    int64_t *start;             /* count: place of a row in the buffer */
    int64_t *size[2];           /* count: entries of either kind */
    int64_t large[2];           /* entries of the results up to which they may have large pages */
} run;

/* Sorts n entries into positive ones, in front, and negative ones, behind; tail has room for n. */
static void split(entries e, int64_t n, bool both, entries tail, int64_t size[2]) {
    int64_t p = 0, q = 0;
    for (int64_t i = 0; i < n; i++) { /* without branches: signs cannot be foretold */
        int32_t column = e.columns[i];
        float value = e.values[i];
        tail.columns[q] = column;
        tail.values[q] = value;
        q += both && value < 0;
        e.columns[p] = column;
        e.values[p] = value;
        p += value > 0 || (!both && value < 0);
    }
    memcpy(e.columns + p, tail.columns, (size_t)q * sizeof *tail.columns);
    memcpy(e.values + p, tail.values, (size_t)q * sizeof *tail.values);
    size[0] = p;
    size[1] = q;
}

static vel_err make_batch(vel_ctx *ctx, int64_t item, void *arg) {
    run *r = arg;
    const vel_row_maker *m = r->maker;
    int64_t begin = item * BATCH, count = vel_least(BATCH, r->count - begin), at = begin * m->bound;
    void *state;
    entries tail;
    VEL_TRY(VEL_ALLOC(ctx, tail.columns, m->bound + 1));
    VEL_TRY(VEL_ALLOC(ctx, tail.values, m->bound + 1));
    VEL_TRY(m->begin(ctx, m->arg, r->first + begin, count, &state));
    for (int64_t i = begin; i < begin + count; i++) {
        entries e = {r->buffer.columns + at, r->buffer.values + at};
        int64_t size[2], n = m->row(state, r->first + i, e.columns, e.values);
        split(e, n, r->out[1] != NULL, tail, size);
        r->start[i] = at;
        r->size[0][i] = size[0];
        r->size[1][i] = size[1];
        at += size[0] + size[1];
    }
    return VEL_OK;
}

/* Where the rows of the run begin in the results. */
static void place_rows(const run *r) {
    for (int k = 0; k < 2 && r->out[k]; k++) {
        int64_t *indptr = r->out[k]->indptr + r->first;
        for (int64_t i = 0; i < r->count; i++) indptr[i + 1] = indptr[i] + r->size[k][i];
    }
}

/* Large pages for as much as will be filled, by what the rows so far have: more are asked for as that becomes surer. */
static void ask_for_pages(run *r) {
    for (int k = 0; k < 2 && r->out[k]; k++) {
        int64_t done = r->first + r->count, end = r->out[k]->indptr[done];
        int64_t likely = end + (int64_t)(SURE_SHARE * (double)end / (double)done * (double)(r->maker->n - done));
        if (likely <= r->large[k]) continue;
        vel_pages_large(r->out[k]->indices, (size_t)r->large[k] * sizeof(int32_t), (size_t)likely * sizeof(int32_t));
        vel_pages_large(r->out[k]->values, (size_t)r->large[k] * sizeof(float), (size_t)likely * sizeof(float));
        r->large[k] = likely;
    }
}

static vel_err move_batch(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const run *r = arg;
    for (int64_t i = item * BATCH; i < vel_least((item + 1) * BATCH, r->count); i++) {
        int64_t from = r->start[i];
        for (int k = 0; k < 2 && r->out[k]; k++) {
            int64_t to = r->out[k]->indptr[r->first + i], n = r->size[k][i];
            memcpy(r->out[k]->indices + to, r->buffer.columns + from, (size_t)n * sizeof *r->buffer.columns);
            memcpy(r->out[k]->values + to, r->buffer.values + from, (size_t)n * sizeof *r->buffer.values);
            from += n;
        }
    }
    return VEL_OK;
}

int64_t vel_csr_rows_a_run(int threads, int64_t n, int64_t bound) {
    int64_t row = (bound > 0 ? bound : 1) * (int64_t)(sizeof(int32_t) + sizeof(float));
    int64_t batches = (int64_t)RUN_BYTES * threads / (row * BATCH);
    if (batches < 2 * threads) batches = 2 * threads;
    return vel_least(batches * BATCH, (n + BATCH - 1) / BATCH * BATCH);
}

static void report(const vel_ctx *ctx, const vel_row_maker *m, int64_t done) {
    if (ctx->sink.progress) ctx->sink.progress(ctx->sink.user, m->what, done, m->n);
}

vel_err vel_csr_build(vel_ctx *ctx, const vel_row_maker *m, const vel_csr_room *positive,
                      const vel_csr_room *negative) {
    run r = {.maker = m, .out = {positive, negative}};
    int64_t rows = vel_csr_rows_a_run(ctx->threads, m->n, m->bound);
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(VEL_ALLOC(ctx, r.buffer.columns, rows * m->bound + 1));
    VEL_TRY(VEL_ALLOC(ctx, r.buffer.values, rows * m->bound + 1));
    VEL_TRY(VEL_ALLOC(ctx, r.start, rows));
    VEL_TRY(VEL_ALLOC(ctx, r.size[0], rows));
    VEL_TRY(VEL_ALLOC(ctx, r.size[1], rows));
    positive->indptr[0] = 0;
    if (negative) negative->indptr[0] = 0;
    for (r.first = 0; r.first < m->n; r.first += rows) {
        r.count = vel_least(rows, m->n - r.first);
        int64_t batches = (r.count + BATCH - 1) / BATCH;
        VEL_TRY(vel_for(ctx, NULL, batches, make_batch, &r));
        place_rows(&r);
        ask_for_pages(&r);
        VEL_TRY(vel_for(ctx, NULL, batches, move_batch, &r));
        if (m->placed) m->placed(m->arg, r.first, r.first + r.count);
        report(ctx, m, r.first + r.count);
    }
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}
