/* panel_lanes.h - the text of core/panel.h for vectors of four doubles, of which the compiler may make two of two. The
 * file that includes it defines load_f32 and load_f64, which read four, and the names of the two bodies. */
#include "core/panel.h"

enum { ROWS = VEL_PANEL_ROWS, COLS = VEL_PANEL_COLS, PARTS = COLS / 4, AHEAD = 64, LINE = 64 };

#define STORE(to, x) (*(quad *)(void *)(to) = (x))

/* sum[r] += (a_r0 + a_r1) + (a_r2 + a_r3) of four rows. */
static inline void put_sums(const quad *a, double *sum) {
    quad low = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6) + __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    quad high = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6) + __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    quad both = __builtin_shufflevector(low, high, 0, 1, 4, 5) + __builtin_shufflevector(low, high, 2, 3, 6, 7);
    STORE(sum, load_f64(sum) + both);
}

#define FETCH(x) \
    for (int j = 0; j < COLS; j += LINE / (int)sizeof *(x)) __builtin_prefetch((x) + AHEAD + j)

#define BODIES(real, suffix)                                                                              \
    static inline void add_##suffix(const vel_panel *p, const double *by, double *y) {                    \
        quad s[PARTS];                                                                                    \
        _Pragma("GCC unroll 8") for (int h = 0; h < PARTS; h++) s[h] = load_f64(y + 4 * h);               \
        for (int r = 0; r < ROWS; r++) {                                                                  \
            const real *x = (const real *)p->row[r] + p->first;                                           \
            quad b = {by[r], by[r], by[r], by[r]};                                                        \
            FETCH(x);                                                                                     \
            _Pragma("GCC unroll 8") for (int h = 0; h < PARTS; h++) s[h] += load_##suffix(x + 4 * h) * b; \
        }                                                                                                 \
        _Pragma("GCC unroll 8") for (int h = 0; h < PARTS; h++) STORE(y + 4 * h, s[h]);                   \
    }                                                                                                     \
    static inline void dot_##suffix(const vel_panel *p, const double *y, double *sum) {                   \
        for (int r = 0; r < ROWS; r += 4) {                                                               \
            quad s[4];                                                                                    \
            const real *x[4];                                                                             \
            _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {                                         \
                s[i] = (quad){0};                                                                         \
                x[i] = (const real *)p->row[r + i] + p->first;                                            \
                FETCH(x[i]);                                                                              \
            }                                                                                             \
            _Pragma("GCC unroll 2") for (int j = 0; j < COLS; j += 4) {                                   \
                quad by = load_f64(y + j);                                                                \
                _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) s[i] += load_##suffix(x[i] + j) * by; \
            }                                                                                             \
            put_sums(s, sum + r);                                                                         \
        }                                                                                                 \
    }
BODIES(float, f32)
BODIES(double, f64)

void PANEL_ADD(const vel_panel *p, const double *by, double *y) {
    if (p->type == VEL_F32)
        add_f32(p, by, y);
    else
        add_f64(p, by, y);
}

void PANEL_DOT(const vel_panel *p, const double *y, double *sum) {
    if (p->type == VEL_F32)
        dot_f32(p, y, sum);
    else
        dot_f64(p, y, sum);
}
