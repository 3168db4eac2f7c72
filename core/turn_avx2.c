#include "core/turn_bodies.h"

typedef uint32_t eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));

/* Within the halves of two rows: elements 0 and 1 of both, interleaved; elements 2 and 3. */
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
/* The first pairs of two such, the second pairs. */
#define FIRST(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

#define ROW(i) (*(const eight *)(from + (i)*from_stride))
#define COLUMN(j) (*(eight *)(to + (j)*to_stride))

/* Columns j and j + 4 from the upper and the lower four rows. */
#define PUT(j, upper, lower)                                                     \
    COLUMN(j) = __builtin_shufflevector(upper, lower, 0, 1, 2, 3, 8, 9, 10, 11); \
    COLUMN((j) + 4) = __builtin_shufflevector(upper, lower, 4, 5, 6, 7, 12, 13, 14, 15);

static void turn_8_by_8(const uint32_t *from, int64_t from_stride, uint32_t *to, int64_t to_stride) {
    eight a = LOW(ROW(0), ROW(1)), b = LOW(ROW(2), ROW(3)), c = LOW(ROW(4), ROW(5)), d = LOW(ROW(6), ROW(7));
    eight e = HIGH(ROW(0), ROW(1)), f = HIGH(ROW(2), ROW(3)), g = HIGH(ROW(4), ROW(5)), h = HIGH(ROW(6), ROW(7));
    PUT(0, FIRST(a, b), FIRST(c, d))
    PUT(1, SECOND(a, b), SECOND(c, d))
    PUT(2, FIRST(e, f), FIRST(g, h))
    PUT(3, SECOND(e, f), SECOND(g, h))
}

static void turn_4_by_4(const uint64_t *from, int64_t from_stride, uint64_t *to, int64_t to_stride) {
    four a = *(const four *)from, b = *(const four *)(from + from_stride);
    four c = *(const four *)(from + 2 * from_stride), d = *(const four *)(from + 3 * from_stride);
    four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    four ab2 = __builtin_shufflevector(a, b, 1, 5, 3, 7), cd2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(four *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *(four *)(to + to_stride) = __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5);
    *(four *)(to + 2 * to_stride) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *(four *)(to + 3 * to_stride) = __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7);
}

VEL_TURN_SQUARE(vel_turn_4_avx2, uint32_t, 8, turn_8_by_8)
VEL_TURN_SQUARE(vel_turn_8_avx2, uint64_t, 4, turn_4_by_4)
