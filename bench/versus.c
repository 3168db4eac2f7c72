#include "bench/versus.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/fmath.h"

enum { EXACT = 16, FLIPS = 10000 };

/* splitmix64 (Steele, Lea and Flood 2014): the fixed stream of signs. */
static uint64_t next_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double flipped_sum(const double *d, int n, const uint64_t *signs) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += signs[i / 64] >> (i % 64) & 1 ? -d[i] : d[i];
    return fabs(sum);
}

static double sign_flip_p(const double *d, int n) {
    uint64_t signs[(BENCH_MOST_REPEATS + 63) / 64] = {0}, state = 1;
    const double seen = flipped_sum(d, n, signs);
    const double bar = seen - 1e-12 * seen; /* equal sums that differ by rounding count as equal */
    const int64_t total = n <= EXACT ? INT64_C(1) << n : FLIPS;
    int64_t extreme = 0;
    for (int64_t flip = 0; flip < total; flip++) {
        if (n <= EXACT)
            signs[0] = (uint64_t)flip;
        else
            for (int w = 0; w <= (n - 1) / 64; w++) signs[w] = next_bits(&state);
        extreme += flipped_sum(d, n, signs) >= bar;
    }
    return n <= EXACT ? (double)extreme / (double)total : (double)(extreme + 1) / (double)(total + 1);
}

static bench_verdict decide(const bench_versus *v) {
    const double within = 1 + BENCH_MARGIN;
    if (v->coverage < 0.95) return BENCH_INCONCLUSIVE;
    if (v->low > 1 / within && v->high < within) return BENCH_SAME;
    if (v->p > 0.05) return BENCH_INCONCLUSIVE;
    if (v->high < 1 / within) return BENCH_LESS;
    return v->low > within ? BENCH_MORE : BENCH_INCONCLUSIVE;
}

bench_versus bench_compare(const double *a, const double *b, int n) {
    bench_versus v = {.n = n, .ratio = NAN, .low = NAN, .high = NAN, .p = 1, .verdict = BENCH_INCONCLUSIVE};
    double d[BENCH_MOST_REPEATS];
    if (n < 1 || n > BENCH_MOST_REPEATS) return v;
    for (int i = 0; i < n; i++) {
        if (!(a[i] > 0 && b[i] > 0)) return v;
        d[i] = vel_log(b[i] / a[i]);
    }
    const bench_summary s = bench_summarise(d, n);
    v.ratio = vel_exp(s.median);
    if (n < 2) return v;
    v.low = vel_exp(s.low);
    v.high = vel_exp(s.high);
    v.coverage = s.coverage;
    v.p = sign_flip_p(d, n);
    v.verdict = decide(&v);
    return v;
}

static int by_p(const void *a, const void *b) {
    const double x = (*(bench_versus *const *)a)->p, y = (*(bench_versus *const *)b)->p;
    return (x > y) - (x < y);
}

void bench_correct_verdicts(bench_versus **tests, int m, double level) {
    qsort(tests, (size_t)m, sizeof *tests, by_p);
    bool stands = true;
    for (int i = 0; i < m; i++) {
        stands = stands && tests[i]->p <= level / (m - i);
        if (!stands && tests[i]->verdict != BENCH_SAME) tests[i]->verdict = BENCH_INCONCLUSIVE;
    }
}

const char *bench_verdict_word(bench_verdict v) {
    static const char *const words[] = {"inconclusive", "same", "less", "more"};
    return words[v];
}
