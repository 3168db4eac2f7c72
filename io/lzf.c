#include "io/lzf.h"

#include <stdint.h>
#include <string.h>

/* A run of literals: its length - 1 below 32, then the bytes. A match: its length - 2 in the upper three bits (7: the
 * rest in a byte of its own), then its distance - 1 in thirteen. */
enum { MOST_LITERALS = 32, LEAST_MATCH = 3, MOST_MATCH = 264, MOST_DISTANCE = 1 << 13, LONG = 7 };

typedef struct {
    unsigned char *out;
    size_t n, room;
} writer;

static bool put_literals(writer *w, const unsigned char *from, size_t n) {
    while (n) {
        size_t run = n < MOST_LITERALS ? n : MOST_LITERALS;
        if (w->room - w->n < run + 1) return false;
        w->out[w->n++] = (unsigned char)(run - 1);
        memcpy(w->out + w->n, from, run);
        w->n += run;
        from += run;
        n -= run;
    }
    return true;
}

static bool put_match(writer *w, size_t length, size_t distance) {
    size_t code = length - 2, far = distance - 1;
    if (w->room - w->n < (code < LONG ? 2 : 3)) return false;
    w->out[w->n++] = (unsigned char)((code < LONG ? code : LONG) << 5 | far >> 8);
    if (code >= LONG) w->out[w->n++] = (unsigned char)(code - LONG);
    w->out[w->n++] = (unsigned char)far;
    return true;
}

static unsigned place_of(const unsigned char *p) {
    unsigned three = (unsigned)p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16;
    return three * 2654435761u >> 18; /* Knuth's multiplicative hash, 14 bits of it */
}

static size_t match_length(const unsigned char *a, const unsigned char *b, size_t most) {
    size_t n = 0;
    while (n < most && a[n] == b[n]) n++;
    return n;
}

size_t vel_lzf_compress(const unsigned char *in, size_t n, unsigned char *out, size_t room, unsigned *table) {
    writer w = {out, 0, room};
    size_t literal = 0, i = 0; /* where the open run of literals begins */
    memset(table, 0, VEL_LZF_TABLE * sizeof *table);
    while (i + LEAST_MATCH <= n) {
        unsigned *place = &table[place_of(in + i)];
        size_t before = *place, most = n - i < MOST_MATCH ? n - i : MOST_MATCH; /* before: one more, 0: none */
        *place = (unsigned)i + 1;
        size_t length = before && i + 1 - before <= MOST_DISTANCE ? match_length(in + before - 1, in + i, most) : 0;
        if (length < LEAST_MATCH) {
            i++;
            continue;
        }
        if (!put_literals(&w, in + literal, i - literal) || !put_match(&w, length, i + 1 - before)) return 0;
        i += length;
        literal = i;
    }
    return put_literals(&w, in + literal, n - literal) ? w.n : 0;
}

/* ---- and back */

#define INLINE static inline __attribute__((always_inline))

enum { WIDE = 16 };

typedef struct {
    const unsigned char *in, *in_end;
    unsigned char *begin, *out, *out_end;
} expander;

/* A run of literals; most are short, so that two wide moves do, if there is room for what they move too much. */
INLINE bool take_literals(expander *x, size_t n) {
    size_t left = (size_t)(x->in_end - x->in), room = (size_t)(x->out_end - x->out);
    if (n > left || n > room) return false;
    if (left >= MOST_LITERALS && room >= MOST_LITERALS) {
        memcpy(x->out, x->in, WIDE);
        if (n > WIDE) memcpy(x->out + WIDE, x->in + WIDE, MOST_LITERALS - WIDE);
    } else {
        memcpy(x->out, x->in, n);
    }
    x->in += n;
    x->out += n;
    return true;
}

/* n bytes from before `to`, and up to WIDE - 1 more; in steps no longer than the distance. Most matches are a number or
 * two, next to each other or far away: two steps that suit them all spare the processor a guess. */
INLINE void move(unsigned char *to, size_t distance, size_t n) {
    enum { QUARTER = WIDE / 4, HALF = WIDE / 2 };
    const unsigned char *from = to - distance;
    if (distance >= QUARTER && n <= HALF) {
        memcpy(to, from, QUARTER);
        memcpy(to + QUARTER, from + QUARTER, QUARTER);
    } else if (distance >= WIDE) {
        for (size_t i = 0; i < n; i += WIDE) memcpy(to + i, from + i, WIDE);
    } else if (distance == 1) {
        memset(to, *from, n);
    } else if (distance >= QUARTER) {
        for (size_t i = 0; i < n; i += QUARTER) memcpy(to + i, from + i, QUARTER);
    } else {
        for (size_t i = 0; i < n; i++) to[i] = from[i];
    }
}

INLINE bool take_match(expander *x, size_t code) {
    size_t n = code >> 5, distance = (code & 31) << 8;
    if (x->in_end - x->in < (n == LONG ? 2 : 1)) return false;
    if (n == LONG) n += *x->in++;
    distance += (size_t)*x->in++ + 1;
    n += 2;
    size_t room = (size_t)(x->out_end - x->out);
    if (n > room || distance > (size_t)(x->out - x->begin)) return false;
    if (n + WIDE <= room)
        move(x->out, distance, n);
    else
        for (size_t i = 0; i < n; i++) x->out[i] = x->out[(ptrdiff_t)i - (ptrdiff_t)distance];
    x->out += n;
    return true;
}

bool vel_lzf_expand(const unsigned char *in, size_t n, unsigned char *out, size_t size) {
    expander x = {in, in + n, out, out, out + size};
    while (x.in < x.in_end) {
        size_t code = *x.in++;
        if (!(code < MOST_LITERALS ? take_literals(&x, code + 1) : take_match(&x, code))) return false;
    }
    return x.out == x.out_end;
}
