/* decide_lanes.h - the text of core/decide_bodies.h for any instruction set. */
#include <string.h>

#include "core/decide_bodies.h"

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
            out[*id] = run->adds ? out[*id] + s : s;
        }
    }
}

/* The cells of a segment, ahead of the sums that read them in any order. */
static void fetch_cells(const vel_segments *all, int64_t first, const vel_quad *segment) {
    enum { LINE = 64 / sizeof *segment };
    const int64_t end = (vel_segments_nothing(all, first) + 1 - first) * VEL_VOICES;
    for (int64_t k = 0; k < end; k += LINE) __builtin_prefetch(segment + k);
}

static void sum_both(const vel_segments *all, const vel_quad *cell, vel_quad *const out[VEL_VOICES]) {
    const int32_t *id = all->row;
    const uint16_t *near = all->near;
    for (const vel_segment_run *run = all->runs; run < all->runs + all->n_runs; run++) {
        const int64_t blocks = run->blocks;
        const vel_quad *segment = cell + run->first * VEL_VOICES;
        if (run == all->runs || run->first > run[-1].first) fetch_cells(all, run->first, segment);
        for (int64_t i = 0; i < run->rows; i++, id++, near += blocks * VEL_SEGMENT_BLOCK) {
            both s;
            fetch_ahead(near);
            sum_row_of_both(segment, near, blocks, &s);
            const vel_quad part[VEL_VOICES] = {__builtin_shufflevector(s, s, 0, 1, 2, 3),
                                               __builtin_shufflevector(s, s, 4, 5, 6, 7)};
            for (int v = 0; v < VEL_VOICES; v++)
                if (out[v]) out[v][*id] = run->adds ? out[v][*id] + part[v] : part[v];
        }
    }
}

/* ---- states */

enum { SOME = 8 }; /* cells at a time */

typedef float some __attribute__((vector_size(4 * SOME), aligned(16), may_alias));
typedef int32_t some_mask __attribute__((vector_size(4 * SOME)));
typedef uint8_t some_states __attribute__((vector_size(SOME)));

#define PICK(m, a, b) ((some)(((some_mask)(a) & (m)) | ((some_mask)(b) & ~(m))))

/* One row of eight cells, from two vectors that have two rows of four each, in the order of least_of. */
#define ROW_0(ab, cd) __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13)
#define ROW_1(ab, cd) __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15)

/* From the sums of eight cells: the least row of each, -1 if it is not clear. The cells come, as in the margin, in the
 * order 0, 2, 4, 6, 1, 3, 5, 7. */
static inline void least_of(const vel_quad *sum, int count, const some *margin, some_mask *least) {
    const some *two = (const some *)(const void *)sum;
    some ab = __builtin_shufflevector(two[0], two[1], 0, 8, 1, 9, 4, 12, 5, 13),
         cd = __builtin_shufflevector(two[2], two[3], 0, 8, 1, 9, 4, 12, 5, 13);
    some r0 = ROW_0(ab, cd), r1 = ROW_1(ab, cd);
    some_mask one = r1 < r0;
    some low = PICK(one, r1, r0), second = PICK(one, r0, r1);
    some_mask at = one & 1;
    if (count == VEL_DECIDE_ROWS) {
        ab = __builtin_shufflevector(two[0], two[1], 2, 10, 3, 11, 6, 14, 7, 15),
        cd = __builtin_shufflevector(two[2], two[3], 2, 10, 3, 11, 6, 14, 7, 15);
        some r2 = ROW_0(ab, cd), r3 = ROW_1(ab, cd);
        some_mask three = r3 < r2;
        some low2 = PICK(three, r3, r2), high2 = PICK(three, r2, r3);
        some_mask later = low2 < low;
        some_mask at2 = 2 + (three & 1);
        some rest = PICK(second < high2, second, high2), losing = PICK(later, low, low2);
        second = PICK(losing < rest, losing, rest);
        low = PICK(later, low2, low);
        at = (at2 & later) | (at & ~later);
    }
    some_mask clear = second > low * *margin + TINY;
    *least = (at & clear) | ~clear;
}

/* The factor between two sums from which on their order is sure. A sum of m terms in eight parts is off by at most
 * m / 8 + 4 units, and one more a segment; an average that is single itself, by m + 1 more. Blocks filled up have
 * VEL_SEGMENT_BLOCK more. */
static inline void margin_of(const float *terms, vel_tag tag, float segments, some *margin) {
    some m = *(const some *)(const void *)terms;
    m = __builtin_shufflevector(m, m, 0, 2, 4, 6, 1, 3, 5, 7) + VEL_SEGMENT_BLOCK;
    some units = 0.5f * m + (16 + 2 * segments);
    if (tag == VEL_SINGLE) units += 2 * m + 16;
    *margin = 1 + units * UNIT;
}

static inline void put(const some_mask *least, int64_t n, uint8_t *state) {
    some_states states =
        __builtin_convertvector(__builtin_shufflevector(*least, *least, 0, 4, 1, 5, 2, 6, 3, 7), some_states);
    if (n >= SOME)
        memcpy(state, &states, SOME);
    else
        memcpy(state, &states, (size_t)n);
}

static void compare(const vel_choice *q, int count, const vel_quad *sum, uint8_t *state) {
    const float segments = (float)vel_segments_count(q->n);
    some margin;
    some_mask least;
    for (int64_t c = 0; c < q->n; c += SOME) {
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        least_of(sum + c, count, &margin, &least);
        put(&least, q->n - c, state + c);
    }
}

static void compare_twice(const vel_choice *q, const vel_quad *sum, uint8_t *two, uint8_t *all) {
    const float segments = (float)vel_segments_count(q->n);
    some margin;
    some_mask least;
    for (int64_t c = 0; c < q->n; c += SOME) {
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        least_of(sum + c, 2, &margin, &least);
        put(&least, q->n - c, two + c);
        least_of(sum + c, q->count, &margin, &least);
        put(&least, q->n - c, all + c);
    }
}

static void compare_wanted(const vel_choice *q, const vel_quad *sum, const uint8_t *wanted, uint8_t *state) {
    const float segments = (float)vel_segments_count(q->n);
    some margin;
    some_mask least;
    uint8_t of[SOME];
    for (int64_t c = 0; c < q->n; c += SOME) {
        const int64_t n = q->n - c < SOME ? q->n - c : SOME;
        if (!memchr(wanted + c, 1, (size_t)n)) continue;
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        least_of(sum + c, q->count, &margin, &least);
        put(&least, n, of);
        for (int64_t k = 0; k < n; k++) state[c + k] = wanted[c + k] ? of[k] : state[c + k];
    }
}

const vel_decide_bodies DECIDE_BODIES = {interleave, sum, sum_both, compare, compare_twice, compare_wanted};
