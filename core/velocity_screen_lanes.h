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
typedef uint32_t four_words __attribute__((vector_size(16)));

enum { HALF = 16, ROUND = 1 << (HALF - VEL_SCREEN_SHIFT - 1) };

/* The bits of four distances as single precision; NaN counts as large. */
static inline four_ints bits_of(four x) {
    const four most = (four){0} + VEL_SCREEN_MOST;
    const four_masks small = x < most;
    const four y = (four)(((four_masks)x & small) | ((four_masks)most & ~small));
    return (four_ints) __builtin_convertvector(y * (1 / VEL_SCREEN_SCALE), four_floats);
}

/* Rounded to 16 bits each, the upper one such that it comes nearest with the lower one behind it. */
static inline four_words words_of(four lower, four upper) {
    const four_ints low = (bits_of(lower) + ROUND) >> (HALF - VEL_SCREEN_SHIFT);
    const four_ints high = (bits_of(upper) - (low >> VEL_SCREEN_SHIFT) + ROUND) >> (HALF - VEL_SCREEN_SHIFT);
    return ((four_words)(high & ~(high >> 31)) << HALF) | (four_words)low;
}

static inline four from(const double *x) { return *(const four *)(const void *)x; }

/* Kept in so few bits, a product with 1 / deviation is as good as the quotient. */
static inline four distance_to(double u, double s, four at_u, four at_s, double per_u, double per_s) {
    const four du = (at_u - u) * per_u, ds = (at_s - s) * per_s;
    return du * du + ds * ds;
}

static void keep(int64_t n, const vel_screen_cells *x, const int32_t *place, int g, vel_screen_line *lines) {
    const double per_u = 1 / x->std_u, per_s = 1 / x->std_s;
    for (int64_t i = 0; i < n; i += 4) {
        const four u = from(x->u + i), s = from(x->s + i);
        const four_words a = words_of(from(x->off + i), from(x->on + i)),
                         b = words_of(distance_to(0, 0, u, s, per_u, per_s),
                                      distance_to(x->u_inf, x->s_inf, u, s, per_u, per_s));
        for (int k = 0; k < 4 && i + k < n; k++) {
            lines[place[i + k]].words[0][g] = a[k];
            lines[place[i + k]].words[1][g] = b[k];
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
#define FROM_THIRD(row) __builtin_prefetch(half + (row)[e + ahead], 0, 2)
#define AT_HAND(row) (void)ahead

/* Defines a function: sums over two rows of one length. */
#define ROWS(name, index, fetch)                                                                                  \
    static inline void name(const words *half, const index *one, const index *two, int64_t length, int64_t ahead, \
                            lanes out[2][4]) {                                                                    \
        const lanes none = {0};                                                                                   \
        lanes a[4] = {none, none, none, none}, b[4] = {none, none, none, none};                                   \
        for (int64_t e = 0; e < length; e++) {                                                                    \
            fetch(one);                                                                                           \
            ADD(a, one[e]);                                                                                       \
            fetch(two);                                                                                           \
            ADD(b, two[e]);                                                                                       \
        }                                                                                                         \
        out[0][0] = a[0], out[0][1] = a[1], out[0][2] = a[2], out[0][3] = a[3];                                   \
        out[1][0] = b[0], out[1][1] = b[1], out[1][2] = b[2], out[1][3] = b[3];                                   \
    }

ROWS(rows16, uint16_t, AT_HAND)
ROWS(rows32, int32_t, FROM_THIRD)

/* ---- states */

static inline lanes all(float x) { return (lanes){0} + x; }
static inline lanes pick(masks m, lanes a, lanes b) { return (lanes)(((masks)a & m) | ((masks)b & ~m)); }
static inline masks choose(masks m, int32_t a, masks b) { return ((((masks){0}) + a) & m) | (b & ~m); }
static inline lanes least(lanes a, lanes b) { return pick(a < b, a, b); }
static inline lanes most(lanes a, lanes b) { return pick(a < b, b, a); }

/* The likeliest states by sums of as many terms. A sum of numbers of a precision of 2^-11 has it too; its own rounding
 * is less than 2^-24 a term, and what small numbers lack is less than 2^-48 a term. The least sum has no term that
 * was cut off if it is well below the largest number. */
static inline masks states_of(const lanes scaled[4], float terms, const vel_screen_limits *limits) {
    const float slack = 0x1.08p-11F + terms * 0x1p-22F, tiny = terms * 0x1p-44F;
    const float scale = (float)VEL_SCREEN_SCALE;
    const lanes sum[4] = {scaled[0] * scale, scaled[1] * scale, scaled[2] * scale, scaled[3] * scale};
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
        for (int64_t i = 0; i < run->rows; i += 2) {
            const int some = run->rows - i < 2 ? 1 : 2;
            const int64_t ahead = run->rows - i < 4 ? 0 : 2 * length; /* the next rows, if they are of this run */
            const int64_t one = at + i * length, two = one + (some - 1) * length;
            lanes sum[2][4];
            if (nb->near16)
                rows16(half, nb->near16 + one, nb->near16 + two, length, ahead, sum);
            else
                rows32(half, nb->near32 + one, nb->near32 + two, length, ahead, sum);
            for (int k = 0; k < some; k++) {
                const int64_t c = cell[i + k];
                const masks kind = states_of(sum[k], 1 / nb->weight[c], limits);
                *(bytes *)(void *)(kinds + LANES * c) = NARROW(kind);
                count -= kind == VEL_UNSURE;
            }
        }
        cell += run->rows;
        at += run->rows * length;
    }
    for (int g = 0; g < LANES; g++) unsure[g] = count[g];
}

const vel_screen_loops SCREEN_LOOPS = {keep, screen};
