/* decide_lanes.h - the text of core/decide_bodies.h for any instruction set: four cells at a time. */
#include <string.h>

#include "core/decide_bodies.h"

typedef int32_t vel_quad_mask __attribute__((vector_size(16)));
typedef uint8_t four_states __attribute__((vector_size(4)));

#define UNIT 0x1p-24f
#define TINY 1e-30f /* below this float32 has no relative precision to rely on */

/* ---- cells */

typedef double wide __attribute__((vector_size(32), aligned(8), may_alias));

/* The rows of four cells side by side, in float32. */
static inline void turn(const double *const row[4], int64_t i, int voices, double total[4], vel_quad *cell) {
    vel_quad r[4];
    for (int k = 0; k < 4; k++) {
        r[k] = __builtin_convertvector(*(const wide *)(const void *)(row[k] + i), vel_quad);
        *(wide *)(void *)total += *(const wide *)(const void *)(row[k] + i);
    }
    vel_quad lo = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
             lo2 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    vel_quad hi = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
             hi2 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    cell[0] = __builtin_shufflevector(lo, lo2, 0, 1, 4, 5);
    cell[voices] = __builtin_shufflevector(lo, lo2, 2, 3, 6, 7);
    cell[2 * voices] = __builtin_shufflevector(hi, hi2, 0, 1, 4, 5);
    cell[3 * voices] = __builtin_shufflevector(hi, hi2, 2, 3, 6, 7);
}

/* A row that is not there is that of another. */
static double interleave(const vel_choice *q, int voices, vel_quad *cell) {
    const double *row[4] = {q->row[0], q->row[1], q->row[q->count / 2], q->row[q->count - 1]};
    double total[4] = {0};
    int64_t i = 0;
    for (int64_t first = 0; first < q->segments->places; first += VEL_SEGMENT) {
        const int64_t end = i + vel_segments_nothing(q->segments, first) - first;
        vel_quad *to = cell + first * voices;
        for (; i + 4 <= end; i += 4, to += 4 * voices) turn(row, i, voices, total, to);
        for (; i < end; i++, to += voices) {
            total[0] += (row[0][i] + row[1][i]) + (row[2][i] + row[3][i]);
            *to = (vel_quad){(float)row[0][i], (float)row[1][i], (float)row[2][i], (float)row[3][i]};
        }
        *to = (vel_quad){0};
    }
    return (total[0] + total[1]) + (total[2] + total[3]);
}

/* ---- sums */

/* Four numbers a load (in any order): loads are what the sums wait for. */
typedef uint64_t numbers __attribute__((may_alias));

/* Defines a function: *out = the sum of the cells over a row's numbers, in eight parts. A number is four times a place:
 * of cells of four floats, in floats; of eight, in doubles. */
#define CELL(x) (*(const cells *)(const void *)((const units *)(const void *)cell + (x)))
#define SUM_ROW(name, unit, type)                                                                    \
    static inline void name(const vel_quad *cell, const uint16_t *near, int64_t blocks, type *out) { \
        typedef unit units;                                                                          \
        typedef type cells;                                                                          \
        type a = {0}, b = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0}, l = {0};                 \
        const numbers *four = (const numbers *)(const void *)near;                                   \
        for (int64_t k = 0; k < blocks; k++, four += 2) {                                            \
            uint64_t x = four[0], y = four[1];                                                       \
            a += CELL((uint16_t)x), b += CELL((uint16_t)(x >> 16));                                  \
            d += CELL((uint16_t)(x >> 32)), e += CELL(x >> 48);                                      \
            f += CELL((uint16_t)y), g += CELL((uint16_t)(y >> 16));                                  \
            h += CELL((uint16_t)(y >> 32)), l += CELL(y >> 48);                                      \
        }                                                                                            \
        *out = ((a + b) + (d + e)) + ((f + g) + (h + l));                                            \
    }

typedef float both __attribute__((vector_size(32), may_alias)); /* the rows of two voices */

SUM_ROW(sum_row, float, vel_quad)
SUM_ROW(sum_row_of_one, double, vel_quad)
SUM_ROW(sum_row_of_both, double, both)

/* The numbers of a row some rows ahead: many cells' numbers are beyond the second cache. */
static inline void fetch_ahead(const uint16_t *near) {
    __builtin_prefetch(near + 256);
    __builtin_prefetch(near + 288);
}

static void sum(const vel_segments *all, int voices, const vel_quad *cell, const uint8_t *wanted, vel_quad *out) {
    const int32_t *id = all->row;
    const uint16_t *near = all->near;
    for (const vel_segment_run *run = all->runs; run < all->runs + all->n_runs; run++) {
        const int64_t blocks = run->blocks;
        const vel_quad *segment = cell + run->first * voices;
        for (int64_t i = 0; i < run->rows; i++, id++, near += blocks * VEL_SEGMENT_BLOCK) {
            if (wanted && !wanted[*id]) continue;
            fetch_ahead(near);
            vel_quad s;
            if (voices == 1)
                sum_row(segment, near, blocks, &s);
            else
                sum_row_of_one(segment, near, blocks, &s);
            out[*id] = run->first ? out[*id] + s : s;
        }
    }
}

static void sum_both(const vel_segments *all, const vel_quad *cell, vel_quad *const out[VEL_VOICES]) {
    const int32_t *id = all->row;
    const uint16_t *near = all->near;
    for (const vel_segment_run *run = all->runs; run < all->runs + all->n_runs; run++) {
        const int64_t blocks = run->blocks;
        const vel_quad *segment = cell + run->first * VEL_VOICES;
        for (int64_t i = 0; i < run->rows; i++, id++, near += blocks * VEL_SEGMENT_BLOCK) {
            both s;
            fetch_ahead(near);
            sum_row_of_both(segment, near, blocks, &s);
            const vel_quad part[VEL_VOICES] = {__builtin_shufflevector(s, s, 0, 1, 2, 3),
                                               __builtin_shufflevector(s, s, 4, 5, 6, 7)};
            for (int v = 0; v < VEL_VOICES; v++)
                if (out[v]) out[v][*id] = run->first ? out[v][*id] + part[v] : part[v];
        }
    }
}

/* ---- states */

static inline vel_quad pick(vel_quad_mask m, vel_quad a, vel_quad b) {
    return (vel_quad)(((vel_quad_mask)a & m) | ((vel_quad_mask)b & ~m));
}

/* From the sums of four cells: the least row of each, -1 if it is not clear. */
static inline vel_quad_mask least_of(const vel_quad sum[4], int count, vel_quad margin) {
    vel_quad ab = __builtin_shufflevector(sum[0], sum[1], 0, 4, 1, 5),
             cd = __builtin_shufflevector(sum[2], sum[3], 0, 4, 1, 5);
    vel_quad r0 = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), r1 = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    vel_quad_mask one = r1 < r0;
    vel_quad low = pick(one, r1, r0), second = pick(one, r0, r1);
    vel_quad_mask at = one & 1;
    if (count == VEL_DECIDE_ROWS) {
        ab = __builtin_shufflevector(sum[0], sum[1], 2, 6, 3, 7),
        cd = __builtin_shufflevector(sum[2], sum[3], 2, 6, 3, 7);
        vel_quad r2 = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), r3 = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        vel_quad_mask three = r3 < r2;
        vel_quad low2 = pick(three, r3, r2), high2 = pick(three, r2, r3);
        vel_quad_mask later = low2 < low;
        vel_quad_mask at2 = 2 + (three & 1);
        vel_quad rest = pick(second < high2, second, high2), losing = pick(later, low, low2);
        second = pick(losing < rest, losing, rest);
        low = pick(later, low2, low);
        at = (at2 & later) | (at & ~later);
    }
    vel_quad_mask clear = second > low * margin + TINY;
    return (at & clear) | ~clear;
}

/* The factor between two sums from which on their order is sure. A sum of m terms in eight parts is off by at most
 * m / 8 + 4 units, and one more a segment; an average that is single itself, by m + 1 more. Blocks filled up have
 * VEL_SEGMENT_BLOCK more. */
static inline vel_quad margin_of(const float *terms, vel_tag tag, float segments) {
    vel_quad m = {terms[0], terms[1], terms[2], terms[3]};
    m += VEL_SEGMENT_BLOCK;
    vel_quad units = 0.5f * m + (16 + 2 * segments);
    if (tag == VEL_SINGLE) units += 2 * m + 16;
    return 1 + units * UNIT;
}

static void compare(const vel_choice *q, int count, const vel_quad *sum, uint8_t *state) {
    const float segments = (float)vel_segments_count(q->n);
    for (int64_t c = 0; c < q->n; c += 4) {
        vel_quad_mask at = least_of(sum + c, count, margin_of(q->segments->terms + c, q->tag, segments));
        four_states states = __builtin_convertvector(at, four_states);
        if (q->n - c >= 4)
            memcpy(state + c, &states, 4);
        else
            memcpy(state + c, &states, (size_t)(q->n - c));
    }
}

const vel_decide_bodies DECIDE_BODIES = {interleave, sum, sum_both, compare};
