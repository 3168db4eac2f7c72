#include "core/rng.h"

#include <math.h>

#include "core/fmath.h"

enum { SHIFT = 397 };

static void seed_word(vel_rng *r, uint32_t seed) {
    r->state[0] = seed;
    for (uint32_t i = 1; i < VEL_MT_WORDS; i++) {
        uint32_t last = r->state[i - 1];
        r->state[i] = 1812433253u * (last ^ (last >> 30)) + i;
    }
    r->next = VEL_MT_WORDS;
    r->has_gauss = false;
    r->gauss = 0;
}

void vel_rng_seed_numpy(vel_rng *r, uint32_t seed) { seed_word(r, seed); }

/* The word after i, wrapping as init_by_array does: the last word is copied to the front. */
static int wrapped(vel_rng *r, int i) {
    if (++i < VEL_MT_WORDS) return i;
    r->state[0] = r->state[VEL_MT_WORDS - 1];
    return 1;
}

void vel_rng_seed_python(vel_rng *r, uint64_t seed) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t words = key[1] ? 2 : 1;
    seed_word(r, 19650218u);
    uint32_t *s = r->state;
    int i = 1;
    for (uint32_t k = 0; k < VEL_MT_WORDS; k++) {
        uint32_t j = k % words;
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1664525u)) + key[j] + j;
        i = wrapped(r, i);
    }
    for (int k = 0; k < VEL_MT_WORDS - 1; k++) {
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1566083941u)) - (uint32_t)i;
        i = wrapped(r, i);
    }
    s[0] = 0x80000000u;
}

static void refill(vel_rng *r) {
    uint32_t *s = r->state;
    for (int k = 0; k < VEL_MT_WORDS; k++) {
        uint32_t y = (s[k] & 0x80000000u) | (s[(k + 1) % VEL_MT_WORDS] & 0x7fffffffu);
        s[k] = s[(k + SHIFT) % VEL_MT_WORDS] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    r->next = 0;
}

uint32_t vel_rng_bits(vel_rng *r) {
    if (r->next == VEL_MT_WORDS) refill(r);
    uint32_t y = r->state[r->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

double vel_rng_uniform(vel_rng *r) {
    uint32_t high = vel_rng_bits(r) >> 5, low = vel_rng_bits(r) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

double vel_rng_gauss(vel_rng *r) {
    if (r->has_gauss) {
        r->has_gauss = false;
        return r->gauss;
    }
    double x, y, square;
    do {
        x = 2.0 * vel_rng_uniform(r) - 1.0;
        y = 2.0 * vel_rng_uniform(r) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    double f = sqrt(-2.0 * vel_log(square) / square);
    r->gauss = f * x;
    r->has_gauss = true;
    return f * y;
}

uint32_t vel_rng_upto(vel_rng *r, uint32_t most) {
    uint32_t mask = most;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    uint32_t x;
    do x = vel_rng_bits(r) & mask;
    while (x > most);
    return x;
}
