/* The steps that a step runs within itself, and whether it will. */
#include <math.h>
#include <string.h>

#include "core/counts.h"
#include "core/field.h"
#include "core/flaws.h"
#include "core/least.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"
#include "pipelines/layers.h"

/* The cells that a step looks at. Of what lies by columns first so many genes are read, and more until so many values
 * of these cells are seen. */
enum { PEEKED_CELLS = 5, PEEKED_GENES = 16, MOST_PEEKED_GENES = 1024, ENOUGH = 16 };

/* Whether the first cells of a piece are whole numbers, true if that cannot be told, and how many values were seen. */
static bool piece_looks_raw(vel_tally *t, const char *path, const vel_selection *piece, int64_t *seen) {
    vel_field f;
    vel_err failed = vel_peek(t->ctx, t->ad, path, piece, &f);
    if (failed) t->ctx->message[0] = 0; /* the step will say it */
    vel_counts m = vel_counts_of(&f);
    bool matrix = !failed && f.ndim == 2, raw = !matrix || vel_counts_whole(&m, vel_least(m.rows, PEEKED_CELLS));
    *seen = ENOUGH;
    if (matrix && m.indptr) *seen = m.indptr[vel_least(m.rows, PEEKED_CELLS)];
    vel_field_free(&f);
    return raw;
}

static void cut(const int64_t **of, int64_t *n, int64_t most, int64_t *first) {
    if (*n > most) *n = most;
    for (int64_t i = 0; i < *n; i++) first[i] = *of ? (*of)[i] : i;
    *of = first;
}

/* Whether the first cells of the layer, as the file has it, are whole numbers; true if that cannot be told. */
static bool looks_raw_in_file(vel_tally *t, const char *path) {
    vel_entry e = vel_entry_of(t->ad, path);
    vel_selection all = vel_selection_of(t->ad);
    int64_t first[MOST_PEEKED_GENES], seen = 0, genes = PEEKED_GENES;
    if (!vel_store_of(t->ad) || vel_is_integer(e.origin) || t->ctx->message[0]) return true;
    vel_selection piece = all;
    cut(&piece.obs, &piece.n_obs, PEEKED_CELLS, first);
    if (e.kind != VEL_SPARSE || strcmp(e.encoding, "csc_matrix") != 0) return piece_looks_raw(t, path, &piece, &seen);
    for (; seen < ENOUGH && genes <= MOST_PEEKED_GENES; genes *= 4) {
        piece = all;
        cut(&piece.var, &piece.n_vars, genes, first);
        if (!piece_looks_raw(t, path, &piece, &seen)) return false;
        if (piece.n_vars < genes) break;
    }
    return true;
}

/* A step before this one may change values of the layer, or make it. */
static bool is_changed(const vel_tally *t, const vel_planned *before, const char *path) {
    for (const vel_planned *s = t->plan->steps; s < before; s++)
        for (int k = 0; k < s->n_writes; k++)
            if (!s->writes[k].key->if_raw && vel_key_covers(s->writes[k].path, path)) return true;
    return false;
}

/* A step before this one has run within itself what this one would. */
static bool is_done(const vel_tally *t, const vel_planned *before, const char *maker) {
    for (const vel_planned *s = t->plan->steps; s < before; s++)
        for (int k = 0; k < s->n_writes; k++)
            if (s->writes[k].key->if_raw && s->writes[k].key->maker && !strcmp(s->writes[k].key->maker, maker))
                return true;
    return false;
}

bool vel_tally_is_raw(vel_tally *t, const vel_planned *s) {
    for (int k = 0; k < s->n_writes; k++) {
        const vel_planned_key *write = &s->writes[k];
        if (!write->key->if_raw || !t->ad || !vel_is_layer(write->path) || !strcmp(write->path, "X")) continue;
        if (!vel_has(t->ad, write->path) || is_changed(t, s, write->path)) continue;
        if (write->key->maker && is_done(t, s, write->key->maker)) return false;
        if (looks_raw_in_file(t, write->path)) return true;
    }
    return false;
}

const vel_step *vel_tally_within(const vel_tally *t, const vel_planned *s, int *k) {
    while (*k < s->n_writes) {
        const vel_planned_key *write = &s->writes[(*k)++];
        if (!write->key->maker) continue;
        if (write->key->if_raw ? t->raw : write->likely && !vel_planned_reads(s, write->path))
            return vel_step_find(write->key->maker);
    }
    return NULL;
}

void vel_tally_read_within(vel_tally *t, const vel_planned *s) {
    const vel_step *other;
    for (int k = 0; t->raw && (other = vel_tally_within(t, s, &k));)
        for (const vel_key *key = other->reads; key->name; key++) {
            bool there = vel_is_layer(key->name) && vel_has(t->ad, key->name) && !vel_tally_find(t, key->name);
            if (there) (void)vel_tally_read(t, &(vel_planned_key){.key = key, .path = key->name, .in_file = true});
        }
}

/* Of layers that a step reads as many of the largest as it has at the same time. */
static double whole_of(vel_tally *t, const vel_step *step) {
    double most = 0, sum = 0;
    for (const vel_key *key = step->reads; key->name; key++) {
        const vel_held *f = vel_is_layer(key->name) ? vel_tally_find(t, key->name) : NULL;
        bool again = false;
        for (const vel_key *k = step->reads; k < key; k++) again |= !strcmp(k->name, key->name);
        if (!f || again || !vel_tally_rests(f) || (key->unless && vel_tally_find(t, key->unless))) continue;
        double bytes = f->bytes * (t->n_vars <= step->work.values_only ? f->stored_share : 1);
        most = fmax(most, bytes);
        sum += bytes;
    }
    return step->work.at_once == 1 ? most : sum;
}

double vel_tally_whole_within(vel_tally *t, const vel_planned *s, bool changing) {
    double bytes = 0;
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));)
        if (other->work.through == VEL_AT_ONCE && s->writes[k - 1].key->if_raw == changing)
            bytes = fmax(bytes, whole_of(t, other));
    return bytes;
}
