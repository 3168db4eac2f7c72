/* turn_bodies.h - squares of vel_turn for one width of vectors; all move the same bits. */
#ifndef VEL_CORE_TURN_BODIES_H
#define VEL_CORE_TURN_BODIES_H

#include "core/turn.h"

/* The transpose of a square that stays in the first cache; arguments as vel_turn's. */
typedef void vel_turn_square(int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to,
                             int64_t to_stride);

/* Elements of 4 bytes by pieces of 4 x 4 and 8 x 8, of 8 bytes by pieces of 2 x 2 and 4 x 4. */
vel_turn_square vel_turn_4, vel_turn_8, vel_turn_4_avx2, vel_turn_8_avx2;

/* Elements from row I and column J on, one by one. */
#define VEL_TURN_REST(TYPE, I, J)            \
    for (int64_t j = (J); j < cols; j++)     \
        for (int64_t i = (I); i < rows; i++) \
            ((TYPE *)to)[j * to_stride + i] = ((const TYPE *)from)[i * from_stride + j];

/* A square by pieces of N by N, and what is left one by one. */
#define VEL_TURN_SQUARE(NAME, TYPE, N, PIECE)                                                                   \
    void NAME(int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to, int64_t to_stride) { \
        const TYPE *in = from;                                                                                  \
        TYPE *out = to;                                                                                         \
        int64_t whole_rows = rows / N * N, whole_cols = cols / N * N;                                           \
        for (int64_t j = 0; j < whole_cols; j += N)                                                             \
            for (int64_t i = 0; i < whole_rows; i += N)                                                         \
                PIECE(in + i * from_stride + j, from_stride, out + j * to_stride + i, to_stride);               \
        VEL_TURN_REST(TYPE, 0, whole_cols)                                                                      \
        cols = whole_cols;                                                                                      \
        VEL_TURN_REST(TYPE, whole_rows, 0)                                                                      \
    }

#endif
