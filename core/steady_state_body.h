/* steady_state_body.h - the part of steady_state.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     TYPE   VEL_F32 or VEL_F64
 *     NAME   puts the suffix of the precision to a name
 */

static moments NAME(moments)(int64_t n, const REAL *u, const REAL *s, const uint8_t *selected) {
    REAL u_ = 0, s_ = 0, ss = 0, us = 0;
    int64_t count = 0;
    for (int64_t c = 0; c < n; c++) {
        if (selected && c % SKIPPED == 0)
            while (c + SKIPPED <= n && is_none(selected + c)) c += SKIPPED;
        if (c == n) break;
        if (selected && !selected[c]) continue;
        u_ += u[c];
        s_ += s[c];
        ss += s[c] * s[c];
        us += s[c] * u[c];
        count++;
    }
    return (moments){(double)count, u_, s_, ss, us};
}

/* What R2 of one gene is made of: sums of squares of u about its mean, and of what a line leaves. */
typedef struct {
    REAL mean, gamma, offset, total, rest;
} NAME(squares);

/* One cell more. */
static inline NAME(squares) NAME(with)(NAME(squares) q, REAL u, REAL s) {
    REAL d = u - q.mean, v = u - q.gamma * s - q.offset;
    q.total += d * d;
    q.rest += v * v;
    return q;
}

/* Both sums as one vector, so that they go on together: the cells of 16 bytes at u and s more, one after the other. */
static inline NAME(both) NAME(with_next)(NAME(both) sums, const NAME(squares) * q, const REAL *u, const REAL *s) {
    NAME(both) v, w;
    memcpy(&v, u, sizeof v);
    memcpy(&w, s, sizeof w);
    w = v - q->gamma * w - q->offset;
    v = v - q->mean;
    return NAME(add_pairs)(sums, v * v, w * w);
}

/* Four genes side by side, here and below: their sums are chains of additions that wait for each other. */
static void NAME(set_means)(int64_t n, const REAL *const *u, NAME(squares) * of) {
    REAL a = 0, b = 0, c = 0, d = 0;
    for (int64_t i = 0; i < n; i++) {
        a += u[0][i];
        b += u[1][i];
        c += u[2][i];
        d += u[3][i];
    }
    of[0].mean = a / (REAL)n;
    of[1].mean = b / (REAL)n;
    of[2].mean = c / (REAL)n;
    of[3].mean = d / (REAL)n;
}

static inline NAME(both) NAME(with_product)(NAME(both) sums, const REAL *u, const REAL *s) {
    NAME(both) v, w;
    memcpy(&v, u, sizeof v);
    memcpy(&w, s, sizeof w);
    return NAME(add_pairs)(sums, w * w, w * v);
}

/* The sums of s s and of s u. */
static void NAME(add_products)(int64_t n, const REAL *const *u, const REAL *const *s, moments *of) {
    enum { LANES = 16 / sizeof(REAL) };
    NAME(both) a = {0}, b = {0}, c = {0}, d = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        a = NAME(with_product)(a, u[0] + i, s[0] + i);
        b = NAME(with_product)(b, u[1] + i, s[1] + i);
        c = NAME(with_product)(c, u[2] + i, s[2] + i);
        d = NAME(with_product)(d, u[3] + i, s[3] + i);
    }
    const NAME(both) sums[] = {a, b, c, d};
    for (int k = 0; k < VEL_STEADY_GENES; k++) {
        REAL ss = sums[k][0], us = sums[k][1];
        for (int64_t j = i; j < n; j++) {
            ss += s[k][j] * s[k][j];
            us += s[k][j] * u[k][j];
        }
        of[k] = (moments){.n = (double)n, .ss = ss, .us = us};
    }
}

static void NAME(add_squares)(int64_t n, const REAL *const *u, const REAL *const *s, NAME(squares) * of) {
    enum { LANES = 16 / sizeof(REAL) };
    NAME(both) a = {0}, b = {0}, c = {0}, d = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        a = NAME(with_next)(a, of, u[0] + i, s[0] + i);
        b = NAME(with_next)(b, of + 1, u[1] + i, s[1] + i);
        c = NAME(with_next)(c, of + 2, u[2] + i, s[2] + i);
        d = NAME(with_next)(d, of + 3, u[3] + i, s[3] + i);
    }
    const NAME(both) sums[] = {a, b, c, d};
    for (int k = 0; k < VEL_STEADY_GENES; k++) {
        of[k].total = sums[k][0];
        of[k].rest = sums[k][1];
        for (int64_t j = i; j < n; j++) of[k] = NAME(with)(of[k], u[k][j], s[k][j]);
    }
}

static double NAME(residual_wide)(int64_t n, const REAL *u, const REAL *s, line l) {
    double squares = 0;
    for (int64_t c = 0; c < n; c++) {
        double v = (double)u[c] - l.gamma * (double)s[c] - l.offset;
        squares += v * v;
    }
    return squares;
}

/* R2 of lines through genes; the last one takes the place of those that are not there. */
static void NAME(set_r2)(int n_genes, const vel_gene_data *genes, const line *lines, vel_type type, vel_steady *fits) {
    const REAL *u[VEL_STEADY_GENES], *s[VEL_STEADY_GENES];
    NAME(squares) of[VEL_STEADY_GENES];
    for (int k = 0; k < VEL_STEADY_GENES; k++) {
        int g = k < n_genes ? k : n_genes - 1;
        u[k] = genes[g].u;
        s[k] = genes[g].s;
        of[k] = (NAME(squares)){.gamma = (REAL)lines[g].gamma, .offset = (REAL)lines[g].offset};
    }
    NAME(set_means)(genes->n, u, of);
    NAME(add_squares)(genes->n, u, s, of);
    for (int g = 0; g < n_genes; g++) {
        double rest = type == TYPE ? (double)of[g].rest : NAME(residual_wide)(genes->n, u[g], s[g], lines[g]);
        double r2 = 1.0 - rounded(rest / (double)of[g].total, type);
        fits[g].r2 = isnan(r2) ? 0 : r2;
    }
}

static int64_t NAME(gather)(int64_t n, const REAL *x, const uint8_t *keep, REAL *y) {
    int64_t k = 0;
    for (int64_t c = 0; c < n; c++)
        if (keep[c]) y[k++] = x[c];
    return k;
}

static bool NAME(any)(int64_t n, const REAL *x) {
    for (int64_t c = 0; c < n; c++)
        if (x[c] > 0) return true;
    return false;
}

/* All of the fit but R2; returns the line that R2 is of. */
static line NAME(fit_one)(const vel_steady_opts *o, const vel_gene_data *g, REAL *work, vel_steady *fit) {
    int64_t n = g->n, m = n;
    const REAL *u = g->u, *s = g->s, *fit_u = u, *fit_s = s;
    if (o->fit_cells) {
        m = NAME(gather)(n, u, o->fit_cells, work);
        NAME(gather)(n, s, o->fit_cells, work + n);
        fit_u = work;
        fit_s = work + n;
    }
    if (o->r2_alone) {
        moments all = NAME(moments)(m, fit_u, fit_s, NULL);
        return fit_line(&all, o->offset, TYPE, TYPE);
    }
    uint8_t *selected = (uint8_t *)(work + 4 * n);
    memset(selected, 0, (size_t)m);
    NAME(vel_extremes)(&o->extremes, m, fit_s, fit_u, work + 2 * n, selected);
    vel_type type = vel_steady_type(o, TYPE);
    moments extreme = NAME(moments)(m, fit_u, fit_s, selected);
    line l = fit_line(&extreme, o->offset, type, TYPE);
    l.gamma = clip(l.gamma, rounded(o->least_ratio, type), rounded(o->most_ratio, type));
    *fit = (vel_steady){.gamma = l.gamma, .offset = l.offset};
    fit->any_u = NAME(any)(n, u);
    fit->any_s = NAME(any)(n, s);
    if (!o->r2_adjusted) return l;
    moments all = NAME(moments)(m, fit_u, fit_s, NULL);
    return fit_line(&all, o->offset, TYPE, TYPE);
}

/* Lines through all cells, without an offset, of four genes. */
static void NAME(fit_lines)(int n_genes, const vel_gene_data *genes, line *lines) {
    const REAL *u[VEL_STEADY_GENES], *s[VEL_STEADY_GENES];
    moments all[VEL_STEADY_GENES];
    for (int k = 0; k < VEL_STEADY_GENES; k++) {
        u[k] = genes[k < n_genes ? k : n_genes - 1].u;
        s[k] = genes[k < n_genes ? k : n_genes - 1].s;
    }
    NAME(add_products)(genes->n, u, s, all);
    for (int g = 0; g < n_genes; g++) lines[g] = fit_line(&all[g], false, TYPE, TYPE);
}

static void NAME(fit)(const vel_steady_opts *o, int n_genes, const vel_gene_data *genes, REAL *work, vel_steady *fits) {
    line lines[VEL_STEADY_GENES];
    for (int g = 0; g < n_genes; g++) fits[g] = (vel_steady){0};
    if (o->r2_alone && !o->offset && !o->fit_cells)
        NAME(fit_lines)(n_genes, genes, lines);
    else
        for (int g = 0; g < n_genes; g++) lines[g] = NAME(fit_one)(o, &genes[g], work, &fits[g]);
    NAME(set_r2)(n_genes, genes, lines, o->r2_adjusted ? TYPE : vel_steady_type(o, TYPE), fits);
}

static void NAME(velocity)(int64_t n, const REAL *u, const REAL *s, line l, REAL *v) {
    typedef REAL some __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));
    enum { LANES = 16 / sizeof(REAL) };
    REAL gamma = (REAL)l.gamma, offset = (REAL)l.offset;
    int64_t c = 0;
    for (; c + LANES <= n; c += LANES)
        *(some *)(void *)(v + c) =
            *(const some *)(const void *)(u + c) - gamma * *(const some *)(const void *)(s + c) - offset;
    for (; c < n; c++) v[c] = u[c] - gamma * s[c] - offset;
}

#undef REAL
#undef TYPE
#undef NAME
