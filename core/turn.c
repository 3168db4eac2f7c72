#include "core/turn.h"

/* A square of side SIDE is turned by pieces of a vector's width: 16 bytes, which every x86-64 has. */
enum { SIDE = 32 };

typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint64_t two __attribute__((vector_size(16), aligned(8), may_alias));

static void turn_4_by_4(const uint32_t *from, int64_t from_stride, uint32_t *to, int64_t to_stride) {
    four a = *(const four *)from, b = *(const four *)(from + from_stride);
    four c = *(const four *)(from + 2 * from_stride), d = *(const four *)(from + 3 * from_stride);
    four ac = __builtin_shufflevector(a, c, 0, 4, 1, 5), bd = __builtin_shufflevector(b, d, 0, 4, 1, 5);
    four ac2 = __builtin_shufflevector(a, c, 2, 6, 3, 7), bd2 = __builtin_shufflevector(b, d, 2, 6, 3, 7);
    *(four *)to = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);
    *(four *)(to + to_stride) = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);
    *(four *)(to + 2 * to_stride) = __builtin_shufflevector(ac2, bd2, 0, 4, 1, 5);
    *(four *)(to + 3 * to_stride) = __builtin_shufflevector(ac2, bd2, 2, 6, 3, 7);
}

static void turn_2_by_2(const uint64_t *from, int64_t from_stride, uint64_t *to, int64_t to_stride) {
    two a = *(const two *)from, b = *(const two *)(from + from_stride);
    *(two *)to = __builtin_shufflevector(a, b, 0, 2);
    *(two *)(to + to_stride) = __builtin_shufflevector(a, b, 1, 3);
}

/* Elements of a square from row I and column J on, one by one. */
#define REST(TYPE, I, J)                     \
    for (int64_t j = (J); j < cols; j++)     \
        for (int64_t i = (I); i < rows; i++) \
            ((TYPE *)to)[j * to_stride + i] = ((const TYPE *)from)[i * from_stride + j];

/* A square by pieces of N by N. */
#define SQUARE(NAME, TYPE, N, PIECE)                                                                                   \
    static void NAME(int64_t rows, int64_t cols, const TYPE *from, int64_t from_stride, TYPE *to, int64_t to_stride) { \
        int64_t whole_rows = rows / N * N, whole_cols = cols / N * N;                                                  \
        for (int64_t j = 0; j < whole_cols; j += N)                                                                    \
            for (int64_t i = 0; i < whole_rows; i += N)                                                                \
                PIECE(from + i * from_stride + j, from_stride, to + j * to_stride + i, to_stride);                     \
        REST(TYPE, 0, whole_cols)                                                                                      \
        cols = whole_cols;                                                                                             \
        REST(TYPE, whole_rows, 0)                                                                                      \
    }
SQUARE(square_4, uint32_t, 4, turn_4_by_4)
SQUARE(square_8, uint64_t, 2, turn_2_by_2)

static void square_small(size_t size, int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to,
                         int64_t to_stride) {
    if (size == 1) {
        REST(uint8_t, 0, 0)
    } else {
        REST(uint16_t, 0, 0)
    }
}

void vel_turn(size_t size, int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to,
              int64_t to_stride) {
    for (int64_t j = 0; j < cols; j += SIDE)
        for (int64_t i = 0; i < rows; i += SIDE) {
            int64_t n = rows - i < SIDE ? rows - i : SIDE, m = cols - j < SIDE ? cols - j : SIDE;
            const void *a = (const char *)from + (size_t)(i * from_stride + j) * size;
            void *b = (char *)to + (size_t)(j * to_stride + i) * size;
            if (size == 8)
                square_8(n, m, a, from_stride, b, to_stride);
            else if (size == 4)
                square_4(n, m, a, from_stride, b, to_stride);
            else
                square_small(size, n, m, a, from_stride, b, to_stride);
        }
}
