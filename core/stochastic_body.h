/* stochastic_body.h - the part of stochastic.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     TYPE   VEL_F32 or VEL_F64
 *     NAME   puts the suffix of the precision to a name
 */

/* The line c = gamma2 v (+ o2) through all cells, one cell after the other. */
static vel_steady NAME(second_line)(int64_t n, const REAL *v, const REAL *c, bool offset) {
    REAL vv = 0, vc = 0, v_ = 0, c_ = 0, count = (REAL)n;
    for (int64_t i = 0; i < n; i++) {
        vv += v[i] * v[i];
        vc += v[i] * c[i];
    }
    for (int64_t i = 0; i < n && offset; i++) {
        v_ += v[i];
        c_ += c[i];
    }
    REAL gamma = vc / vv, o2 = 0;
    if (offset) {
        v_ /= count;
        c_ /= count;
        REAL slope = (vc / count - v_ * c_) / (vv / count - v_ * v_);
        o2 = c_ - slope * v_;
        if (o2 < 0)
            o2 = 0;
        else
            gamma = slope;
    }
    return (vel_steady){.gamma = isnan(gamma) ? 0 : (double)gamma, .offset = isnan(o2) ? 0 : (double)o2};
}

/* The deviation of its residual: double, but in the type of the data once there is an offset of that type. */
static double NAME(second_deviation)(int64_t n, const REAL *v, const REAL *c, const vel_steady *line, bool offset,
                                     double *work) {
    REAL gamma = (REAL)line->gamma, o2 = (REAL)line->offset, *x = (REAL *)work;
    if (offset) {
        for (int64_t i = 0; i < n; i++) x[i] = c[i] - gamma * v[i] - o2;
        return NAME(deviation)(n, x);
    }
    for (int64_t i = 0; i < n; i++) work[i] = (double)(c[i] - gamma * v[i]);
    return vel_std_f64(work, n, work);
}

/* First moments of the extreme cells, the others zero, over the deviation s1 of type s1_type. Zeros add nothing but to
 * the weights, unless they are 0 / 0. */
static block NAME(first_block)(const vel_gene_data *g, const uint8_t *selected, double s1, vel_type s1_type,
                               bool offset) {
    const REAL *u = g->u, *s = g->s;
    block b = {0};
    bool every = offset || !(s1 > 0);
    for (int64_t c = 0; c < g->n; c++) {
        if (!every && !selected[c]) continue;
        double x = selected[c] ? (double)s[c] : 0, y = selected[c] ? (double)u[c] : 0;
        x /= s1;
        y /= s1;
        add_row(&b, 1 / s1, s1_type == VEL_F32 ? (double)(float)x : x, s1_type == VEL_F32 ? (double)(float)y : y);
    }
    return b;
}

/* Second moments of all cells over the deviation s2; sums of the weights and such only for an offset. */
static block NAME(second_block)(int64_t n, const REAL *v, const REAL *c, double s2, bool offset) {
    typedef double pair __attribute__((vector_size(16)));
    block b = {0};
    for (int64_t i = 0; i < n && !offset; i++) {
        pair x = (pair){(double)v[i], (double)c[i]} / s2;
        b.ss += x[0] * x[0];
        b.us += x[0] * x[1];
    }
    for (int64_t i = 0; i < n && offset; i++) {
        double x = (double)v[i] / s2, y = (double)c[i] / s2;
        add_row(&b, 1 / s2, (double)(REAL)x, (double)(REAL)y);
    }
    return b;
}

static vel_stochastic NAME(fit)(const vel_stochastic_opts *o, const vel_gene_data *g, const vel_second_moments *second,
                                const vel_steady *steady, double *work) {
    int64_t n = g->n;
    const REAL *u = g->u, *s = g->s;
    REAL *v = (REAL *)work, *c = (REAL *)(work + n), *quantiles = (REAL *)(work + 4 * n);
    double *residual = work + 2 * n;
    uint8_t *selected = (uint8_t *)(work + 6 * n);
    for (int64_t i = 0; i < n; i++) {
        v[i] = 2 * (REAL)second->ss[i] - s[i];
        c[i] = 2 * (REAL)second->us[i] + u[i];
    }
    vel_steady line = NAME(second_line)(n, v, c, o->offset2);
    double s1 = first_deviation(o, g, steady, residual);
    double s2 = NAME(second_deviation)(n, v, c, &line, o->offset2, residual);
    memset(selected, 0, (size_t)n);
    NAME(vel_extremes)(&o->steady.extremes, n, s, u, quantiles, selected);
    NAME(vel_extremes)(&o->steady.extremes, n, s, NULL, quantiles, selected);
    block first = NAME(first_block)(g, selected, s1, vel_steady_type(&o->steady, TYPE), o->steady.offset);
    block rest = NAME(second_block)(n, v, c, s2, o->offset2);
    return solve(o, &first, &rest);
}

/* With an offset the ratio of the reference is a double, and everything after it; unless it was made anew. */
static void NAME(variance)(const vel_stochastic_opts *o, const vel_gene_data *g, const vel_second_moments *second,
                           const vel_stochastic *fit, double *variance) {
    const REAL *u = g->u, *s = g->s;
    bool wide = o->steady.offset && !o->anew;
    REAL gamma = (REAL)fit->gamma, offset = 2 * (REAL)fit->offset, offset2 = (REAL)fit->offset2;
    for (int64_t i = 0; i < g->n; i++) {
        REAL v = 2 * (REAL)second->ss[i] - s[i], c = 2 * (REAL)second->us[i] + u[i];
        REAL covariance = c - 2 * s[i] * u[i], spread = v - 2 * (s[i] * s[i]);
        if (wide)
            variance[i] =
                (double)covariance - fit->gamma * (double)spread + 2 * fit->offset * (double)s[i] - fit->offset2;
        else
            variance[i] = (double)(covariance - gamma * spread + offset * s[i] - offset2);
    }
}

#undef REAL
#undef TYPE
#undef NAME
