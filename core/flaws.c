#include "core/flaws.h"

#include <math.h>

#include "core/least.h"
#include "core/par.h"

static int64_t row_of_entry(const vel_counts *m, int64_t e) {
    int64_t from = 0, to = m->rows;
    while (to - from > 1) {
        int64_t mid = from + (to - from) / 2;
        if (m->indptr[mid] <= e)
            from = mid;
        else
            to = mid;
    }
    return from;
}

static bool is_flawed(double v, vel_flaw flaw) {
    if (!(v > -INFINITY && v < INFINITY)) return true;
    if (flaw == VEL_NOT_FINITE) return false;
    if (v < 0 && (flaw == VEL_NOT_COUNT || flaw == VEL_NOT_RAW)) return true;
    if (flaw == VEL_NOT_COUNT) return false;
    const double beyond = 0x1p62; /* whole, all of them */
    if (v >= beyond || v <= -beyond) return false;
    double whole = (double)(int64_t)v;
    if (whole > v) whole -= 1;
    return v - whole > 1e-3;
}

enum { VALUES_A_RUN = 1 << 20, VALUES_A_LOOK = 64 };

typedef struct {
    const vel_counts *m;
    vel_flaw flaw;
    int64_t *first; /* of each run; -1: none */
} find_job;

/* Whether VALUES_A_LOOK values are seen, without branches, to be free of the flaw: whole numbers, where whole ones are
 * asked for, though those that are nearly so, or very large, have it neither. What is left of a value after rounding,
 * or after it is taken off itself, is 0, or NaN if it is not finite: the bits of all that is left are put together, and
 * so are the signs. */
#define SOUND(name, real, natural, shift)                                                      \
    static bool name(const real *x, vel_flaw flaw) {                                           \
        typedef real lanes __attribute__((vector_size(16), may_alias, aligned(sizeof(real)))); \
        typedef natural words __attribute__((vector_size(16)));                                \
        enum { LANES = 16 / sizeof(real), SIGN = 8 * sizeof(real) - 1 };                       \
        words left = {0}, signs = {0};                                                         \
        if (flaw >= VEL_NOT_WHOLE)                                                             \
            for (int i = 0; i < VALUES_A_LOOK; i += LANES) {                                   \
                lanes v = *(const lanes *)(const void *)(x + i);                               \
                left |= (words)(v - ((v + (shift)) - (shift)));                                \
                signs |= (words)v;                                                             \
            }                                                                                  \
        else                                                                                   \
            for (int i = 0; i < VALUES_A_LOOK; i += LANES) {                                   \
                lanes v = *(const lanes *)(const void *)(x + i);                               \
                left |= (words)(v - v);                                                        \
                signs |= (words)v;                                                             \
            }                                                                                  \
        for (int i = 1; i < LANES; i++) {                                                      \
            left[0] |= left[i];                                                                \
            signs[0] |= signs[i];                                                              \
        }                                                                                      \
        bool may_be_negative = flaw == VEL_NOT_FINITE || flaw == VEL_NOT_WHOLE;                \
        return (natural)(left[0] << 1) == 0 && (may_be_negative || signs[0] >> SIGN == 0);     \
    }
SOUND(sound_f32, float, uint32_t, 0x1.8p23f)
SOUND(sound_f64, double, uint64_t, 0x1.8p52)

static bool is_sound(const find_job *job, int64_t e, int64_t count) {
    if (count < VALUES_A_LOOK) return false;
    if (job->m->type == VEL_F32) return sound_f32((const float *)job->m->values + e, job->flaw);
    return sound_f64((const double *)job->m->values + e, job->flaw);
}

/* The first of the stored values [e, end) with the flaw, -1: none. */
static int64_t look(const find_job *job, int64_t e, int64_t end) {
    for (; e < end; e += VALUES_A_LOOK) {
        int64_t count = vel_least(end - e, VALUES_A_LOOK);
        if (is_sound(job, e, count)) continue;
        for (int64_t at = e; at < e + count; at++)
            if (is_flawed(vel_counts_value(job->m, at), job->flaw)) return at;
    }
    return -1;
}

static vel_err look_at_run(vel_ctx *ctx, int64_t item, void *arg) {
    (void)ctx;
    const find_job *job = arg;
    int64_t e = item * VALUES_A_RUN, left = vel_counts_stored(job->m) - e;
    job->first[item] = look(job, e, e + vel_least(left, VALUES_A_RUN));
    return VEL_OK;
}

bool vel_all_finite(vel_type type, const void *x, int64_t n) {
    const vel_counts m = {.type = type, .values = x};
    const find_job job = {&m, VEL_NOT_FINITE, NULL};
    return look(&job, 0, n) < 0;
}

vel_err vel_counts_find(vel_ctx *ctx, const vel_counts *m, vel_flaw flaw, vel_flawed *found) {
    int64_t runs = (vel_counts_stored(m) + VALUES_A_RUN - 1) / VALUES_A_RUN;
    find_job job = {m, flaw, NULL};
    VEL_TRY(VEL_ALLOC(ctx, job.first, runs + 1));
    VEL_TRY(vel_for(ctx, NULL, runs, look_at_run, &job));
    *found = (vel_flawed){-1, -1, 0};
    for (int64_t r = 0; r < runs; r++) {
        int64_t e = job.first[r];
        if (e < 0) continue;
        found->value = vel_counts_value(m, e);
        found->row = m->indptr ? row_of_entry(m, e) : m->gene_major ? e % m->rows : e / m->cols;
        found->col = m->indptr ? m->indices[e] : m->gene_major ? e / m->rows : e % m->cols;
        break;
    }
    return VEL_OK;
}

void vel_counts_not_finite(const vel_counts *m, uint8_t *bad) {
    for (int64_t j = 0; j < m->cols; j++) bad[j] = 0;
    for (int64_t e = 0, n = vel_counts_stored(m); e < n; e++)
        if (is_flawed(vel_counts_value(m, e), VEL_NOT_FINITE))
            bad[m->indptr ? m->indices[e] : m->gene_major ? e / m->rows : e % m->cols] = 1;
}

bool vel_counts_whole(const vel_counts *m, int64_t n_rows) {
    if (n_rows > m->rows) n_rows = m->rows;
    if (m->indptr) {
        for (int64_t e = 0; e < m->indptr[n_rows]; e++)
            if (is_flawed(vel_counts_value(m, e), VEL_NOT_WHOLE)) return false;
        return true;
    }
    for (int64_t i = 0; i < n_rows; i++)
        for (int64_t j = 0; j < m->cols; j++)
            if (is_flawed(vel_counts_value(m, m->gene_major ? j * m->rows + i : i * m->cols + j), VEL_NOT_WHOLE))
                return false;
    return true;
}
