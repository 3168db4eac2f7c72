/* What is in memory at once, if layers lie in a scratch file. */
#include <math.h>
#include <string.h>

#include "io/h5ad.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Cells of which the velocity graph has the velocities at once. */
enum { CELLS = 4096 };

/* Layers and other matrices whose values are of some size lie there, and leave RAM at the end of each step. */
bool vel_tally_rests(const vel_held *f) {
    double least = f->value > 0 || f->is_layer ? VEL_SPILLED_FROM : 2 * VEL_SPILLED_FROM; /* of a graph each array */
    return (f->is_layer || f->is_matrix) && f->bytes * (f->is_layer ? f->stored_share : 1) >= least;
}

double vel_tally_small_fields(const vel_tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++)
        if (!vel_tally_rests(&t->fields[i])) bytes += t->fields[i].most;
    return bytes;
}

/* Of the other matrices those that the step uses: of a velocity graph where rows begin, and the rows that are made at
 * once. */
double vel_tally_matrices(const vel_tally *t, const vel_planned *s) {
    double bytes = 0, begins = sizeof(int64_t) * (t->n_obs + 1), graph = vel_tally_rows_at_once(t) / fmax(t->n_obs, 1);
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        if (f->is_layer || !vel_tally_rests(f) || (!vel_planned_reads(s, f->path) && !vel_planned_writes(s, f->path)))
            continue;
        bytes += f->is_graph ? begins + (f->most - f->unused - begins) * graph : f->most - f->unused;
    }
    return bytes;
}

double vel_tally_own_matrices(vel_tally *t, const vel_planned *s) {
    double bytes = 0;
    for (const vel_key *key = s->call.step->reads; key && key->name; key++) {
        const vel_held *f = vel_tally_find(t, key->name);
        if (!f || f->is_layer || !vel_tally_rests(f) || (key->unless && vel_tally_find(t, key->unless))) continue;
        bytes += f->most;
    }
    return bytes;
}

/* Read by blocks of genes even if the step goes through the others by cells. */
static bool is_passing(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_reads; k++)
        if (s->reads[k].key->passing && !strcmp(s->reads[k].path, path)) return true;
    return false;
}

/* Of layers that it has as a whole as many of the largest as it has at the same time. */
typedef struct {
    double bytes[VEL_MOST_FIELDS];
    int n;
} wholes;

static void add_whole(wholes *w, double bytes) {
    int at = w->n++;
    for (; at > 0 && w->bytes[at - 1] < bytes; at--) w->bytes[at] = w->bytes[at - 1];
    w->bytes[at] = bytes;
}

static double at_once(vel_tally *t, const vel_planned *s) {
    const vel_work *work = vel_planned_work(t, s);
    wholes w = {.n = 0};
    double sum = 0, alone = vel_tally_logged(t, s);
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        if (!f->is_layer || !vel_tally_rests(f)) continue;
        if (!vel_planned_reads(s, f->path) && !vel_planned_writes(s, f->path)) continue;
        double bytes = f->most * (t->n_vars <= work->values_only ? f->stored_share : 1);
        if (work->x_alone && !strcmp(f->path, "X"))
            alone = fmax(bytes, bytes - f->narrows + alone);
        else
            add_whole(&w, bytes);
    }
    if (!work->x_alone && alone > 0 && w.n < VEL_MOST_FIELDS) add_whole(&w, alone);
    for (int i = 0; i < w.n && (i < work->at_once || !work->at_once); i++) sum += w.bytes[i];
    return work->x_alone ? fmax(sum, alone) : sum;
}

/* Of the layers that the step uses: a block of genes of the dense ones, a run of cells, or all; of sparse ones all. */
double vel_tally_touched(vel_tally *t, const vel_planned *s) {
    vel_way through = vel_planned_work(t, s)->through;
    if (through == VEL_AT_ONCE) return at_once(t, s);
    double dense[2] = {0, 0}, sparse = 0, bytes = 0, read = 0;
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        bool reads = vel_planned_reads(s, f->path), in_turn = through == VEL_IN_TURN;
        if (!f->is_layer || !vel_tally_rests(f) || (!reads && !vel_planned_writes(s, f->path))) continue;
        read += reads;
        if (through == VEL_BY_CELLS)
            bytes += is_passing(s, f->path)
                         ? 0
                         : fmin(f->most, t->most_share * t->n_vars * (VEL_MAPPED_AROUND + CELLS * f->value));
        else if (f->value > 0)
            dense[reads] = in_turn ? fmax(dense[reads], f->value) : dense[reads] + f->value;
        else
            sparse = in_turn ? fmax(sparse, f->most) : sparse + f->most;
    }
    double gene = t->n_obs * (dense[0] + dense[1]), at_once = vel_tally_genes_at_once(t, s, gene);
    if (vel_tally_genes(t, s) < t->n_vars) bytes += at_once * read * VEL_MAPPED_AROUND; /* genes here and there */
    return bytes + sparse + at_once * gene;
}
