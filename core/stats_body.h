/* stats_body.h - the text of core/stats.c, compiled once a type: REAL is double or float, NAME(x) the function's name.
 */

/* Rank of percentile p among n in the type of the vector: n-1 as an integer and p become REAL first. */
static rank NAME(rank_of)(int64_t n, double p) {
    REAL q = (REAL)p / 100;
    REAL h = (REAL)(n - 1) * q;
    if (!(h < (REAL)(n - 1))) return (rank){n - 1, n - 1, (double)(h + 1)}; /* NumPy counts from index -1 here */
    int64_t low = (int64_t)h;
    return (rank){low, low + 1, (double)(h - (REAL)low)};
}

static REAL NAME(between)(REAL low, REAL high, REAL w) {
    REAL d = high - low;
    return w >= (REAL)0.5 ? high - d * (1 - w) : low + d * w;
}

REAL NAME(vel_percentile_sorted)(const REAL *sorted, int64_t n, double p) {
    if (n == 0 || sorted[n - 1] != sorted[n - 1]) return NAN;
    rank r = NAME(rank_of)(n, p);
    return NAME(between)(sorted[r.low], sorted[r.high], (REAL)r.weight);
}

/* Copies x to work unless it is work; true if it is free of NaN and not empty. */
static bool NAME(take)(const REAL *x, int64_t n, REAL *work) {
    bool clean = n > 0;
    for (int64_t i = 0; i < n; i++) {
        clean &= x[i] == x[i];
        work[i] = x[i];
    }
    return clean;
}

/* Puts the elements of rank low and high (low or low + 1) in their places. */
static void NAME(place)(REAL *x, int64_t n, int64_t low, int64_t high) {
    NAME(vel_select)(x, n, low);
    if (high == low) return;
    int64_t least = high;
    for (int64_t i = high + 1; i < n; i++)
        if (x[i] < x[least]) least = i;
    REAL t = x[high];
    x[high] = x[least];
    x[least] = t;
}

REAL NAME(vel_percentile)(const REAL *x, int64_t n, double p, REAL *work) {
    if (!NAME(take)(x, n, work)) return NAN;
    rank r = NAME(rank_of)(n, p);
    NAME(place)(work, n, r.low, r.high);
    return NAME(between)(work[r.low], work[r.high], (REAL)r.weight);
}

REAL NAME(vel_median)(const REAL *x, int64_t n, REAL *work) {
    if (!NAME(take)(x, n, work)) return NAN;
    int64_t low = (n - 1) / 2, high = n / 2;
    NAME(place)(work, n, low, high);
    return NAME(vel_mean)(work + low, high - low + 1);
}

#undef REAL
#undef NAME
