/* extremes_body.h - the part of extremes.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     WORD   the signed integer of its size
 *     NAME   puts the suffix of the precision to a name
 */

typedef REAL NAME(some) __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));

/* The maximum, but not below LEAST_MAXIMUM; a NaN is let through, as by NumPy. */
static REAL NAME(ceiling_of_any)(int64_t n, const REAL *x, REAL most) {
    for (int64_t c = 0; c < n; c++)
        if (!(x[c] <= most)) {
            if (isnan(x[c])) return x[c];
            most = x[c];
        }
    return most;
}

/* The same: four vectors at a time, since each maximum waits for the one before, and the bits of v - v, which are 0 but
 * for what is not finite. */
static REAL NAME(ceiling)(int64_t n, const REAL *x) {
    typedef WORD masks __attribute__((vector_size(16)));
    enum { LANES = 16 / sizeof(REAL), AT_ONCE = 4 };
    REAL most = (REAL)LEAST_MAXIMUM;
    const NAME(some) least = (NAME(some)){0} + most;
    NAME(some) high[AT_ONCE] = {least, least, least, least};
    masks odd = {0};
    int64_t whole = n / (AT_ONCE * LANES) * (AT_ONCE * LANES);
    for (int64_t c = 0; c < whole; c += AT_ONCE * LANES) {
#pragma GCC unroll 4
        for (int k = 0; k < AT_ONCE; k++) {
            NAME(some) v = *(const NAME(some) *)(const void *)(x + c + k * LANES);
            masks above = v > high[k];
            high[k] = (NAME(some))(((masks)v & above) | ((masks)high[k] & ~above));
            odd |= (masks)(v - v);
        }
    }
    for (int k = 0; k < LANES; k++)
        if (odd[k]) return NAME(ceiling_of_any)(n, x, most);
    for (int k = 0; k < AT_ONCE * LANES; k++)
        if (high[k / LANES][k % LANES] > most) most = high[k / LANES][k % LANES];
    return NAME(ceiling_of_any)(n - whole, x + whole, most);
}

void NAME(vel_extremes)(const vel_extremes *e, int64_t n, const REAL *s, const REAL *u, REAL *work, uint8_t *selected) {
    const REAL *z = s;
    if (u) {
        vel_ratios_at(vel_cpu_level())->NAME(sum)(n, s, NAME(ceiling)(n, s), u, NAME(ceiling)(n, u), work);
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
