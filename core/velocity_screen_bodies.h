/* velocity_screen_bodies.h - the loops of core/velocity_screen.h, one set an instruction set; all give the same bits.
 *
 * A distance is kept in 16 bits: the 6 low bits of a float32's exponent and the 10 high ones of its fraction, of the
 * distance over 2^87, so that 2^-39 to 2^24 have a precision of 2^-11; what is larger is the largest, what is smaller
 * is less exact. Two of them are a word: shifted by VEL_SCREEN_SHIFT the upper one is a float32 that the lower one's
 * bits prolong. It is chosen such that both together come nearest. */
#ifndef VEL_CORE_VELOCITY_SCREEN_BODIES_H
#define VEL_CORE_VELOCITY_SCREEN_BODIES_H

#include "core/nearby.h"

/* 64 bytes a cell: words [0] have OFF and ON in the lower and the upper half, words [1] STEADY_OFF and STEADY_ON. */
enum { VEL_SCREEN_GENES = 8, VEL_SCREEN_SHIFT = 3 };
typedef struct {
    uint32_t words[2][VEL_SCREEN_GENES];
} vel_screen_line;

#define VEL_SCREEN_SCALE 0x1p87
#define VEL_SCREEN_MOST 0x1.ffcp+23 /* the largest distance that is kept as it is */

/* Per gene, for an average that is a sum of distances over as many terms: where it is that of `none` - or -Inf, if the
 * gene's states are not wanted -, and by how much sums must differ more than their own error says. */
typedef struct {
    _Alignas(32) float limit[VEL_SCREEN_GENES], surely[VEL_SCREEN_GENES];
} vel_screen_limits;

/* Beside the states and VEL_NO_STATE: the likeliest is ON or STEADY_OFF, whose sums are near each other; not sure at
 * all (VEL_UNSURE of core/dynamical_velocity_bodies.h). */
enum { VEL_TIED = 254 };

/* Cells of a gene: squared distances to both branches, from which those to the steady states follow, 0, 0 and
 * (u_inf, s_inf), in deviations. There is room up to a multiple of four. */
typedef struct {
    const double *off, *on, *u, *s;
    double u_inf, s_inf, std_u, std_s;
} vel_screen_cells;

typedef struct {
    /* lines[place[i]] gets the distances of cell i in gene g. */
    void (*keep)(int64_t n, const vel_screen_cells *cells, const int32_t *place, int g, vel_screen_line *lines);

    /* The states that are sure, to kinds[8 c + g]; unsure[g]: of how many cells they are not. The last of the n + 1
     * lines, 64-byte aligned, is 0. */
    void (*screen)(const vel_nearby *nearby, const vel_screen_line *lines, const vel_screen_limits *limits,
                   uint8_t *kinds, int64_t unsure[VEL_SCREEN_GENES]);
} vel_screen_loops;

extern const vel_screen_loops vel_screen_loops_plain, vel_screen_loops_avx2;

#endif
