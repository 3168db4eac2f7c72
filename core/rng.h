/* rng.h - the Mersenne Twister, seeded as NumPy's legacy RandomState and as Python's random do it.
 *
 * Source: Matsumoto & Nishimura 1998, doi:10.1145/272991.272995 (MT19937). Reference: numpy 2.2.6 RandomState, CPython
 * random. A stream belongs to one thread: the order of draws is part of the result. */
#ifndef VEL_CORE_RNG_H
#define VEL_CORE_RNG_H

#include <stdbool.h>
#include <stdint.h>

enum { VEL_MT_WORDS = 624 };

typedef struct {
    uint32_t state[VEL_MT_WORDS];
    int next;       /* word of state that is given next */
    bool has_gauss; /* the polar method makes two at a time: */
    double gauss;   /* the one kept for the next call */
} vel_rng;

/* numpy.random.seed(seed) and RandomState(seed). */
void vel_rng_seed_numpy(vel_rng *r, uint32_t seed);
/* random.seed(seed), for seed >= 0. */
void vel_rng_seed_python(vel_rng *r, uint64_t seed);

/* The next 32 bits. */
uint32_t vel_rng_bits(vel_rng *r);

/* Uniform on [0, 1), 53 bits from two words. */
double vel_rng_uniform(vel_rng *r);

/* Standard normal by the polar method of Marsaglia, as RandomState draws it. */
double vel_rng_gauss(vel_rng *r);

/* Uniform on 0 .. most by masking and rejection, as RandomState.shuffle and choice draw it. */
uint32_t vel_rng_upto(vel_rng *r, uint32_t most);

#endif
