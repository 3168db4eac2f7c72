#include "core/cpu.h"
#include "core/least.h"
#include "core/turn_bodies.h"

/* Pieces of 16 bytes, which every x86-64 has. */
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

VEL_TURN_SQUARE(vel_turn_4, uint32_t, 4, turn_4_by_4)
VEL_TURN_SQUARE(vel_turn_8, uint64_t, 2, turn_2_by_2)

static void turn_1(int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to, int64_t to_stride) {
    VEL_TURN_REST(uint8_t, 0, 0)
}

static void turn_2(int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to, int64_t to_stride) {
    VEL_TURN_REST(uint16_t, 0, 0)
}

static vel_turn_square *square_for(size_t size) {
    if (size < 4) return size == 1 ? turn_1 : turn_2;
    if (vel_cpu_level() == VEL_CPU_PLAIN) return size == 4 ? vel_turn_4 : vel_turn_8;
    return size == 4 ? vel_turn_4_avx2 : vel_turn_8_avx2;
}

void vel_turn(size_t size, int64_t rows, int64_t cols, const void *from, int64_t from_stride, void *to,
              int64_t to_stride) {
    enum { SIDE_BYTES = 256 };
    const int64_t side = SIDE_BYTES / (int64_t)size;
    vel_turn_square *square = square_for(size);
    for (int64_t j = 0; j < cols; j += side)
        for (int64_t i = 0; i < rows; i += side) {
            int64_t n = vel_least(rows - i, side), m = vel_least(cols - j, side);
            square(n, m, (const char *)from + (size_t)(i * from_stride + j) * size, from_stride,
                   (char *)to + (size_t)(j * to_stride + i) * size, to_stride);
        }
}
