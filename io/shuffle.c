#include "io/shuffle.h"

#include <stdint.h>
#include <string.h>

enum { WIDE = 16, MOST_SIZE = 8 };

typedef uint8_t wide __attribute__((vector_size(WIDE), aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* The bytes of two vectors in turn; those at even and at odd places. */
#define FIRST_HALVES(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define SECOND_HALVES(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

/* Sixteen elements of `size` bytes: what lies in `size` vectors is dealt out in log2(size) rounds. */
INLINE void deal(wide *v, size_t size) {
    wide w[MOST_SIZE];
#pragma GCC unroll 4
    for (size_t round = 1; round < size; round *= 2) {
#pragma GCC unroll 4
        for (size_t i = 0; i < size / 2; i++) {
            w[i] = EVEN(v[2 * i], v[2 * i + 1]);
            w[i + size / 2] = ODD(v[2 * i], v[2 * i + 1]);
        }
        memcpy(v, w, size * sizeof *v);
    }
}

/* The same backwards. */
INLINE void gather(wide *v, size_t size) {
    wide w[MOST_SIZE];
#pragma GCC unroll 4
    for (size_t round = 1; round < size; round *= 2) {
#pragma GCC unroll 4
        for (size_t i = 0; i < size / 2; i++) {
            w[2 * i] = FIRST_HALVES(v[i], v[i + size / 2]);
            w[2 * i + 1] = SECOND_HALVES(v[i], v[i + size / 2]);
        }
        memcpy(v, w, size * sizeof *v);
    }
}

/* Returns how many elements are done: all but the last few. */
INLINE size_t shuffle_most(const char *elements, char *shuffled, size_t n, size_t size) {
    size_t i = 0;
    for (; i + WIDE <= n; i += WIDE) {
        wide v[MOST_SIZE];
        memcpy(v, elements + i * size, size * WIDE);
        deal(v, size);
#pragma GCC unroll 8
        for (size_t b = 0; b < size; b++) memcpy(shuffled + b * n + i, &v[b], WIDE);
    }
    return i;
}

INLINE size_t unshuffle_most(const char *shuffled, char *elements, size_t n, size_t size) {
    size_t i = 0;
    for (; i + WIDE <= n; i += WIDE) {
        wide v[MOST_SIZE];
#pragma GCC unroll 8
        for (size_t b = 0; b < size; b++) memcpy(&v[b], shuffled + b * n + i, WIDE);
        gather(v, size);
        memcpy(elements + i * size, v, size * WIDE);
    }
    return i;
}

void vel_shuffle(const char *elements, char *shuffled, size_t n, size_t size) {
    size_t done = size == 2   ? shuffle_most(elements, shuffled, n, 2)
                  : size == 4 ? shuffle_most(elements, shuffled, n, 4)
                  : size == 8 ? shuffle_most(elements, shuffled, n, 8)
                              : 0;
    for (size_t b = 0; b < size; b++)
        for (size_t i = done; i < n; i++) shuffled[b * n + i] = elements[i * size + b];
}

void vel_unshuffle(const char *shuffled, char *elements, size_t n, size_t size) {
    size_t done = size == 2   ? unshuffle_most(shuffled, elements, n, 2)
                  : size == 4 ? unshuffle_most(shuffled, elements, n, 4)
                  : size == 8 ? unshuffle_most(shuffled, elements, n, 8)
                              : 0;
    for (size_t b = 0; b < size; b++)
        for (size_t i = done; i < n; i++) elements[i * size + b] = shuffled[b * n + i];
}
