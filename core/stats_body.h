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

/* A number that about 2 most of x[n] are above, from a sample; -inf if there is a NaN in it. */
static REAL NAME(guess_floor)(const REAL *x, int64_t n, int64_t most) {
    REAL sample[SAMPLE];
    for (int64_t i = 0; i < SAMPLE; i++) sample[i] = x[i * n / SAMPLE];
    if (NAME(vel_nans_last)(sample, SAMPLE) < SAMPLE) return -INFINITY;
    int64_t place = SAMPLE - 1 - 2 * most * SAMPLE / n;
    NAME(vel_select)(sample, SAMPLE, place);
    return sample[place];
}

/* What is above a floor, or NaN, to work[room]; returns how many, 0 if not at least `most` and all of them numbers. */
static int64_t NAME(take_above)(const REAL *x, int64_t n, REAL floor, int64_t most, int64_t room, REAL *work) {
    int64_t kept = 0;
    for (int64_t i = 0; i < n && kept < room; i++) {
        work[kept] = x[i];
        kept += !(x[i] <= floor);
    }
    if (kept < most || kept == room) return 0;
    for (int64_t i = 0; i < kept; i++)
        if (work[i] != work[i]) return 0;
    return kept;
}

/* The `most` largest of x, 4 most <= n, and perhaps more, to the front of work[4 most]; returns how many, 0 if there is
 * a NaN. Few of the others are above the least of those kept so far. work may be x itself. */
static int64_t NAME(take_largest)(const REAL *x, int64_t n, int64_t most, REAL *work) {
    int64_t kept = 0, room = 4 * most;
    REAL floor = -INFINITY;
    if (work != x && n >= 8 * SAMPLE) kept = NAME(take_above)(x, n, NAME(guess_floor)(x, n, most), most, room, work);
    if (kept) return kept;
    kept = most;
    bool clean = NAME(take)(x, most, work);
    for (int64_t i = most; i < n; i++) {
        REAL t = x[i];
        clean &= t == t;
        work[kept] = t;
        kept += t > floor;
        if (kept < room) continue;
        NAME(vel_select)(work, kept, kept - most);
        memmove(work, work + kept - most, (size_t)most * sizeof *work);
        kept = most;
        floor = work[0];
    }
    return clean ? kept : 0;
}

REAL NAME(vel_percentile)(const REAL *x, int64_t n, double p, REAL *work) {
    rank r = NAME(rank_of)(n, p);
    int64_t above = n - r.low;
    if (4 * above <= n)
        n = NAME(take_largest)(x, n, above, work);
    else if (!NAME(take)(x, n, work))
        n = 0;
    if (!n) return NAN;
    NAME(place)(work, n, n - above, n - above + (r.high - r.low));
    return NAME(between)(work[n - above], work[n - above + (r.high - r.low)], (REAL)r.weight);
}

REAL NAME(vel_median)(const REAL *x, int64_t n, REAL *work) {
    if (!NAME(take)(x, n, work)) return NAN;
    int64_t low = (n - 1) / 2, high = n / 2;
    NAME(place)(work, n, low, high);
    return NAME(vel_mean)(work + low, high - low + 1);
}

#undef REAL
#undef NAME
