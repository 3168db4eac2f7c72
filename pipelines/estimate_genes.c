/* How many genes a step will choose, as far as that can be known before it runs. */
#include <math.h>
#include <string.h>

#include "core/field.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Where it cannot be told yet: of ten genes about eight are velocity genes, seven to ten on simulated data. A limit
 * counts all in any case. */
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

/* Of a choice that a step of the plan makes the share that it will be, as that step told it, and the largest that it
 * can be. */
static void share_made(vel_tally *t, const vel_planned *before, const char *path, double *told, double *most) {
    for (const vel_planned *s = before; s-- > t->plan->steps;) {
        const vel_key *key = writer_of(s, path);
        if (!key) continue;
        *told = t->told[s - t->plan->steps];
        if (key->among) *most = numbers_at_most(t, s, key->among) / fmax(t->n_vars, 1);
        return;
    }
}

/* Whether what the step chooses by is in the file: layers, columns of genes. */
static bool is_in_file(const vel_planned *s) {
    for (int r = 0; r < s->n_reads; r++) {
        const char *path = s->reads[r].path;
        if (!s->reads[r].in_file && (vel_is_layer(path) || !strncmp(path, "var/", 4))) return false;
    }
    return true;
}

/* The share of the genes that the step will choose, from some cells of the file; 0: that cannot be told. */
static double share_told(vel_tally *t, const vel_planned *s) {
    double share = 0;
    const vel_step *step = s->call.step;
    if (!step->share || !t->ad || !vel_store_of(t->ad) || t->ctx->message[0] || !is_in_file(s)) return 0;
    vel_mark mark = vel_arena_mark(t->ctx->scratch);
    vel_err e = step->share(t->ctx, t->ad, s->opts, &share);
    if (e) t->ctx->message[0] = 0; /* the step will say it */
    vel_arena_release(t->ctx->scratch, mark);
    vel_arena_trim(t->ctx->scratch);
    return e ? 0 : share;
}

void vel_tally_choose(vel_tally *t, const vel_planned *s) {
    double known = -1, most = 1, told = share_told(t, s);
    t->told[s - t->plan->steps] = told;
    for (const vel_key *key = s->call.step->reads; key && key->name; key++) {
        if (!key->chooses) continue;
        known = 1;
        for (int r = 0; r < s->n_reads; r++) {
            if (s->reads[r].key != key) continue;
            double count = s->reads[r].in_file ? numbers_in_file(t, s->reads[r].path) : -1;
            known = count >= 0 ? count / (double)vel_n_vars(t->ad) : -1;
            if (!s->reads[r].in_file) share_made(t, s, s->reads[r].path, &told, &most);
        }
    }
    t->share = known >= 0 ? known : told > 0 ? fmin(told, most) : VELOCITY_SHARE * most;
    t->most_share = known >= 0 ? known : most;
}
