#include "io/lzf.h"

#include <stdbool.h>
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
