/* hvg_body.h - the part of hvg.c that exists in both precisions: included there twice, with
 *
 *     REAL        float or double, the type of the matrix
 *     EXPM1_N     expm1 of an array of them
 *     NAME        puts the suffix of the precision to a name
 */

/* y[count] = expm1 of x[count], stored values. */
static void NAME(expand)(const moments_job *job, const REAL *x, int64_t count, REAL *y) {
    if (job->scale != 1) {
        for (int64_t i = 0; i < count; i++) y[i] = (REAL)((double)x[i] * job->scale);
        x = y;
    }
    EXPM1_N(count, x, y);
}

/* A value and its square, rounded to the type, unless it is to be exact. */
static inline sums NAME(of_one)(REAL y, bool exact) {
    return (sums){(double)y, exact ? (double)y * (double)y : (double)(y * y)};
}

/* Four genes side by side: a gene is a chain of additions that wait for each other. */
static void NAME(add_four)(int64_t cells, REAL (*y)[CHUNK], sums *of) {
    enum { LANES = 16 / sizeof(REAL) };
    sums a = of[0], b = of[1], c = of[2], d = of[3];
    int64_t i = 0;
    for (; i + LANES <= cells; i += LANES) {
        a = NAME(with_next)(a, y[0] + i);
        b = NAME(with_next)(b, y[1] + i);
        c = NAME(with_next)(c, y[2] + i);
        d = NAME(with_next)(d, y[3] + i);
    }
    of[0] = a, of[1] = b, of[2] = c, of[3] = d;
    for (; i < cells; i++)
        for (int k = 0; k < GENES_AT_ONCE; k++) of[k] += NAME(of_one)(y[k][i], false);
}

/* Genes [first, first + count) of a matrix stored by genes, at most GENES_AT_ONCE. */
static void NAME(add_columns)(const moments_job *job, int64_t first, int64_t count) {
    const vel_counts *m = job->m;
    sums of[GENES_AT_ONCE] = {{0}};
    REAL y[GENES_AT_ONCE][CHUNK] = {{0}};
    for (int64_t c = 0; c < m->rows; c += CHUNK) {
        int64_t cells = vel_least(m->rows - c, CHUNK);
        for (int64_t k = 0; k < count; k++)
            NAME(expand)(job, (const REAL *)m->values + (first + k) * m->rows + c, cells, y[k]);
        NAME(add_four)(cells, y, of);
    }
    for (int64_t k = 0; k < count; k++) put(job, first + k, of[k]);
}

/* Stored values [from, to) of a row, which belong to genes gene, gene + 1, … or to those of the indices; of[0] is that
 * of gene first. */
static void NAME(add_run)(const moments_job *job, int64_t from, int64_t to, int64_t first, sums *of) {
    const vel_counts *m = job->m;
    REAL y[CHUNK];
    for (int64_t e = from; e < to; e += CHUNK) {
        int64_t count = vel_least(to - e, CHUNK);
        NAME(expand)(job, (const REAL *)m->values + e, count, y);
        for (int64_t i = 0; i < count; i++) {
            sums *gene = of + (m->indptr ? m->indices[e + i] - first : e - from + i);
            *gene += NAME(of_one)(y[i], m->by_columns);
        }
    }
}

#undef REAL
#undef EXPM1_N
#undef NAME
