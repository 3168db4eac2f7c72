/* sort_body.h - the text of core/sort.c, compiled once a type: REAL is double or float, WORD the unsigned integer of
 * its size, NAME(x) the function's name. */

int64_t NAME(vel_nans_last)(REAL *x, int64_t n) {
    int64_t m = 0;
    while (m < n && x[m] == x[m]) m++;
    for (int64_t i = m + 1; i < n; i++) {
        if (x[i] != x[i]) continue;
        REAL t = x[i];
        x[i] = x[m];
        x[m++] = t;
    }
    return m;
}

static void NAME(insert)(REAL *x, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        REAL t = x[i];
        int64_t j = i;
        for (; j > 0 && t < x[j - 1]; j--) x[j] = x[j - 1];
        x[j] = t;
    }
}

static void NAME(sift)(REAL *x, int64_t i, int64_t n) {
    REAL t = x[i];
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && x[child] < x[child + 1]) child++;
        if (!(t < x[child])) break;
        x[i] = x[child];
    }
    x[i] = t;
}

static void NAME(heap)(REAL *x, int64_t n) {
    for (int64_t i = n / 2; i-- > 0;) NAME(sift)(x, i, n);
    for (int64_t i = n; i-- > 1;) {
        REAL t = x[0];
        x[0] = x[i];
        x[i] = t;
        NAME(sift)(x, 0, i);
    }
}

static REAL NAME(median_of_three)(REAL a, REAL b, REAL c) {
    if (b < a) return b < c ? (c < a ? c : a) : b;
    return a < c ? (c < b ? c : b) : a;
}

static REAL NAME(pivot)(const REAL *x, int64_t n) {
    REAL a = NAME(median_of_three)(x[0], x[n / 8], x[n / 4]);
    REAL b = NAME(median_of_three)(x[n * 3 / 8], x[n / 2], x[n * 5 / 8]);
    REAL c = NAME(median_of_three)(x[n * 3 / 4], x[n * 7 / 8], x[n - 1]);
    return NAME(median_of_three)(a, b, c);
}

/* Moves what is below the pivot, or not above it, to the front; returns how many. No branch depends on the numbers. */
static int64_t NAME(gather)(REAL *x, int64_t n, REAL pivot, bool equals) {
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++) {
        REAL t = x[i];
        x[i] = x[m];
        x[m] = t;
        m += equals ? t <= pivot : t < pivot;
    }
    return m;
}

/* Splits x: returns m, 0 < m <= n, such that none before m is above any from m on. *flat: all before m are equal. */
static int64_t NAME(split)(REAL *x, int64_t n, bool *flat) {
    REAL pivot = NAME(pivot)(x, n);
    int64_t m = NAME(gather)(x, n, pivot, false);
    *flat = m == 0;
    return m > 0 ? m : NAME(gather)(x, n, pivot, true);
}

/* How deep the splitting may go before a heap takes over, so that no input is quadratic. */
static int NAME(patience)(int64_t n) {
    int depth = 0;
    for (; n > 1; n /= 2) depth += 2;
    return depth;
}

static void NAME(quick)(REAL *x, int64_t n, int patience) {
    while (n > FEW) {
        if (patience-- == 0) {
            NAME(heap)(x, n);
            return;
        }
        bool flat;
        int64_t m = NAME(split)(x, n, &flat);
        if (!flat) NAME(quick)(x, m, patience);
        x += m;
        n -= m;
    }
    NAME(insert)(x, n);
}

void NAME(vel_sort)(REAL *x, int64_t n) {
    n = NAME(vel_nans_last)(x, n);
    NAME(quick)(x, n, NAME(patience)(n));
}

void NAME(vel_select)(REAL *x, int64_t n, int64_t k) {
    int patience = NAME(patience)(n);
    while (n > FEW) {
        if (patience-- == 0) {
            NAME(heap)(x, n);
            return;
        }
        bool flat;
        int64_t m = NAME(split)(x, n, &flat);
        if (k < m) {
            if (flat) return;
            n = m;
        } else {
            x += m;
            n -= m;
            k -= m;
        }
    }
    NAME(insert)(x, n);
}

/* Unsigned order of keys = order of numbers; -0 has the key of 0. */
static inline WORD NAME(key)(REAL x) {
    const WORD sign = (WORD)1 << (8 * sizeof(WORD) - 1);
    WORD u;
    x += 0;
    memcpy(&u, &x, sizeof u);
    return u ^ (sign | -(u >> (8 * sizeof u - 1)));
}

/* How a radix sort sees its elements: two digits of `width` bits below the highest bit in which the keys differ. */
typedef struct {
    WORD least; /* key */
    int shift, width;
} NAME(view);

/* For n keys between least and most. */
static NAME(view) NAME(view_of)(WORD least, WORD most, int64_t n) {
    int width = n < WIDE_FROM ? NARROW : WIDE;
    int bits = most > least ? 64 - __builtin_clzll(most - least) : 0;
    return (NAME(view)){least, bits > 2 * width ? bits - 2 * width : 0, width};
}

static inline WORD NAME(top)(const NAME(view) * v, REAL x) { return (NAME(key)(x) - v->least) >> v->shift; }

/* Sorts by one digit, from -> to, stably. count[2^width]: how often each occurs; becomes places. */
static void NAME(deal)(const NAME(view) * v, int digit, uint32_t *count, const REAL *from, int64_t n, REAL *to) {
    const WORD mask = ((WORD)1 << v->width) - 1;
    uint32_t place = 0;
    for (WORD d = 0; d <= mask; d++) {
        uint32_t c = count[d];
        count[d] = place;
        place += c;
    }
    for (int64_t i = 0; i < n; i++) to[count[NAME(top)(v, from[i]) >> (digit * v->width) & mask]++] = from[i];
}

static void NAME(sort_counting)(REAL *x, int64_t n, REAL *work, uint32_t count[2][1 << WIDE]);

/* Elements that the two digits cannot tell apart are neighbours now: each run of them is sorted by itself. */
static void NAME(refine)(const NAME(view) * v, REAL *x, int64_t n, REAL *work, uint32_t count[2][1 << WIDE]) {
    WORD before = NAME(top)(v, x[0]);
    for (int64_t i = 1, start = 0; i <= n; i++) {
        WORD here = i < n ? NAME(top)(v, x[i]) : before + 1;
        if (here == before) continue;
        if (i - start > 1) NAME(sort_counting)(x + start, i - start, work, count);
        start = i;
        before = here;
    }
}

static void NAME(radix)(REAL *x, int64_t n, REAL *work, uint32_t count[2][1 << WIDE]) {
    WORD least = NAME(key)(x[0]), most = least;
    for (int64_t i = 1; i < n; i++) {
        WORD key = NAME(key)(x[i]);
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    if (least == most) return;
    NAME(view) v = NAME(view_of)(least, most, n);
    int width = v.width;
    memset(count[0], 0, sizeof *count[0] << width);
    memset(count[1], 0, sizeof *count[1] << width);
    const WORD mask = ((WORD)1 << width) - 1;
    for (int64_t i = 0; i < n; i++) {
        WORD top = NAME(top)(&v, x[i]);
        count[0][top & mask]++;
        count[1][top >> width]++;
    }
    NAME(deal)(&v, 0, count[0], x, n, work);
    NAME(deal)(&v, 1, count[1], work, n, x);
    if (v.shift > 0) NAME(refine)(&v, x, n, work, count);
}

static void NAME(sort_counting)(REAL *x, int64_t n, REAL *work, uint32_t count[2][1 << WIDE]) {
    if (n <= FEW)
        NAME(insert)(x, n);
    else
        NAME(radix)(x, n, work, count);
}

/* No NaN in x. Runs within runs have the counts in turns: one array each would be more than a fiber's stack. */
static void NAME(sort_with)(REAL *x, int64_t n, REAL *work) {
    uint32_t count[2][1 << WIDE];
    NAME(sort_counting)(x, n, work, count);
}

#undef REAL
#undef WORD
#undef NAME
