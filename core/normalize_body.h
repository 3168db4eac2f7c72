/* normalize_body.h - the part of normalize.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the matrix
 *     NAME   puts the suffix of the precision to a name
 *
 * Vectors, since the compiler would divide one by one. A quotient or product of two floats that is taken in double and
 * rounded is that of floats: a double has more than twice the bits. */

typedef REAL NAME(some) __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));
enum { NAME(LANES) = 16 / sizeof(REAL) };

static inline NAME(some) NAME(load)(const REAL *x) { return *(const NAME(some) *)(const void *)x; }

static inline void NAME(store)(REAL *x, NAME(some) v) { *(NAME(some) *)(void *)x = v; }

static void NAME(divide_by)(const REAL *x, int64_t n, REAL f, REAL *out) {
    int64_t e = 0;
    for (; e + NAME(LANES) <= n; e += NAME(LANES)) NAME(store)(out + e, NAME(load)(x + e) / f);
    for (; e < n; e++) out[e] = x[e] / f;
}

static void NAME(multiply)(const REAL *x, int64_t n, REAL f, REAL *out) {
    int64_t e = 0;
    for (; e + NAME(LANES) <= n; e += NAME(LANES)) NAME(store)(out + e, NAME(load)(x + e) * f);
    for (; e < n; e++) out[e] = x[e] * f;
}

/* Row i. Factors may be wider than the matrix. */
static void NAME(scale_row)(const scale_job *job, int64_t i) {
    const vel_counts *m = job->m;
    int64_t a = m->indptr ? m->indptr[i] : i * m->cols, n = m->indptr ? m->indptr[i + 1] - a : m->cols;
    const REAL *x = (const REAL *)m->values + a;
    REAL *out = (REAL *)job->out + a;
    double f = size_of(job->factors, i);
    if (m->indptr) f = vel_rounded_to(job->factors.type, 1 / f);
    if ((double)(REAL)f != f)
        for (int64_t e = 0; e < n; e++) out[e] = (REAL)(m->indptr ? (double)x[e] * f : (double)x[e] / f);
    else if (m->indptr)
        NAME(multiply)(x, n, (REAL)f, out);
    else
        NAME(divide_by)(x, n, (REAL)f, out);
}

/* Genes [first, end) of a matrix stored by genes. */
static void NAME(scale_columns)(const scale_job *job, int64_t first, int64_t end) {
    int64_t n = job->m->rows, m = end - first;
    const REAL *x = (const REAL *)job->m->values + first * n;
    REAL *out = (REAL *)job->out + first * n;
    const double *wide = job->each;
    if (job->factors.type == job->m->type || sizeof(REAL) == sizeof(double))
        job->ratios->NAME(each)(n, m, x, job->each, out);
    else
        for (int64_t j = 0; j < m; j++)
            for (int64_t e = 0; e < n; e++) out[j * n + e] = (REAL)((double)x[j * n + e] / wide[e]);
}

#undef REAL
#undef NAME
