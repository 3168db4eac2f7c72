/* extremes_body.h - the part of extremes.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     NAME   puts the suffix of the precision to a name
 */

/* The maximum, but not below LEAST_MAXIMUM; a NaN is let through, as by NumPy. */
static REAL NAME(ceiling)(int64_t n, const REAL *x) {
    REAL most = (REAL)LEAST_MAXIMUM;
    for (int64_t c = 0; c < n; c++)
        if (!(x[c] <= most)) {
            if (isnan(x[c])) return x[c];
            most = x[c];
        }
    return most;
}

/* Four cells at a time: divisions are what this costs. */
static void NAME(normalise)(int64_t n, const REAL *s, const REAL *u, REAL *z) {
    typedef REAL quad __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
    REAL most_s = NAME(ceiling)(n, s), most_u = NAME(ceiling)(n, u);
    int64_t c = 0;
    for (; c + 4 <= n; c += 4) *(quad *)(z + c) = *(const quad *)(s + c) / most_s + *(const quad *)(u + c) / most_u;
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
#undef NAME
