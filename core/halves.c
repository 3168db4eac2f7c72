#include "core/halves.h"

#include <string.h>

static inline int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* False if some rest has no room in 32 bits. x and (double)f have one sign, so that the difference has room in 64. */
static inline bool split(const double *x, float *f, int32_t *rest) {
    int64_t beyond = 0;
    for (int i = 0; i < VEL_HALVES_STEP; i++) {
        f[i] = (float)x[i];
        int64_t r = bits_of(x[i]) - bits_of((double)f[i]);
        rest[i] = (int32_t)r;
        beyond |= r ^ rest[i];
    }
    return beyond == 0;
}

static inline void join(const float *f, const int32_t *rest, double *x) {
    for (int i = 0; i < VEL_HALVES_STEP; i++) {
        int64_t bits = bits_of((double)f[i]) + rest[i];
        memcpy(&x[i], &bits, sizeof bits);
    }
}

bool vel_halve(double *x, int64_t n) {
    float values[VEL_HALVES_MOST];
    int32_t rests[VEL_HALVES_MOST];
    for (int64_t i = 0; i < n; i += VEL_HALVES_STEP)
        if (!split(x + i, values + i, rests + i)) return false;
    char *line = vel_line_from((char *)x);
    const size_t before = (size_t)(line - (char *)x), half = (size_t)n * sizeof *values;
    memcpy(x, rests, before);
    memcpy(line, values, half);
    memcpy(line + half, (const char *)rests + before, half - before);
    return true;
}

void vel_unite(double *x, int64_t n) {
    float values[VEL_HALVES_MOST];
    int32_t rests[VEL_HALVES_MOST];
    const char *line = vel_line_from((char *)x);
    const size_t before = (size_t)(line - (char *)x), half = (size_t)n * sizeof *values;
    memcpy(rests, x, before);
    memcpy(values, line, half);
    memcpy((char *)rests + before, line + half, half - before);
    for (int64_t i = 0; i < n; i += VEL_HALVES_STEP) join(values + i, rests + i, x + i);
}
