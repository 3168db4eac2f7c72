/* decide_lanes.h - the text of core/decide_bodies.h for any instruction set. */
#include <string.h>

#include "core/decide_bodies.h"

#define UNIT 0x1p-24f
#define TINY 1e-30f /* below this float32 has no relative precision to rely on */

/* ---- cells */

typedef double wide __attribute__((vector_size(32), aligned(8), may_alias));
typedef float quad __attribute__((vector_size(16), may_alias));

/* The rows of four cells side by side, in float32. */
static inline void turn(const double *const row[2], int64_t i, int voices, double total[4], vel_two *cell) {
    quad r[2];
    for (int k = 0; k < 2; k++) {
        r[k] = __builtin_convertvector(*(const wide *)(const void *)(row[k] + i), quad);
        *(wide *)(void *)total += *(const wide *)(const void *)(row[k] + i);
    }
    cell[0] = __builtin_shufflevector(r[0], r[1], 0, 4);
    cell[voices] = __builtin_shufflevector(r[0], r[1], 1, 5);
    cell[2 * voices] = __builtin_shufflevector(r[0], r[1], 2, 6);
    cell[3 * voices] = __builtin_shufflevector(r[0], r[1], 3, 7);
}

static double interleave(const vel_choice *q, int voices, vel_two *cell) {
    double total[4] = {0};
    int64_t i = 0;
    for (int64_t first = 0; first < q->segments->places; first += VEL_SEGMENT) {
        const int64_t end = i + vel_segments_nothing(q->segments, first) - first;
        vel_two *to = cell + first * voices;
        for (; i + 4 <= end; i += 4, to += 4 * voices) turn(q->row, i, voices, total, to);
        for (; i < end; i++, to += voices) {
            total[0] += q->row[0][i] + q->row[1][i];
            *to = (vel_two){(float)q->row[0][i], (float)q->row[1][i]};
        }
        *to = (vel_two){0};
    }
    return (total[0] + total[1]) + (total[2] + total[3]);
}

/* ---- sums */

/* Four numbers a load (in any order): loads are what the sums wait for. */
typedef uint64_t numbers __attribute__((may_alias));

/* Defines a function: *out = the sum of the cells over a row's numbers, in eight parts. A number is four times a place:
 * of cells of 8 bytes, in pairs of bytes; of 16, in fours. */
#define CELL(x) (*(const cells *)(const void *)((const units *)(const void *)cell + (x)))
#define SUM_ROW(name, unit, type)                                                                   \
    static inline void name(const vel_two *cell, const uint16_t *near, int64_t blocks, type *out) { \
        typedef unit units;                                                                         \
        typedef type cells;                                                                         \
        type a = {0}, b = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0}, l = {0};                \
        const numbers *four = (const numbers *)(const void *)near;                                  \
        for (int64_t k = 0; k < blocks; k++, four += 2) {                                           \
            uint64_t x = four[0], y = four[1];                                                      \
            a += CELL((uint16_t)x), b += CELL((uint16_t)(x >> 16));                                 \
            d += CELL((uint16_t)(x >> 32)), e += CELL(x >> 48);                                     \
            f += CELL((uint16_t)y), g += CELL((uint16_t)(y >> 16));                                 \
            h += CELL((uint16_t)(y >> 32)), l += CELL(y >> 48);                                     \
        }                                                                                           \
        *out = ((a + b) + (d + e)) + ((f + g) + (h + l));                                           \
    }

SUM_ROW(sum_row, uint16_t, vel_two)
SUM_ROW(sum_row_of_one, float, vel_two)
SUM_ROW(sum_row_of_both, float, quad)

/* The numbers of a row some rows ahead: many cells' numbers are beyond the second cache. */
static inline void fetch_ahead(const uint16_t *near) {
    __builtin_prefetch(near + 256);
    __builtin_prefetch(near + 288);
}

static void sum(const vel_segments *all, int voices, const vel_two *cell, const uint8_t *wanted, vel_two *out) {
    const int32_t *id = all->row;
    const uint16_t *near = all->near;
    for (const vel_segment_run *run = all->runs; run < all->runs + all->n_runs; run++) {
        const int64_t blocks = run->blocks;
        const vel_two *segment = cell + run->first * voices;
        for (int64_t i = 0; i < run->rows; i++, id++, near += blocks * VEL_SEGMENT_BLOCK) {
            if (wanted && !wanted[*id]) continue;
            fetch_ahead(near);
            vel_two s;
            if (voices == 1)
                sum_row(segment, near, blocks, &s);
            else
                sum_row_of_one(segment, near, blocks, &s);
            out[*id] = run->adds ? out[*id] + s : s;
        }
    }
}

/* The cells of a segment, ahead of the sums that read them in any order. */
static void fetch_cells(const vel_segments *all, int64_t first, const vel_two *segment) {
    enum { LINE = 64 / sizeof *segment };
    const int64_t end = (vel_segments_nothing(all, first) + 1 - first) * VEL_VOICES;
    for (int64_t k = 0; k < end; k += LINE) __builtin_prefetch(segment + k);
}

static void sum_both(const vel_segments *all, const vel_two *cell, vel_two *const out[VEL_VOICES]) {
    const int32_t *id = all->row;
    const uint16_t *near = all->near;
    for (const vel_segment_run *run = all->runs; run < all->runs + all->n_runs; run++) {
        const int64_t blocks = run->blocks;
        const vel_two *segment = cell + run->first * VEL_VOICES;
        if (run == all->runs || run->first > run[-1].first) fetch_cells(all, run->first, segment);
        for (int64_t i = 0; i < run->rows; i++, id++, near += blocks * VEL_SEGMENT_BLOCK) {
            quad s;
            fetch_ahead(near);
            sum_row_of_both(segment, near, blocks, &s);
            const vel_two part[VEL_VOICES] = {__builtin_shufflevector(s, s, 0, 1), __builtin_shufflevector(s, s, 2, 3)};
            for (int v = 0; v < VEL_VOICES; v++)
                if (out[v]) out[v][*id] = run->adds ? out[v][*id] + part[v] : part[v];
        }
    }
}

/* ---- states */

enum { SOME = 8 }; /* cells at a time */

typedef float some __attribute__((vector_size(4 * SOME), aligned(4), may_alias));
typedef int32_t some_mask __attribute__((vector_size(4 * SOME)));
typedef uint8_t some_states __attribute__((vector_size(SOME)));

#define PICK(m, a, b) ((some)(((some_mask)(a) & (m)) | ((some_mask)(b) & ~(m))))

/* The factor between two sums from which on their order is sure, and how many units of float32 that is. A sum of m
 * terms in eight parts is off by at most m / 8 + 4 units, and one more a segment; an average that is single itself, by
 * m + 1 more. Blocks filled up have VEL_SEGMENT_BLOCK more. */
typedef struct {
    some terms, units, factor;
} margins;

static inline void margin_of(const float *terms, vel_tag tag, float segments, margins *margin) {
    some m = *(const some *)(const void *)terms;
    margin->terms = m;
    m += VEL_SEGMENT_BLOCK;
    margin->units = 0.5f * m + (16 + 2 * segments);
    some units = margin->units;
    if (tag == VEL_SINGLE) units += 2 * m + 16;
    margin->factor = 1 + units * UNIT;
}

/* Sums of the first two rows of some cells: the lesser, the other, which it is. */
typedef struct {
    some low, second;
    some_mask at;
} lesser;

static inline void lesser_of(const vel_two *sum, lesser *l) {
    const some *two = (const some *)(const void *)sum;
    some r0 = __builtin_shufflevector(two[0], two[1], 0, 2, 4, 6, 8, 10, 12, 14),
         r1 = __builtin_shufflevector(two[0], two[1], 1, 3, 5, 7, 9, 11, 13, 15);
    some_mask one = r1 < r0;
    l->low = PICK(one, r1, r0);
    l->second = PICK(one, r0, r1);
    l->at = one & 1;
}

/* The least, -1 if it is not clear. */
static inline void least_of_two(const lesser *l, const margins *margin, some_mask *least) {
    some_mask clear = l->second > l->low * margin->factor + TINY;
    *least = (l->at & clear) | ~clear;
}

/* Units that are lost more in distances to steady states: STATE_UNITS by rows that are single and by what the sums
 * are put together with, of each distance; FAR_UNITS of the distance to the origin, by u / sigma if that is single.
 * With y = (u - a0) / std_u and d of core/steady_sums.h, 2 |d y| <= d^2 + y^2 and (y - d)^2 <= 2 (d^2 + y^2), so that
 * all that is added up is within a few times centre + apart. */
#define STATE_UNITS 64
#define FAR_UNITS 4

/* The same of all four, the first two's lesser known. */
static inline void least_of_all(const lesser *l, const vel_steady_sums *steady, int64_t c, const margins *margin,
                                some_mask *least) {
    const some origin = *(const some *)(const void *)(steady->origin + c);
    const some centre = *(const some *)(const void *)(steady->centre + c), apart = steady->apart * margin->terms;
    const some state = ((centre + apart) + steady->by_u * *(const some *)(const void *)(steady->u + c)) +
                       steady->by_s * *(const some *)(const void *)(steady->s + c);
    const some off = ((margin->units + STATE_UNITS) * (centre + apart) + FAR_UNITS * origin) * UNIT;
    const some factor = margin->factor + STATE_UNITS * UNIT, low_state = state - off, high_state = state + off;
    some_mask rests = origin < l->low;
    some low = PICK(rests, origin, l->low), losing = PICK(rests, l->low, origin);
    some second = PICK(losing < l->second, losing, l->second);
    some_mask at = (2 & rests) | (l->at & ~rests);
    const some enough = low * factor + TINY;
    some_mask clear = (second > enough) & (low_state > enough), risen = low > high_state * factor + TINY;
    *least = (at & clear) | (3 & risen) | ~(clear | risen);
}

static inline void put(const some_mask *least, int64_t n, uint8_t *state) {
    some_states states = __builtin_convertvector(*least, some_states);
    if (n >= SOME)
        memcpy(state, &states, SOME);
    else
        memcpy(state, &states, (size_t)n);
}

static inline void decide_some(const vel_choice *q, int count, const lesser *l, int64_t c, const margins *margin,
                               some_mask *least) {
    if (count == 2)
        least_of_two(l, margin, least);
    else
        least_of_all(l, q->steady, c, margin, least);
}

static void compare(const vel_choice *q, int count, const vel_two *sum, uint8_t *state) {
    const float segments = (float)vel_segments_count(q->n);
    margins margin;
    lesser two;
    some_mask least;
    for (int64_t c = 0; c < q->n; c += SOME) {
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        lesser_of(sum + c, &two);
        decide_some(q, count, &two, c, &margin, &least);
        put(&least, q->n - c, state + c);
    }
}

static void compare_twice(const vel_choice *q, const vel_two *sum, uint8_t *two, uint8_t *all) {
    const float segments = (float)vel_segments_count(q->n);
    margins margin;
    lesser first;
    some_mask least;
    for (int64_t c = 0; c < q->n; c += SOME) {
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        lesser_of(sum + c, &first);
        least_of_two(&first, &margin, &least);
        put(&least, q->n - c, two + c);
        decide_some(q, q->count, &first, c, &margin, &least);
        put(&least, q->n - c, all + c);
    }
}

static void compare_wanted(const vel_choice *q, const vel_two *sum, const uint8_t *wanted, uint8_t *state) {
    const float segments = (float)vel_segments_count(q->n);
    margins margin;
    lesser two;
    some_mask least;
    uint8_t of[SOME];
    for (int64_t c = 0; c < q->n; c += SOME) {
        const int64_t n = q->n - c < SOME ? q->n - c : SOME;
        if (!memchr(wanted + c, 1, (size_t)n)) continue;
        margin_of(q->segments->terms + c, q->tag, segments, &margin);
        lesser_of(sum + c, &two);
        decide_some(q, q->count, &two, c, &margin, &least);
        put(&least, n, of);
        for (int64_t k = 0; k < n; k++) state[c + k] = wanted[c + k] ? of[k] : state[c + k];
    }
}

const vel_decide_bodies DECIDE_BODIES = {interleave, sum, sum_both, compare, compare_twice, compare_wanted};
