/* extremes_body.h - the part of extremes.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     WORD   the signed integer of its size
 *     NAME   puts the suffix of the precision to a name
 */

typedef REAL NAME(quad) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
typedef REAL NAME(some) __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));

/* The maximum, but not below LEAST_MAXIMUM; a NaN is let through, as by NumPy. */
static REAL NAME(ceiling)(int64_t n, const REAL *x) {
    typedef WORD masks __attribute__((vector_size(16)));
    REAL most = (REAL)LEAST_MAXIMUM;
    NAME(some) high = (NAME(some)){0} + most;
    masks odd = {0};
    int64_t c = 0, lanes = 16 / sizeof(REAL);
    for (; c + lanes <= n; c += lanes) {
        NAME(some) v = *(const NAME(some) *)(const void *)(x + c);
        masks above = v > high;
        high = (NAME(some))(((masks)v & above) | ((masks)high & ~above));
        odd |= v != v;
    }
    for (int k = 0; k < lanes; k++) {
        if (odd[k]) return NAN;
        if (high[k] > most) most = high[k];
    }
    for (; c < n; c++)
        if (!(x[c] <= most)) {
            if (isnan(x[c])) return x[c];
            most = x[c];
        }
    return most;
}

/* Four cells at a time: divisions are what this costs. */
static void NAME(normalise)(int64_t n, const REAL *s, const REAL *u, REAL *z) {
    REAL most_s = NAME(ceiling)(n, s), most_u = NAME(ceiling)(n, u);
    int64_t c = 0;
    for (; c + 4 <= n; c += 4) {
        NAME(quad) a = *(const NAME(quad) *)(const void *)(s + c), b = *(const NAME(quad) *)(const void *)(u + c);
        *(NAME(quad) *)(void *)(z + c) = a / most_s + b / most_u;
    }
    for (; c < n; c++) z[c] = s[c] / most_s + u[c] / most_u;
}

void NAME(vel_extremes)(const vel_extremes *e, int64_t n, const REAL *s, const REAL *u, REAL *work, uint8_t *selected) {
    const REAL *z = s;
    if (u) {
        NAME(normalise)(n, s, u, work);
        z = work;
    }
    bounds b = NAME(bounds)(e, n, z, work + n);
    REAL upper = (REAL)b.upper; /* exact unless both ends are asked for */
    if (e->both)
        for (int64_t c = 0; c < n; c++) selected[c] |= (double)z[c] >= b.upper || (double)z[c] <= b.lower;
    else
        for (int64_t c = 0; c < n; c++) selected[c] |= z[c] >= upper;
}

#undef REAL
#undef WORD
#undef NAME
