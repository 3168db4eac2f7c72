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

/* Sums of squares: of u about its mean, and of what a line leaves. Two chains of additions, in step. */
typedef struct {
    REAL total, rest;
} NAME(squares);

static NAME(squares) NAME(add_squares)(int64_t n, const REAL *u, const REAL *s, line l) {
    REAL gamma = (REAL)l.gamma, offset = (REAL)l.offset, sum = 0;
    NAME(squares) q = {0, 0};
    for (int64_t c = 0; c < n; c++) sum += u[c];
    REAL mean = sum / (REAL)n;
    for (int64_t c = 0; c < n; c++) {
        REAL d = u[c] - mean, v = u[c] - gamma * s[c] - offset;
        q.total += d * d;
        q.rest += v * v;
    }
    return q;
}

static double NAME(residual_wide)(int64_t n, const REAL *u, const REAL *s, line l) {
    double squares = 0;
    for (int64_t c = 0; c < n; c++) {
        double v = (double)u[c] - l.gamma * (double)s[c] - l.offset;
        squares += v * v;
    }
    return squares;
}

static double NAME(r2)(int64_t n, const REAL *u, const REAL *s, line l, vel_type type) {
    NAME(squares) q = NAME(add_squares)(n, u, s, l);
    double rest = type == TYPE ? (double)q.rest : NAME(residual_wide)(n, u, s, l);
    double r2 = 1.0 - rounded(rest / (double)q.total, type);
    return isnan(r2) ? 0 : r2;
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

static void NAME(fit)(const vel_steady_opts *o, const vel_gene_data *g, REAL *work, vel_steady *fit) {
    int64_t n = g->n, m = n;
    const REAL *u = g->u, *s = g->s, *fit_u = u, *fit_s = s;
    if (o->fit_cells) {
        m = NAME(gather)(n, u, o->fit_cells, work);
        NAME(gather)(n, s, o->fit_cells, work + n);
        fit_u = work;
        fit_s = work + n;
    }
    uint8_t *selected = (uint8_t *)(work + 4 * n);
    memset(selected, 0, (size_t)m);
    NAME(vel_extremes)(&o->extremes, m, fit_s, fit_u, work + 2 * n, selected);
    vel_type type = vel_steady_type(o, TYPE);
    moments extreme = NAME(moments)(m, fit_u, fit_s, selected);
    line l = fit_line(&extreme, o->offset, type, TYPE);
    l.gamma = clip(l.gamma, rounded(o->least_ratio, type), rounded(o->most_ratio, type));
    *fit = (vel_steady){.gamma = l.gamma, .offset = l.offset};
    if (o->r2_adjusted) {
        moments all = NAME(moments)(m, fit_u, fit_s, NULL);
        type = TYPE;
        l = fit_line(&all, o->offset, type, type);
    }
    fit->r2 = NAME(r2)(n, u, s, l, type);
    fit->any_u = NAME(any)(n, u);
    fit->any_s = NAME(any)(n, s);
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
