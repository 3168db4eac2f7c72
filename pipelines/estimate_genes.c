/* How many genes a step will choose, as far as that can be known before it runs. */
#include <math.h>
#include <string.h>

#include "core/field.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Where it is not known yet: of ten genes about eight are velocity genes, seven to ten on simulated data. A limit
 * counts all. */
#define VELOCITY_SHARE 0.83

bool vel_option_number(const vel_planned *s, const char *name, double *x) {
    const vel_opt *row = vel_opt_find(s->call.step->opts, name);
    if (!row) return false;
    vel_value v = vel_opt_get(row, s->opts);
    if (vel_is_number(&v)) *x = v.real;
    return vel_is_number(&v);
}

bool vel_option_count(const vel_planned *s, const char *name, double *x) {
    const vel_opt *row = name ? vel_opt_find(s->call.step->opts, name) : NULL;
    if (!row) return false;
    vel_value v = vel_opt_get(row, s->opts);
    if (v.kind == VEL_VLIST) *x = (double)v.n_items;
    return v.kind == VEL_VLIST || vel_option_number(s, name, x);
}

/* Numbers other than 0 in a column of the file; < 0 if it cannot be told. Nothing is kept of it. */
static double numbers_in_file(vel_tally *t, const char *path) {
    vel_field f;
    double count = 0;
    if (!vel_store_of(t->ad) || t->ctx->message[0]) return -1;
    vel_err e = vel_peek(t->ctx, t->ad, path, NULL, &f);
    if (e) t->ctx->message[0] = 0; /* the step will say it */
    if (e) return -1;
    bool is_column = f.kind == VEL_DENSE && f.ndim == 1 && f.rows > 0;
    for (int64_t g = 0; is_column && g < f.rows; g++) {
        double x = vel_field_real(&f, g);
        count += x != 0 && !isnan(x);
    }
    vel_field_free(&f);
    return is_column ? count : -1;
}

/* The row by which a step writes the field; NULL: it does not. */
static const vel_key *writer_of(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_writes; k++)
        if (vel_key_covers(s->writes[k].path, path)) return s->writes[k].key;
    return NULL;
}

/* Genes that have a number in a column when the step begins, at most: those of the file, and those that the steps
 * before it say. */
static double numbers_at_most(vel_tally *t, const vel_planned *before, const char *path) {
    bool there = t->ad && vel_has(t->ad, path), made = false;
    double sum = there ? numbers_in_file(t, path) : 0, more;
    if (sum < 0) return t->n_vars;
    for (const vel_planned *s = t->plan->steps; s < before; s++) {
        const vel_key *key = writer_of(s, path);
        if (key && !vel_option_count(s, key->most, &more)) return t->n_vars;
        if (key) sum += more;
        made |= key != NULL;
    }
    return there || made ? fmin(sum, t->n_vars) : t->n_vars;
}

/* Of a choice that a step of the plan makes the largest share that it can be. */
static double share_at_most(vel_tally *t, const vel_planned *before, const char *path) {
    for (const vel_planned *s = before; s-- > t->plan->steps;) {
        const vel_key *key = writer_of(s, path);
        if (key) return key->among ? numbers_at_most(t, s, key->among) / fmax(t->n_vars, 1) : 1;
    }
    return 1;
}

void vel_tally_choose(vel_tally *t, const vel_planned *s) {
    double known = -1, most = 1;
    for (const vel_key *key = s->call.step->reads; key && key->name; key++) {
        if (!key->chooses) continue;
        known = 1;
        for (int r = 0; r < s->n_reads; r++) {
            if (s->reads[r].key != key) continue;
            double count = s->reads[r].in_file ? numbers_in_file(t, s->reads[r].path) : -1;
            known = count >= 0 ? count / (double)vel_n_vars(t->ad) : -1;
            if (!s->reads[r].in_file) most = share_at_most(t, s, s->reads[r].path);
        }
    }
    t->share = known >= 0 ? known : VELOCITY_SHARE * most;
    t->most_share = known >= 0 ? known : most;
}
