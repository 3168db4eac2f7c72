/* flushing.h - for tests: the floating-point state that a library built with -ffast-math leaves behind. */
#ifndef VEL_TESTS_FLUSHING_H
#define VEL_TESTS_FLUSHING_H

#include <float.h>
#include <stdbool.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* False: this machine has no such state, and nothing is changed. */
static inline bool flush_subnormals(bool on) {
#if defined(__x86_64__)
    _mm_setcsr(on ? _mm_getcsr() | 0x8040 : _mm_getcsr() & ~0x8040u);
    return true;
#else
    return !on;
#endif
}

/* Half of the least normal number, computed now; 0 if subnormals are flushed. */
static inline double half_of_least(void) {
    volatile double least = DBL_MIN, half = least * 0.5;
    return half;
}

#endif
