/* sort_body.h - the text of core/sort.c, compiled once a type: REAL is double or float, WORD the unsigned integer of
 * its size, DIGITS how many 8-bit digits that has, NAME(x) the function's name. */

int64_t NAME(vel_nans_last)(REAL *x, int64_t n) {
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++) {
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

/* Splits x around the median of three: returns m, 0 < m < n, such that none before m is above any from m on. n >= 3. */
static int64_t NAME(split)(REAL *x, int64_t n) {
    REAL pivot = NAME(median_of_three)(x[0], x[n / 2], x[n - 1]);
    int64_t i = 0, j = n - 1;
    for (;;) {
        while (x[i] < pivot) i++;
        while (pivot < x[j]) j--;
        if (i >= j) return i > 0 ? i : 1;
        REAL t = x[i];
        x[i++] = x[j];
        x[j--] = t;
    }
}

/* How deep the splitting may go before a heap takes over, so that no input is quadratic. */
static int NAME(patience)(int64_t n) {
    int depth = 0;
    for (; n > 1; n /= 2) depth += 2;
    return depth;
}

static void NAME(quick)(REAL *x, int64_t n, int patience) {
    while (n > 24) {
        if (patience-- == 0) {
            NAME(heap)(x, n);
            return;
        }
        int64_t m = NAME(split)(x, n);
        NAME(quick)(x, m, patience);
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
    while (n > 24) {
        if (patience-- == 0) {
            NAME(heap)(x, n);
            return;
        }
        int64_t m = NAME(split)(x, n);
        if (k < m) {
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
static WORD NAME(key)(REAL x) {
    WORD u;
    x += 0;
    memcpy(&u, &x, sizeof u);
    const WORD sign = (WORD)1 << (8 * sizeof u - 1);
    return u & sign ? ~u : u | sign;
}

/* One digit of the radix sort: from -> to, stably. count[256] becomes the places. */
static void NAME(deal)(const REAL *from, REAL *to, int64_t n, int digit, uint32_t *count) {
    uint32_t place = 0;
    for (int d = 0; d < 256; d++) {
        uint32_t c = count[d];
        count[d] = place;
        place += c;
    }
    for (int64_t i = 0; i < n; i++) to[count[NAME(key)(from[i]) >> (8 * digit) & 255]++] = from[i];
}

static void NAME(radix)(REAL *x, int64_t n, REAL *work) {
    uint32_t count[DIGITS][256] = {{0}};
    for (int64_t i = 0; i < n; i++) {
        WORD key = NAME(key)(x[i]);
        for (int d = 0; d < DIGITS; d++) count[d][key >> (8 * d) & 255]++;
    }
    REAL *from = x, *to = work;
    for (int d = 0; d < DIGITS; d++) {
        if (count[d][NAME(key)(from[0]) >> (8 * d) & 255] == n) continue;
        NAME(deal)(from, to, n, d, count[d]);
        REAL *t = from;
        from = to;
        to = t;
    }
    if (from != x) memcpy(x, from, (size_t)n * sizeof *x);
}

static void NAME(sort_with)(REAL *x, int64_t n, REAL *work) {
    n = NAME(vel_nans_last)(x, n);
    if (n <= 64)
        NAME(insert)(x, n);
    else
        NAME(radix)(x, n, work);
}

#undef REAL
#undef WORD
#undef DIGITS
#undef NAME
