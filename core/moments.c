#include "core/moments.h"

#include "core/cpu.h"
#include "core/moments_bodies.h"
#include "core/par.h"

enum { LANES = VEL_MOMENTS_LANES, CELLS = 64 };

typedef struct {
    const vel_around *around;
    const vel_cmat *a, *b; /* b NULL: first moments */
    const vel_mat *y;
    const vel_moments_body *body;
} job;

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

/* Gene-major genes [gene, gene + count) of a (times b) to lanes; lanes without a gene hold 0. */
#define INTERLEAVE(name, real)                                                                          \
    static void name(const job *j, int64_t gene, int64_t count, real *x) {                              \
        int64_t n = j->a->rows;                                                                         \
        for (int64_t first = 0; first < n; first += CELLS) {                                            \
            int64_t end = first + CELLS < n ? first + CELLS : n;                                        \
            for (int64_t g = 0; g < LANES; g++) {                                                       \
                if (g >= count) {                                                                       \
                    for (int64_t c = first; c < end; c++) x[c * LANES + g] = 0;                         \
                    continue;                                                                           \
                }                                                                                       \
                const real *a = (const real *)j->a->data + (gene + g) * j->a->col_stride;               \
                const real *b = j->b ? (const real *)j->b->data + (gene + g) * j->b->col_stride : NULL; \
                for (int64_t c = first; c < end; c++) x[c * LANES + g] = b ? a[c] * b[c] : a[c];        \
            }                                                                                           \
        }                                                                                               \
    }

/* Lanes of cells [first, first + cells) to gene-major output, rounded to float32 in either type. */
#define SPREAD(name, real)                                                                                         \
    static void name(const job *j, int64_t gene, int64_t count, int64_t first, int64_t cells, const real *lanes) { \
        for (int64_t g = 0; g < count; g++) {                                                                      \
            int64_t at = (gene + g) * j->y->col_stride + first;                                                    \
            float *narrow = j->y->data;                                                                            \
            double *wide = j->y->data;                                                                             \
            if (j->y->type == VEL_F32)                                                                             \
                for (int64_t c = 0; c < cells; c++) narrow[at + c] = (float)lanes[c * LANES + g];                  \
            else                                                                                                   \
                for (int64_t c = 0; c < cells; c++) wide[at + c] = (float)lanes[c * LANES + g];                    \
        }                                                                                                          \
    }

#define GROUP(name, real, interleave, spread, member)                              \
    static vel_err name(vel_ctx *ctx, const job *j, int64_t gene, int64_t count) { \
        int64_t n = j->a->rows;                                                    \
        real *x, y[CELLS * LANES];                                                 \
        VEL_TRY(VEL_ALLOC(ctx, x, n *LANES));                                      \
        interleave(j, gene, count, x);                                             \
        for (int64_t first = 0; first < n; first += CELLS) {                       \
            int64_t cells = n - first < CELLS ? n - first : CELLS;                 \
            j->body->member(j->around, x, first, cells, y);                        \
            spread(j, gene, count, first, cells, y);                               \
        }                                                                          \
        return VEL_OK;                                                             \
    }

INTERLEAVE(interleave_f32, float)
INTERLEAVE(interleave_f64, double)
SPREAD(spread_f32, float)
SPREAD(spread_f64, double)
GROUP(group_f32, float, interleave_f32, spread_f32, f32)
GROUP(group_f64, double, interleave_f64, spread_f64, f64)

static vel_err run_group(vel_ctx *ctx, int64_t item, void *arg) {
    const job *j = arg;
    int64_t gene = item * LANES, left = j->a->cols - gene, count = left < LANES ? left : LANES;
    return j->a->type == VEL_F32 ? group_f32(ctx, j, gene, count) : group_f64(ctx, j, gene, count);
}

vel_err vel_moments_second(vel_ctx *ctx, const vel_around *around, const vel_cmat *a, const vel_cmat *b,
                           const vel_mat *y) {
    job j = {around, a, b, y, body_here()};
    return vel_for(ctx, NULL, (a->cols + LANES - 1) / LANES, run_group, &j);
}

vel_err vel_moments_first(vel_ctx *ctx, const vel_around *around, const vel_cmat *x, const vel_mat *y) {
    return vel_moments_second(ctx, around, x, NULL, y);
}
