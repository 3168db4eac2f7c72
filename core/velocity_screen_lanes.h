/* velocity_screen_lanes.h - the text of the loops for any instruction set: vectors of eight genes. */
#include <string.h>

#include "core/dynamical_velocity_bodies.h"
#include "core/passes.h"
#include "core/velocity_screen_bodies.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* no vector leaves this file */

/* ---- cells */

typedef double four __attribute__((vector_size(32), may_alias, aligned(8)));
typedef int64_t four_masks __attribute__((vector_size(32)));
typedef float four_floats __attribute__((vector_size(16)));
typedef int32_t four_ints __attribute__((vector_size(16)));

enum { HALF = 16, ROUND = 1 << (HALF - VEL_SCREEN_SHIFT - 1) };

/* The bits of four distances as single precision; NaN counts as large. */
static inline four_ints bits_of(const double *row) {
    const four x = *(const four *)(const void *)row, most = (four){0} + VEL_SCREEN_MOST;
    const four_masks small = x < most;
    const four y = (four)(((four_masks)x & small) | ((four_masks)most & ~small));
    return (four_ints) __builtin_convertvector(y * (1 / VEL_SCREEN_SCALE), four_floats);
}

/* Rounded to 16 bits each, the upper one such that it comes nearest with the lower one behind it. */
static inline four_ints words_of(const double *lower, const double *upper) {
    const four_ints low = (bits_of(lower) + ROUND) >> (HALF - VEL_SCREEN_SHIFT);
    const four_ints high = (bits_of(upper) - (low >> VEL_SCREEN_SHIFT) + ROUND) >> (HALF - VEL_SCREEN_SHIFT);
    return ((high & ~(high >> 31)) << HALF) | low;
}

static void keep(int64_t n, const double *const row[4], const int32_t *place, int g, vel_screen_line *lines) {
    for (int64_t i = 0; i < n; i += 4) {
        const four_ints a = words_of(row[VEL_OFF] + i, row[VEL_ON] + i),
                        b = words_of(row[VEL_STEADY_OFF] + i, row[VEL_STEADY_ON] + i);
        for (int k = 0; k < 4 && i + k < n; k++) {
            lines[place[i + k]].words[0][g] = (uint32_t)a[k];
            lines[place[i + k]].words[1][g] = (uint32_t)b[k];
        }
    }
}

/* ---- sums */

enum { LANES = VEL_SCREEN_GENES };
typedef float lanes __attribute__((vector_size(4 * LANES), may_alias));
typedef int32_t masks __attribute__((vector_size(4 * LANES), may_alias));
typedef uint32_t words __attribute__((vector_size(4 * LANES), may_alias));
typedef uint8_t all_bytes __attribute__((vector_size(4 * LANES), may_alias));
typedef uint8_t bytes __attribute__((vector_size(LANES), may_alias, aligned(1)));

/* What the lower half is of its word, once it is where the upper one will be. */
#define LOWER (UINT32_MAX >> HALF << (HALF - VEL_SCREEN_SHIFT))

#define NARROW(x) __builtin_shufflevector((all_bytes)(x), (all_bytes)(x), 0, 4, 8, 12, 16, 20, 24, 28)

/* Adds the line of a neighbour; its number counts half lines. */
#define ADD(sum, number)                                                          \
    do {                                                                          \
        const words *at = half + (number), x = at[0], y = at[1];                  \
        sum[VEL_OFF] += (lanes)((x << (HALF - VEL_SCREEN_SHIFT)) & LOWER);        \
        sum[VEL_ON] += (lanes)(x >> VEL_SCREEN_SHIFT);                            \
        sum[VEL_STEADY_OFF] += (lanes)((y << (HALF - VEL_SCREEN_SHIFT)) & LOWER); \
        sum[VEL_STEADY_ON] += (lanes)(y >> VEL_SCREEN_SHIFT);                     \
    } while (0)

/* So many cells as need wide numbers are more than the second cache holds: what the entries `ahead` will read comes
 * into it meanwhile. */
#define FROM_THIRD __builtin_prefetch(half + near[e + ahead], 0, 2)
#define AT_HAND (void)ahead

/* Defines a function: sums over a row, of which every other entry has its own. */
#define ROW(name, index, fetch)                                                                                  \
    static inline void name(const words *half, const index *near, int64_t length, int64_t ahead, lanes out[4]) { \
        const lanes none = {0};                                                                                  \
        lanes even[4] = {none, none, none, none}, odd[4] = {none, none, none, none};                             \
        for (int64_t e = 0; e < length; e++) {                                                                   \
            fetch;                                                                                               \
            ADD(even, near[e]);                                                                                  \
            e++;                                                                                                 \
            fetch;                                                                                               \
            ADD(odd, near[e]);                                                                                   \
        }                                                                                                        \
        out[0] = (even[0] + odd[0]) * (float)VEL_SCREEN_SCALE;                                                   \
        out[1] = (even[1] + odd[1]) * (float)VEL_SCREEN_SCALE;                                                   \
        out[2] = (even[2] + odd[2]) * (float)VEL_SCREEN_SCALE;                                                   \
        out[3] = (even[3] + odd[3]) * (float)VEL_SCREEN_SCALE;                                                   \
    }

ROW(row16, uint16_t, AT_HAND)
ROW(row32, int32_t, FROM_THIRD)

/* ---- states */

static inline lanes all(float x) { return (lanes){0} + x; }
static inline lanes pick(masks m, lanes a, lanes b) { return (lanes)(((masks)a & m) | ((masks)b & ~m)); }
static inline masks choose(masks m, int32_t a, masks b) { return ((((masks){0}) + a) & m) | (b & ~m); }
static inline lanes least(lanes a, lanes b) { return pick(a < b, a, b); }
static inline lanes most(lanes a, lanes b) { return pick(a < b, b, a); }

/* The likeliest states by sums of as many terms. A sum of numbers of a precision of 2^-11 has it too; its own rounding
 * is less than 2^-24 a term, and what small numbers lack is less than 2^-48 a term. The least sum has no term that
 * was cut off if it is well below the largest number. */
static inline masks states_of(const lanes sum[4], float terms, const vel_screen_limits *limits) {
    const float slack = 0x1.08p-11F + terms * 0x1p-22F, tiny = terms * 0x1p-44F;
    const lanes surely = *(const lanes *)(const void *)limits->surely * terms + tiny;
    const lanes limit = *(const lanes *)(const void *)limits->limit * terms;
    const lanes start = least(sum[VEL_ON], sum[VEL_STEADY_OFF]), other = most(sum[VEL_ON], sum[VEL_STEADY_OFF]);
    const lanes lower = least(sum[VEL_OFF], start), upper = most(sum[VEL_OFF], start);
    const lanes first = least(lower, sum[VEL_STEADY_ON]), second = least(upper, most(lower, sum[VEL_STEADY_ON]));
    const lanes high = first * (1 + slack) + surely, low = first * (1 - slack) - surely;
    const masks none = low > limit * 1.00001F;
    const masks one = (second * (1 - slack) > high) & (high < limit * 0.99999F) & (first < 0x1p22F);
    masks kind = (masks){0} + VEL_TIED;
    const masks apart = other * (1 - slack) > start * (1 + slack) + surely;
    kind = choose(apart, VEL_ON, kind);
    kind = choose(apart & (sum[VEL_STEADY_OFF] < sum[VEL_ON]), VEL_STEADY_OFF, kind);
    kind = choose(sum[VEL_OFF] < start, VEL_OFF, kind);
    kind = choose(sum[VEL_STEADY_ON] < lower, VEL_STEADY_ON, kind);
    return choose(none, VEL_NO_STATE, choose(~one, VEL_UNSURE, kind));
}

static void screen(const vel_nearby *nb, const vel_screen_line *lines, const vel_screen_limits *limits, uint8_t *kinds,
                   int64_t unsure[VEL_SCREEN_GENES]) {
    const words *half = (const words *)(const void *)lines;
    const int32_t *cell = nb->cell;
    masks count = {0};
    int64_t at = 0;
    for (const vel_nearby_run *run = nb->runs; run < nb->runs + nb->n_runs; run++) {
        const int64_t length = run->blocks * VEL_NEARBY_BLOCK;
        for (int64_t i = 0; i < run->rows; i++, cell++, at += length) {
            const int64_t ahead = run->rows - i < 3 ? 0 : 2 * length; /* rows of this run */
            lanes sum[4];
            if (nb->near16)
                row16(half, nb->near16 + at, length, ahead, sum);
            else
                row32(half, nb->near32 + at, length, ahead, sum);
            const masks kind = states_of(sum, 1 / nb->weight[*cell], limits);
            *(bytes *)(void *)(kinds + (int64_t)LANES * *cell) = NARROW(kind);
            count -= kind == VEL_UNSURE;
        }
    }
    for (int g = 0; g < LANES; g++) unsure[g] = count[g];
}

const vel_screen_loops SCREEN_LOOPS = {keep, screen};
