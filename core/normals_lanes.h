/* normals_lanes.h - the pairs of core/normals.h on vectors of LANES doubles, compiled once an instruction set.
 *
 * Before including it: LANES, PAIRS (the function's name), the types below, evens, odds (lanes 0, 2, … and 1, 3, … of
 * two vectors), zip_low, zip_high (the other way round), root, and keep(mask, x, y), which puts the lanes of x that are
 * set in mask to y[LANES], in order, and returns how many; the rest of y may be overwritten. x86: the first of two
 * words is the low half. */
#include <string.h>

#include "core/fmath.h"
#include "core/normals_bodies.h"

enum { BLOCK = 256, SHIFT = 397, WORDS = 2 * LANES };

static inline uints load_words(const uint32_t *s) { return *(const uints *)(const void *)s; }
static inline void store_words(uint32_t *s, uints x) { *(uints *)(void *)s = x; }
static inline doubles load(const double *x) { return *(const doubles *)(const void *)x; }
static inline void store(double *y, doubles x) { *(doubles *)(void *)y = x; }

/* ---- words of the Mersenne Twister */

/* Of a word and the next one, or of as many as a vector holds. */
#define TWISTED(a, b) (((((a)&0x80000000u) | ((b)&0x7fffffffu)) >> 1) ^ (-((b)&1u) & 0x9908b0dfu))

/* s[k] for from <= k < to, of s[k], s[k + 1] and the word `ahead` on, which may be a new one already. */
static void twist_some(uint32_t *s, int from, int to, int ahead) {
    int k = from;
    for (; k + WORDS <= to; k += WORDS)
        store_words(s + k, TWISTED(load_words(s + k), load_words(s + k + 1)) ^ load_words(s + k + ahead));
    for (; k < to; k++) s[k] = TWISTED(s[k], s[k + 1]) ^ s[k + ahead];
}

static void twist(vel_rng *r) {
    uint32_t *s = r->state;
    const int turn = VEL_MT_WORDS - SHIFT, last = VEL_MT_WORDS - 1;
    twist_some(s, 0, turn, SHIFT);
    twist_some(s, turn, last, SHIFT - VEL_MT_WORDS);
    s[last] = TWISTED(s[last], s[0]) ^ s[SHIFT - 1];
    r->next = 0;
}

static inline uints tempered(uints y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

/* What n calls of vel_rng_bits give. */
static void draw(vel_rng *r, int n, uint32_t *w) {
    for (const uint32_t *end = w + n; w < end;) {
        if (r->next == VEL_MT_WORDS) twist(r);
        for (; end - w >= WORDS && r->next + WORDS <= VEL_MT_WORDS; r->next += WORDS, w += WORDS)
            store_words(w, tempered(load_words(r->state + r->next)));
        for (int left = VEL_MT_WORDS - r->next; left > 0 && w < end; left--) *w++ = vel_rng_bits(r);
    }
}

/* ---- pairs */

/* 2 u - 1 of uniform numbers u = v / 2^53, where v has 27 bits of a first word and 26 of a second. Without its highest
 * bit h, v is the fraction of a number in [1, 2), from which 2 - h is taken: exact, as it is step by step. */
static inline doubles signed_uniform(const uint32_t *w) {
    const ulongs one = (ulongs)((doubles){0} + 1.0), two = (ulongs)((doubles){0} + 2.0);
    const uint64_t top = UINT64_C(1) << 52, high = top - (UINT64_C(1) << 26);
    ulongs q = (ulongs)load_words(w), v = q << 21;
    return (doubles)((v & high) | (q >> 38) | one) - (doubles)(two - (v & top));
}

/* n attempts; x, y, q of those accepted, in order. Returns how many. */
static int attempt(vel_rng *r, int n, double *x, double *y, double *q) {
    uint32_t w[4 * (BLOCK + LANES)];
    draw(r, 4 * n, w);
    memset(w + 4 * n, 0, sizeof(uint32_t) * 4 * LANES); /* x = y = -1, which is not accepted */
    int k = 0;
    for (int i = 0; i < n; i += LANES) {
        doubles a = signed_uniform(w + 4 * i), b = signed_uniform(w + 4 * i + WORDS);
        doubles xs = evens(a, b), ys = odds(a, b), qs = xs * xs + ys * ys;
        longs inside = (qs < 1.0) & (qs != 0.0);
        keep(inside, xs, x + k);
        keep(inside, ys, y + k);
        k += keep(inside, qs, q + k);
    }
    return k;
}

void PAIRS(vel_rng *r, int64_t pairs, double *z) {
    double x[BLOCK + LANES], y[BLOCK + LANES], q[BLOCK + LANES], f[BLOCK + LANES], rest[2 * LANES];
    while (pairs > 0) {
        int k = attempt(r, pairs < BLOCK ? (int)pairs : BLOCK, x, y, q);
        vel_log_n(k, q, f);
        for (int i = 0; i < k; i += LANES) {
            doubles g = root(-2.0 * load(f + i) / load(q + i)), first = g * load(y + i), second = g * load(x + i);
            double *to = i + LANES <= pairs ? z + 2 * i : rest;
            store(to, zip_low(first, second));
            store(to + LANES, zip_high(first, second));
            if (to == rest) memcpy(z + 2 * i, rest, (size_t)(k - i) * 2 * sizeof *z);
        }
        z += 2 * k;
        pairs -= k;
    }
}
