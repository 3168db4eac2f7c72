/* random.h - a fixed stream of random numbers for tests (xorshift64*). */
#ifndef VEL_TESTS_RANDOM_H
#define VEL_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t random_bits(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Uniform in [low, high). */
static inline double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

/* Any double, subnormals, infinities and NaN among them. */
static inline double random_double(uint64_t *state) {
    uint64_t u = random_bits(state);
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline float random_float(uint64_t *state) {
    uint32_t u = (uint32_t)(random_bits(state) >> 32);
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Equal bits; any two NaN are the same. */
static inline int same_double(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }
static inline int same_float(float a, float b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

#endif
