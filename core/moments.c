#include "core/moments.h"

#include "core/cpu.h"
#include "core/least.h"
#include "core/moments_bodies.h"
#include "core/par.h"

enum { LANES = VEL_MOMENTS_LANES, CELLS = 64 };

/* What is averaged at once: lane l is a column, or the product of two, and where its average goes. */
typedef struct {
    const vel_around *around;
    int count; /* of lanes that are used */
    vel_type in, out;
    const void *a[LANES], *b[LANES]; /* b NULL: a itself */
    void *y[LANES];
} group;

static const vel_moments_body *body_here(void) {
#if defined(__x86_64__)
    switch (vel_cpu_level()) {
        case VEL_CPU_AVX512:
            return &vel_moments_avx512;
        case VEL_CPU_AVX2:
            return &vel_moments_avx2;
        case VEL_CPU_PLAIN:
            break;
    }
#endif
    return &vel_moments_plain;
}

/* Columns to lanes; lanes without a column hold 0. */
#define INTERLEAVE(name, real)                                                                   \
    static void name(const group *q, real *x) {                                                  \
        int64_t n = q->around->n;                                                                \
        for (int64_t first = 0; first < n; first += CELLS) {                                     \
            int64_t end = vel_least(first + CELLS, n);                                           \
            for (int l = 0; l < LANES; l++) {                                                    \
                if (l >= q->count) {                                                             \
                    for (int64_t c = first; c < end; c++) x[c * LANES + l] = 0;                  \
                    continue;                                                                    \
                }                                                                                \
                const real *a = q->a[l], *b = q->b[l];                                           \
                for (int64_t c = first; c < end; c++) x[c * LANES + l] = b ? a[c] * b[c] : a[c]; \
            }                                                                                    \
        }                                                                                        \
    }

/* Lanes of cells [first, first + cells) to columns, rounded to float32 in either type. */
#define SPREAD(name, real)                                                                           \
    static void name(const group *q, int64_t first, int64_t cells, const real *lanes) {              \
        for (int l = 0; l < q->count; l++) {                                                         \
            float *narrow = q->y[l];                                                                 \
            double *wide = q->y[l];                                                                  \
            if (q->out == VEL_F32)                                                                   \
                for (int64_t c = 0; c < cells; c++) narrow[first + c] = (float)lanes[c * LANES + l]; \
            else                                                                                     \
                for (int64_t c = 0; c < cells; c++) wide[first + c] = (float)lanes[c * LANES + l];   \
        }                                                                                            \
    }

#define AVERAGE(name, real, interleave, spread, member)      \
    static vel_err name(vel_ctx *ctx, const group *q) {      \
        const vel_moments_body *body = body_here();          \
        int64_t n = q->around->n;                            \
        real *x, y[CELLS * LANES];                           \
        VEL_TRY(VEL_ALLOC(ctx, x, n *LANES));                \
        interleave(q, x);                                    \
        for (int64_t first = 0; first < n; first += CELLS) { \
            int64_t cells = vel_least(n - first, CELLS);     \
            body->member(q->around, x, first, cells, y);     \
            spread(q, first, cells, y);                      \
        }                                                    \
        return VEL_OK;                                       \
    }

INTERLEAVE(interleave_f32, float)
INTERLEAVE(interleave_f64, double)
SPREAD(spread_f32, float)
SPREAD(spread_f64, double)
AVERAGE(average_f32, float, interleave_f32, spread_f32, f32)
AVERAGE(average_f64, double, interleave_f64, spread_f64, f64)

static vel_err average(vel_ctx *ctx, const group *q) {
    vel_mark mark = vel_arena_mark(ctx->scratch);
    VEL_TRY(q->in == VEL_F32 ? average_f32(ctx, q) : average_f64(ctx, q));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

typedef struct {
    const vel_around *around;
    const vel_cmat *x;
    const vel_mat *y;
} job;

static vel_err average_genes(vel_ctx *ctx, int64_t item, void *arg) {
    const job *j = arg;
    group q = {.around = j->around, .in = j->x->type, .out = j->y->type};
    for (int64_t g = item * LANES; g < j->x->cols && q.count < LANES; g++, q.count++) {
        q.a[q.count] = (const char *)j->x->data + (size_t)(g * j->x->col_stride) * vel_type_size(q.in);
        q.y[q.count] = (char *)j->y->data + (size_t)(g * j->y->col_stride) * vel_type_size(q.out);
    }
    return average(ctx, &q);
}

vel_err vel_moments_first(vel_ctx *ctx, const vel_around *around, const vel_cmat *x, const vel_mat *y) {
    job j = {around, x, y};
    return vel_for_next(ctx, NULL, (x->cols + LANES - 1) / LANES, average_genes, &j);
}

vel_err vel_moments_second(vel_ctx *ctx, const vel_around *around, vel_type type, int count,
                           const vel_moments_pair *genes) {
    group q = {.around = around, .count = 2 * count, .in = type, .out = VEL_F32};
    for (int g = 0; g < count; g++) {
        q.a[2 * g] = q.b[2 * g] = q.a[2 * g + 1] = genes[g].s;
        q.b[2 * g + 1] = genes[g].u;
        q.y[2 * g] = genes[g].ss;
        q.y[2 * g + 1] = genes[g].us;
    }
    return average(ctx, &q);
}
