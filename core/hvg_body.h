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

/* Genes [first, first + count) of a matrix stored by genes, at most GENES_AT_ONCE: a gene is two chains of additions,
 * which would wait for each other. */
static void NAME(add_columns)(const moments_job *job, int64_t first, int64_t count) {
    const vel_counts *m = job->m;
    sums of[GENES_AT_ONCE] = {{0}};
    REAL y[GENES_AT_ONCE][CHUNK] = {{0}};
    for (int64_t c = 0; c < m->rows; c += CHUNK) {
        int64_t cells = m->rows - c < CHUNK ? m->rows - c : CHUNK;
        for (int64_t k = 0; k < count; k++)
            NAME(expand)(job, (const REAL *)m->values + (first + k) * m->rows + c, cells, y[k]);
        for (int64_t i = 0; i < cells; i++) {
#pragma GCC unroll 4
            for (int k = 0; k < GENES_AT_ONCE; k++) {
                of[k].value += (double)y[k][i];
                of[k].square += (double)(y[k][i] * y[k][i]);
            }
        }
    }
    for (int64_t k = 0; k < count; k++) put(job, first + k, of[k]);
}

static inline double NAME(squared)(REAL y, bool exact) { return exact ? (double)y * (double)y : (double)(y * y); }

/* Stored values [from, to) of a row, which belong to genes gene, gene + 1, … or to those of the indices; of[0] is that
 * of gene first. */
static void NAME(add_run)(const moments_job *job, int64_t from, int64_t to, int64_t first, sums *of) {
    const vel_counts *m = job->m;
    REAL y[CHUNK];
    for (int64_t e = from; e < to; e += CHUNK) {
        int64_t count = to - e < CHUNK ? to - e : CHUNK;
        NAME(expand)(job, (const REAL *)m->values + e, count, y);
        for (int64_t i = 0; i < count; i++) {
            sums *gene = of + (m->indptr ? m->indices[e + i] - first : e - from + i);
            gene->value += (double)y[i];
            gene->square += NAME(squared)(y[i], m->by_columns);
        }
    }
}

#undef REAL
#undef EXPM1_N
#undef NAME
