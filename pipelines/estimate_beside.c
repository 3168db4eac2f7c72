/* What a step has beside its fields. */
#include <math.h>
#include <string.h>

#include "core/panels.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* What the iterator of blocks has of each layer, at least, and of all genes at most. */
enum { LEAST_BLOCK = 16, BLOCK_SHARE = 8, FEW_SHARE = 32 };

bool vel_planned_writes(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_writes; k++)
        if (s->writes[k].likely && !strcmp(s->writes[k].path, path)) return true;
    return false;
}

bool vel_planned_holds(const vel_planned *s, const char *when) {
    return vel_key_counts(&(vel_key){.when = when}, s->call.step->opts, s->opts);
}

bool vel_tally_are_few(const vel_tally *t, int more_than) {
    return more_than > 0 && round(t->n_vars * t->most_share) <= more_than;
}

const vel_work *vel_planned_work(const vel_tally *t, const vel_planned *s) {
    const vel_work *w = s->call.step->works;
    if (!w) return &s->call.step->work;
    while (!vel_planned_holds(s, w->when) || vel_tally_are_few(t, w->more_than)) w++;
    return w;
}

/* Genes that it takes care of. */
double vel_tally_genes(const vel_tally *t, const vel_planned *s) {
    double genes = t->n_vars;
    vel_option_count(s, vel_planned_work(t, s)->chosen, &genes);
    return fmin(genes, t->n_vars);
}

/* Genes that it takes at once, if what the iterator has of one is so many bytes. */
double vel_tally_genes_at_once(const vel_tally *t, const vel_planned *s, double bytes) {
    const vel_work *w = vel_planned_work(t, s);
    double all = vel_tally_genes(t, s),
           genes = fmax(LEAST_BLOCK, fmin(VEL_BLOCK_BYTES / fmax(bytes, 1), all / BLOCK_SHARE));
    if (w->block > 0)
        genes = w->genes_thread *
                fmax(t->threads,
                     floor(fmin(VEL_BLOCK_BYTES / fmax(t->n_obs * w->block, 1), all / FEW_SHARE) / w->genes_thread));
    else if (w->genes_thread)
        genes = w->genes_thread * t->threads;
    return fmin(genes, all);
}

/* Of each neighbour that is looked for: its number and distance, and both in a graph. */
enum { SOUGHT = 24 };

static double neighbors_of(const vel_tally *t) { return fmax(t->n_neighbors, t->sought); }

static double of_neighbor(const vel_planned *s, const vel_work *w) {
    return w->cell_neighbor + (vel_tally_walks_ties(s) ? w->cell_tie : 0);
}

static double of_cells_and_genes(const vel_tally *t, const vel_planned *s, const vel_work *w, double genes) {
    double lanes = w->lanes * vel_tally_width(t, s, &(vel_key){0}),
           thread = genes < w->few * t->threads ? w->few_thread : w->cell_thread + lanes;
    return t->n_obs * (w->cell + thread * t->threads + of_neighbor(s, w) * neighbors_of(t) + SOUGHT * t->sought) +
           t->n_vars * w->gene + w->thread * t->threads;
}

static bool copies(const vel_tally *t, const vel_planned *s) {
    return vel_planned_work(t, s)->copy > 0 && vel_planned_holds(s, vel_planned_work(t, s)->copy_when);
}

/* Of a step that makes lists of neighbours before it reads layers, these. */
double vel_tally_lists(const vel_tally *t, const vel_planned *s) {
    const vel_work *w = vel_planned_work(t, s);
    return w->early_tie > 0 ? t->n_obs * (of_neighbor(s, w) * neighbors_of(t) + SOUGHT * t->sought) : 0;
}

/* What it has before layers are read, and no more once they are. */
double vel_tally_early(const vel_tally *t, const vel_planned *s, bool most) {
    const vel_work *w = vel_planned_work(t, s);
    if (!vel_tally_walks_ties(s)) return 0;
    return t->n_obs *
           ((w->cell_neighbor + w->early_tie + (most ? w->most_tie : 0)) * neighbors_of(t) + SOUGHT * t->sought);
}

/* Of what it has beside its fields what goes before its results are made. */
double vel_tally_at_first(vel_tally *t, const vel_planned *s) {
    const vel_work *w = vel_planned_work(t, s);
    double bytes = vel_tally_components_at_first(t, s);
    if (copies(t, s)) bytes += w->copy_first * t->n_obs * t->n_vars;
    return bytes + w->search_neighbor * t->n_neighbors * t->n_obs;
}

/* Genes of sparse layers are laid out beside them. */
static double turned(const vel_tally *t, const vel_planned *s) {
    bool sparse = false;
    for (int i = 0; i < t->n_fields; i++)
        sparse |= t->fields[i].is_layer && t->fields[i].value == 0 && vel_planned_reads(s, t->fields[i].path);
    return sparse ? vel_tally_genes_at_once(t, s, 0) * vel_planned_work(t, s)->turned : 0;
}

static double of_share(vel_tally *t, const vel_planned *s, double share) {
    const vel_work *w = vel_planned_work(t, s);
    double width = vel_tally_width(t, s, &(vel_key){0}), value = copies(t, s) ? w->copy * width : 0;
    return vel_tally_bytes_at_once(t, t->reach) + of_cells_and_genes(t, s, w, vel_tally_genes(t, s)) +
           t->n_obs * (turned(t, s) + t->n_vars * (value + share * (w->value + w->turned_value)));
}

double vel_tally_beside_own(vel_tally *t, const vel_planned *s) { return of_share(t, s, t->most_share); }

/* Of steps within it that of the largest. */
static double of_steps_within(const vel_tally *t, const vel_planned *s, bool changing_only) {
    double bytes = 0;
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));)
        if (!changing_only || s->writes[k - 1].key->if_raw)
            bytes = fmax(bytes, of_cells_and_genes(t, s, &other->work, t->n_vars));
    return bytes;
}

double vel_tally_beside_changing(const vel_tally *t, const vel_planned *s) { return of_steps_within(t, s, true); }

double vel_tally_beside_within(vel_tally *t, const vel_planned *s) {
    return of_steps_within(t, s, false) + vel_tally_components_beside(t, s);
}

/* The rest; of a step that runs others within itself that of the largest. */
double vel_tally_beside(vel_tally *t, const vel_planned *s, double share) {
    return fmax(of_share(t, s, share), of_steps_within(t, s, false)) + vel_tally_components_beside(t, s);
}

/* More of it at most. */
double vel_tally_beside_at_most(vel_tally *t, const vel_planned *s) {
    return vel_tally_beside(t, s, t->most_share) + vel_tally_bytes_at_once(t, t->most_reach) -
           vel_tally_bytes_at_once(t, t->reach);
}

/* Of that the copy of a layer that passes, if the layer is in memory: it is turned in its place. */
double vel_tally_turned_in_place(vel_tally *t, const vel_planned *s, double share) {
    double n_genes = t->n_vars * share;
    for (int r = 0; r < s->n_reads; r++) {
        bool passes = s->reads[r].key->passing && vel_is_layer(s->reads[r].path);
        const vel_held *f = passes ? vel_tally_find(t, s->reads[r].path) : NULL;
        if (f && f->value > 0 && vel_panels_suit(f->value > 4 ? VEL_F64 : VEL_F32, (int64_t)t->n_obs, (int64_t)n_genes))
            return t->n_obs * n_genes * vel_planned_work(t, s)->turned_value;
    }
    return 0;
}

/* Values of X, as they are stored, that it has a copy of. */
double vel_tally_logged(vel_tally *t, const vel_planned *s) {
    const char *unless = vel_planned_work(t, s)->logged_unless;
    const vel_held *x = vel_tally_find(t, "X");
    return unless && !vel_planned_holds(s, unless) && x ? x->bytes * x->stored_share - x->narrows : 0;
}
