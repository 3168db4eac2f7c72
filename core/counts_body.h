/* counts_body.h - the part of counts.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the matrix
 *     NAME   puts the suffix of the precision to a name
 */

/* Of one gene over the cells so far; side by side, so that a value goes to one place. */
typedef struct {
    REAL sum;
    int64_t positive;
} NAME(tally);

static inline NAME(tally) NAME(with)(NAME(tally) gene, REAL v) {
    return (NAME(tally)){gene.sum + v, gene.positive + (v > 0)};
}

static void NAME(put)(const genes_job *job, int64_t gene, NAME(tally) of) {
    job->sum[gene] = (double)of.sum;
    job->positive[gene] = of.positive;
}

/* Genes [first, end), at most four, of a matrix stored by genes, side by side: a sum is a chain of additions that wait
 * for each other. The last gene takes the place of those that are not there. */
static void NAME(sum_columns)(const genes_job *job, int64_t first, int64_t end) {
    int64_t n = job->m->rows, last = end - first - 1;
    const REAL *x[GENES_AT_ONCE];
    NAME(tally) a = {0}, b = {0}, c = {0}, d = {0};
    for (int64_t k = 0; k < GENES_AT_ONCE; k++) x[k] = (const REAL *)job->m->values + (first + vel_least(k, last)) * n;
    for (int64_t i = 0; i < n; i++) {
        a = NAME(with)(a, x[0][i]);
        b = NAME(with)(b, x[1][i]);
        c = NAME(with)(c, x[2][i]);
        d = NAME(with)(d, x[3][i]);
    }
    const NAME(tally) of[] = {a, b, c, d};
    for (int64_t k = 0; k <= last; k++) NAME(put)(job, first + k, of[k]);
}

/* Genes [first, end) of a matrix stored by rows. */
static vel_err NAME(sum_rows)(vel_ctx *ctx, const genes_job *job, int64_t first, int64_t end) {
    const vel_counts *m = job->m;
    const REAL *x = m->values;
    NAME(tally) * of;
    VEL_TRY(VEL_ZALLOC(ctx, of, end - first));
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t from = i * m->cols + first, to = i * m->cols + end;
        if (m->indptr) vel_counts_range(m, i, first, end, &from, &to);
        for (int64_t e = from; e < to; e++) {
            NAME(tally) *gene = of + (m->indptr ? m->indices[e] - first : e - from);
            *gene = NAME(with)(*gene, x[e]);
        }
    }
    for (int64_t g = first; g < end; g++) NAME(put)(job, g, of[g - first]);
    return VEL_OK;
}

#undef REAL
#undef NAME
