/* filter_body.h - the part of filter.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of both matrices
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

/* Genes [first, end), at most VEL_TALLY_GENES, of two matrices stored by genes; the last one takes the place of those
 * that are not there. */
static void NAME(join_columns)(const shared_job *job, int64_t first, int64_t end) {
    int64_t n = job->s->rows, last = end - first - 1, cells[VEL_TALLY_GENES];
    const REAL *x[VEL_TALLY_GENES], *y[VEL_TALLY_GENES];
    REAL sum[VEL_TALLY_GENES];
    for (int64_t k = 0; k < VEL_TALLY_GENES; k++) {
        int64_t at = (first + vel_least(k, last)) * n;
        x[k] = (const REAL *)job->s->values + at;
        y[k] = (const REAL *)job->u->values + at;
    }
    vel_tallies_at(vel_cpu_level())->NAME(joined)(n, x, y, sum, cells);
    for (int64_t k = 0; k <= last; k++) NAME(put)(job, first + k, &(NAME(tally)){sum[k], cells[k]});
}

#undef REAL
#undef NAME
