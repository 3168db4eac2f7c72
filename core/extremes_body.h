/* extremes_body.h - the part of extremes.c that exists in both precisions: included there twice, with
 *
 *     REAL   float or double, the type of the data
 *     NAME   puts the suffix of the precision to a name
 */

void NAME(vel_extremes)(const vel_extremes *e, int64_t n, const REAL *s, const REAL *u, REAL *work, uint8_t *selected) {
    const vel_extremes_bodies *body = vel_extremes_at(vel_cpu_level());
    const REAL *z = s, least = (REAL)LEAST_MAXIMUM;
    if (u) {
        REAL most_s = body->NAME(ceiling)(n, s, least), most_u = body->NAME(ceiling)(n, u, least);
        vel_ratios_at(vel_cpu_level())->NAME(sum)(n, s, most_s, u, most_u, work);
        z = work;
    }
    bounds b = NAME(bounds)(e, n, z, work + n);
    if (e->both)
        for (int64_t c = 0; c < n; c++) selected[c] |= (double)z[c] >= b.upper || (double)z[c] <= b.lower;
    else
        body->NAME(flag)(n, z, (REAL)b.upper, selected); /* exact: it was found in this type */
}

#undef REAL
#undef NAME
