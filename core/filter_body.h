/* filter_body.h - the part of filter.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of both matrices
 *     WORD   the signed integer of its size
 *     NAME   puts the suffix of the precision to a name
 */

/* Of one gene over the cells so far; side by side, so that a value goes to one place. */
typedef struct {
    REAL sum;
    int64_t cells;
} NAME(tally);

/* One cell more; without branches, which would be hard to foretell. */
static inline NAME(tally) NAME(with)(NAME(tally) gene, REAL x, REAL y) {
    REAL both = x > 0 ? x + y : 0;
    return (NAME(tally)){gene.sum + (y > 0 ? both : 0), gene.cells + ((x > 0) & (y > 0))};
}

static void NAME(put)(const shared_job *job, int64_t gene, const NAME(tally) * of) {
    job->sum[gene] = (double)of->sum;
    job->positive[gene] = of->cells;
}

/* Genes [first, end) of two sparse matrices: u of a row is laid out, zeros included, and looked up where s has a value.
 */
static vel_err NAME(join_rows)(vel_ctx *ctx, const shared_job *job, int64_t first, int64_t end) {
    const vel_counts *s = job->s, *u = job->u;
    const REAL *x = s->values, *y = u->values;
    NAME(tally) * of;
    REAL *laid;
    VEL_TRY(VEL_ZALLOC(ctx, of, end - first));
    VEL_TRY(VEL_ZALLOC(ctx, laid, end - first));
    for (int64_t i = 0; i < s->rows; i++) {
        int64_t a, a_end, b, b_end;
        vel_counts_range(s, i, first, end, &a, &a_end);
        vel_counts_range(u, i, first, end, &b, &b_end);
        for (int64_t e = b; e < b_end; e++) laid[u->indices[e] - first] = y[e];
        for (; a < a_end; a++) {
            int64_t g = s->indices[a] - first;
            of[g] = NAME(with)(of[g], x[a], laid[g]);
        }
        for (int64_t e = b; e < b_end; e++) laid[u->indices[e] - first] = 0;
    }
    for (int64_t g = first; g < end; g++) NAME(put)(job, g, of + (g - first));
    return VEL_OK;
}

/* both[n] = x + y where both are positive, else 0; returns how many are. */
static int64_t NAME(join)(int64_t n, const REAL *x, const REAL *y, REAL *both) {
    typedef REAL some __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));
    typedef WORD masks __attribute__((vector_size(16)));
    enum { LANES = 16 / sizeof(REAL) };
    const some zero = {0};
    masks found = {0};
    int64_t i = 0, cells = 0;
    for (; i + LANES <= n; i += LANES) {
        some v = *(const some *)(const void *)(x + i), w = *(const some *)(const void *)(y + i);
        masks has_v = v > zero, has_both = (some)((masks)w & has_v) > zero;
        *(some *)(void *)(both + i) = (some)((masks)(v + w) & has_both);
        found -= has_both;
    }
    for (int k = 0; k < LANES; k++) cells += found[k];
    for (; i < n; i++) {
        bool has_both = x[i] > 0 && y[i] > 0;
        both[i] = has_both ? x[i] + y[i] : 0;
        cells += has_both;
    }
    return cells;
}

/* Four genes side by side: a sum is a chain of additions that wait for each other. */
static void NAME(add_four)(int64_t n, REAL (*x)[CHUNK], NAME(tally) * of) {
    REAL a = of[0].sum, b = of[1].sum, c = of[2].sum, d = of[3].sum;
    for (int64_t i = 0; i < n; i++) {
        a += x[0][i];
        b += x[1][i];
        c += x[2][i];
        d += x[3][i];
    }
    of[0].sum = a, of[1].sum = b, of[2].sum = c, of[3].sum = d;
}

/* Genes [first, end), at most GENES_AT_ONCE, of two matrices stored by genes. */
static void NAME(join_columns)(const shared_job *job, int64_t first, int64_t end) {
    int64_t n = job->s->rows;
    const REAL *x = (const REAL *)job->s->values + first * n, *y = (const REAL *)job->u->values + first * n;
    REAL both[GENES_AT_ONCE][CHUNK] = {{0}};
    NAME(tally) of[GENES_AT_ONCE] = {{0}};
    for (int64_t c = 0; c < n; c += CHUNK) {
        int64_t cells = n - c < CHUNK ? n - c : CHUNK;
        for (int64_t k = 0; k < end - first; k++)
            of[k].cells += NAME(join)(cells, x + k * n + c, y + k * n + c, both[k]);
        NAME(add_four)(cells, both, of);
    }
    for (int64_t k = 0; k < end - first; k++) NAME(put)(job, first + k, of + k);
}

#undef REAL
#undef WORD
#undef NAME
