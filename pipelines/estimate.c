#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/panels.h"
#include "io/h5ad.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Measured: what a process takes before it has any data, and for each worker. */
enum { BASE = 18 << 20, WORKER = 1 << 19 };
/* A tile of what is read or carried over, at most; what that and writing takes beside it, and writing of what lies in a
 * scratch file; what the linear algebra keeps once it was used. */
enum { TILE = 4 << 20, MOVING = 2 << 20, WRITING = 1 << 19, ALGEBRA = 4 << 20 };
/* A cell's name, as it is looked at, and more when it is carried over; that of a gene, with the columns of var. */
enum { NAME = 60, NAME_CARRIED = 30, GENE = 160 };
/* What the iterator of blocks has of each layer, at most. */
enum { BLOCK = 32 << 20, LEAST_BLOCK = 16, BLOCK_SHARE = 8, FEW_SHARE = 32, MOST_PAIRED = 4096 };
/* Spilled layers: Linux maps so much of a file around a page that is read; cells that the velocity graph takes. */
enum { PAGE = 1 << 12, MAPPED_AROUND = 1 << 16, CELLS = 4096 };

/* Room for what is foretold too low, a share of it and some bytes, more where a chain of steps leaves something behind:
 * a limit must hold. */
#define MARGIN 1.02
enum { SPARE = 3 << 19, SPARE_OF_CHAIN = 7 << 18 };

/* ---- what a step has beside its fields */

static bool is_read(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_reads; k++)
        if (!strcmp(s->reads[k].path, path)) return true;
    return false;
}

static bool is_written(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_writes; k++)
        if (s->writes[k].likely && !strcmp(s->writes[k].path, path)) return true;
    return false;
}

static bool counts(const vel_planned *s, const char *when) {
    return vel_key_counts(&(vel_key){.when = when}, s->call.step->opts, s->opts);
}

/* Its row for a call. */
static const vel_work *work_of(const vel_planned *s) {
    const vel_work *w = s->call.step->works;
    if (!w) return &s->call.step->work;
    while (!counts(s, w->when)) w++;
    return w;
}

/* Genes that it takes care of. */
static double genes_of(const vel_tally *t, const vel_planned *s) {
    double genes = t->n_vars;
    vel_option_count(s, work_of(s)->chosen, &genes);
    return fmin(genes, t->n_vars);
}

/* Genes that it takes at once, if what the iterator has of one is so many bytes. */
static double genes_at_once(const vel_tally *t, const vel_planned *s, double bytes) {
    const vel_work *w = work_of(s);
    double all = genes_of(t, s), genes = fmax(LEAST_BLOCK, fmin(BLOCK / fmax(bytes, 1), all / BLOCK_SHARE));
    if (w->block > 0)
        genes = w->genes_thread *
                fmax(t->threads, floor(fmin(BLOCK / fmax(t->n_obs * w->block, 1), all / FEW_SHARE) / w->genes_thread));
    else if (w->genes_thread)
        genes = w->genes_thread * t->threads;
    return fmin(genes, all);
}

static double of_pairs(const vel_tally *t, const vel_work *w) {
    double pairs = fmin(fmin(t->n_vars, t->n_obs), MOST_PAIRED);
    return pairs * pairs * w->gene_gene;
}

static double of_cells_and_genes(const vel_tally *t, const vel_planned *s, const vel_work *w, double genes) {
    double lanes = w->lanes * vel_tally_width(t, s, &(vel_key){0}),
           thread = genes < w->few * t->threads ? w->few_thread : w->cell_thread + lanes,
           neighbor = w->cell_neighbor + (vel_tally_walks_ties(s) ? w->cell_tie : 0);
    return t->n_obs * (w->cell + thread * t->threads + neighbor * t->n_neighbors) +
           t->n_vars * (w->gene + w->gene_component * vel_tally_components(t, s)) + w->thread * t->threads;
}

static bool copies(const vel_planned *s) { return work_of(s)->copy > 0 && counts(s, work_of(s)->copy_when); }

/* Of what it has beside its fields what goes before its results are made. */
static double at_first(vel_tally *t, const vel_planned *s) {
    const vel_work *w = work_of(s);
    double pairs = of_pairs(t, w);
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));) pairs = fmax(pairs, of_pairs(t, &other->work));
    if (copies(s)) pairs += w->copy_first * t->n_obs * t->n_vars;
    return pairs + w->search_neighbor * t->n_neighbors * t->n_obs;
}

/* Genes of sparse layers are laid out beside them. */
static double turned(const vel_tally *t, const vel_planned *s) {
    bool sparse = false;
    for (int i = 0; i < t->n_fields; i++)
        sparse |= t->fields[i].is_layer && t->fields[i].value == 0 && is_read(s, t->fields[i].path);
    return sparse ? genes_at_once(t, s, 0) * work_of(s)->turned : 0;
}

/* The rest; of a step that runs others within itself that of the largest. */
static double beside(const vel_tally *t, const vel_planned *s, double share) {
    const vel_work *w = work_of(s);
    double width = vel_tally_width(t, s, &(vel_key){0}), value = copies(s) ? w->copy * width : 0,
           own = of_cells_and_genes(t, s, w, genes_of(t, s)) +
                 t->n_obs * (turned(t, s) + t->n_vars * (value + share * (w->value + w->turned_value)));
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));)
        own = fmax(own, of_cells_and_genes(t, s, &other->work, t->n_vars));
    return own;
}

/* More of it at most. */
static double beside_at_most(const vel_tally *t, const vel_planned *s) {
    double ties = vel_tally_walks_ties(s) ? work_of(s)->most_tie : 0;
    return beside(t, s, t->most_share) + ties * t->n_neighbors * t->n_obs;
}

/* Of that the copy of a layer that passes, if the layer is in memory: it is turned in its place. */
static double turned_in_place(vel_tally *t, const vel_planned *s, double share) {
    double n_genes = t->n_vars * share;
    for (int r = 0; r < s->n_reads; r++) {
        bool passes = s->reads[r].key->passing && vel_is_layer(s->reads[r].path);
        const vel_held *f = passes ? vel_tally_find(t, s->reads[r].path) : NULL;
        if (f && f->value > 0 && vel_panels_suit(f->value > 4 ? VEL_F64 : VEL_F32, (int64_t)t->n_obs, (int64_t)n_genes))
            return t->n_obs * n_genes * work_of(s)->turned_value;
    }
    return 0;
}

/* Values of X, as they are stored, that it has a copy of. */
static double logged(vel_tally *t, const vel_planned *s) {
    const char *unless = work_of(s)->logged_unless;
    const vel_held *x = vel_tally_find(t, "X");
    return unless && !counts(s, unless) && x ? x->bytes * x->stored_share - x->narrows : 0;
}

/* ---- what is in memory at once, if layers lie in a scratch file */

/* Matrices of some size lie in the scratch file, too, and leave RAM at the end of each step. */
static bool rests(const vel_held *f) {
    double least = f->value > 0 ? VEL_SPILLED_FROM : 2 * VEL_SPILLED_FROM; /* of sparse ones each array */
    return f->is_layer || (f->is_matrix && f->bytes >= least);
}

static double of_small_fields(const vel_tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++)
        if (!rests(&t->fields[i])) bytes += t->fields[i].bytes;
    return bytes;
}

/* Of the other matrices those that the step uses: of a velocity graph the rows of a run of cells, and of some more that
 * are under way. */
static double of_matrices(const vel_tally *t, const vel_planned *s) {
    double bytes = 0, graph = fmin(1, 1.15 * CELLS / fmax(t->n_obs, 1));
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        if (f->is_layer || !rests(f) || (!is_read(s, f->path) && !is_written(s, f->path))) continue;
        bytes += (f->most - f->unused) * (f->is_graph ? graph : 1);
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
    const vel_work *work = work_of(s);
    wholes w = {.n = 0};
    double sum = 0, alone = logged(t, s);
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        if (!f->is_layer || (!is_read(s, f->path) && !is_written(s, f->path))) continue;
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
static double touched(vel_tally *t, const vel_planned *s) {
    vel_way through = work_of(s)->through;
    if (through == VEL_AT_ONCE) return at_once(t, s);
    double dense[2] = {0, 0}, sparse = 0, bytes = 0, read = 0;
    for (int i = 0; i < t->n_fields; i++) {
        const vel_held *f = &t->fields[i];
        bool reads = is_read(s, f->path), in_turn = through == VEL_IN_TURN;
        if (!f->is_layer || (!reads && !is_written(s, f->path))) continue;
        read += reads;
        if (through == VEL_BY_CELLS)
            bytes += is_passing(s, f->path)
                         ? 0
                         : fmin(f->most, t->most_share * t->n_vars * (MAPPED_AROUND + CELLS * f->value));
        else if (f->value > 0)
            dense[reads] = in_turn ? fmax(dense[reads], f->value) : dense[reads] + f->value;
        else
            sparse = in_turn ? fmax(sparse, f->most) : sparse + f->most;
    }
    double gene = t->n_obs * (dense[0] + dense[1]), at_once = genes_at_once(t, s, gene);
    if (genes_of(t, s) < t->n_vars) bytes += at_once * read * MAPPED_AROUND; /* genes here and there */
    return bytes + sparse + at_once * gene;
}

/* A sparse matrix lies in the file by columns, and is dealt out to rows: it is touched everywhere. */
static bool is_dealt(const vel_entry *e) { return e->kind == VEL_SPARSE && !strcmp(e->encoding, "csc_matrix"); }

/* A tile of a sparse matrix: values, and with them indices. */
static double sparse_tile(const vel_tally *t, const vel_entry *e, double of_index) {
    double entries = fmin((double)vel_stored_in_file(t->ad, e->path), VEL_H5AD_SPARSE_TILE);
    return entries * (of_index + vel_tally_loaded(e) / fmax((double)e->stored, 1) * vel_tally_values_share(e));
}

static double reading_sparse(const vel_tally *t, const vel_entry *e, bool spilled) {
    double tile = sparse_tile(t, e, sizeof(int32_t));
    if (is_dealt(e)) return tile + (spilled ? vel_tally_loaded(e) : 0) + sizeof(int64_t) * t->n_obs;
    return spilled || e->stored < vel_stored_in_file(t->ad, e->path) ? tile : 0;
}

/* Of a dense layer two tiles, and the page of each gene that a tile comes to; of others a tile, which lies where it
 * stays if it is of a sparse matrix by rows and all of it is read. */
static double reading(vel_tally *t, const vel_planned *s, bool spilled) {
    double bytes = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const vel_planned_key *read = &s->reads[r];
        vel_entry e = vel_entry_of(t->ad, read->path), whole = e;
        whole.stored = vel_stored_in_file(t->ad, read->path);
        double all = vel_tally_loaded(&whole), one = fmin(TILE, all) + (spilled ? 0 : MOVING);
        if (!read->in_file || vel_tally_find(t, read->path)) continue;
        if (e.kind == VEL_SPARSE)
            one = reading_sparse(t, &e, spilled);
        else if (spilled && vel_is_layer(read->path) && e.kind == VEL_DENSE)
            one = fmin(2 * (double)VEL_H5AD_READ_TILE, all) + fmin(t->n_vars * PAGE, all);
        bytes = fmax(bytes, one);
    }
    return bytes;
}

/* What is kept of a tile, if memory is not short. */
static double kept_of_reading(vel_tally *t, const vel_planned *s) {
    double bytes = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        vel_entry e = vel_entry_of(t->ad, s->reads[r].path);
        if (s->reads[r].in_file && is_dealt(&e) && !vel_tally_find(t, s->reads[r].path))
            bytes = fmax(bytes, sparse_tile(t, &e, 0));
    }
    return bytes;
}

/* Whether genes or cells of what the file has are left out by now. */
static bool is_cut(const vel_tally *t, const vel_store *store, const vel_entry *e) {
    return t->n_obs < (double)store->n_obs || (vel_is_layer(e->path) && t->n_vars < (double)store->n_vars);
}

/* Of a sparse matrix that is cut on the way tiles of what comes, indices wide, and of what goes, and where rows start.
 */
static double cutting(const vel_entry *e) {
    double entries = fmin((double)e->stored, VEL_H5AD_SPARSE_TILE), value = e->origin == VEL_F64 ? 8 : 4;
    return entries * (sizeof(int64_t) + sizeof(int32_t) + 2 * value) + 2 * sizeof(int64_t) * (double)(e->rows + 1);
}

/* A tile of the largest array of the file that no step has made anew. */
static double carrying(vel_tally *t) {
    const vel_store *store = t->ad ? vel_store_of(t->ad) : NULL;
    double bytes = 0;
    for (int64_t i = 0; store && i < store->n_entries; i++) {
        const vel_entry *e = &store->entries[i];
        const vel_held *f = vel_tally_find(t, e->path);
        double part = e->kind == VEL_SPARSE ? vel_tally_values_share(e) : 1;
        if (f && f->made) continue;
        bool cut = is_cut(t, store, e), pieces = cut && e->kind == VEL_SPARSE;
        double left = vel_is_layer(e->path) ? t->n_vars / (double)store->n_vars : 1;
        bytes = fmax(bytes, pieces ? cutting(e) : (cut ? 1 + left : 1) * fmin(TILE, part * vel_tally_loaded(e)));
    }
    return bytes;
}

/* Of a layer a tile, and what is mapped of a panel of genes; of a sparse matrix pieces of one array. */
static double writing(const vel_tally *t, const vel_held *f) {
    if (!f->made || !rests(f)) return 0;
    if (f->value == 0) return fmin(f->most, TILE);
    if (!f->is_layer) return f->bytes;
    double rows = fmin(t->n_obs, VEL_H5AD_WRITE_TILE / fmax(t->n_vars * f->value, 1));
    return rows * f->value * t->n_vars +
           fmin(VEL_H5AD_PANEL, t->n_vars) * fmin(t->n_obs * f->value, rows * f->value + MAPPED_AROUND);
}

/* ---- the steps */

static void note(double bytes, const char *step, double *most, const char **where) {
    if (bytes <= *most) return;
    *most = bytes;
    *where = step;
}

/* What goes by names of genes chooses among these, and cuts nothing. */
static bool cuts_to(const vel_tally *t, const vel_planned *s, double *n_vars) {
    if (vel_opt_find(s->call.step->opts, "var_names")) return false;
    if (!vel_option_number(s, "n_top_genes", n_vars) || *n_vars >= t->n_vars) return false;
    const vel_opt *subset = vel_opt_find(s->call.step->opts, "subset");
    if (!subset) return true;
    vel_value v = vel_opt_get(subset, s->opts);
    return vel_is_true(&v);
}

static bool has_pairs(const vel_tally *t, const vel_planned *s) {
    bool any = work_of(s)->gene_gene > 0;
    const vel_step *other;
    for (int k = 0; (other = vel_tally_within(t, s, &k));) any |= other->work.gene_gene > 0;
    return any;
}

/* Whether it reads a selection of genes, for which it has made results already. */
static bool reads_late(const vel_planned *s) {
    for (int r = 0; r < s->n_reads; r++)
        if (s->reads[r].key->selected && !s->reads[r].key->passing) return true;
    return false;
}

/* Before the results are made, once they are, or while a field is read: fields, and what is beside them. */
static double at_most(double before, double after, double first, double work, double moved) {
    return fmax(fmax(before + first, after) + work, moved);
}

/* What comes in: bytes that pass, and of these what is in memory at once, if layers lie in a scratch file. */
static void read_all(vel_tally *t, const vel_planned *s, double *passing, double *at_once) {
    *passing = *at_once = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++)
        if (s->reads[r].in_file && !vel_tally_find(t, s->reads[r].path)) {
            double bytes = vel_tally_read(t, &s->reads[r]);
            *passing += bytes;
            *at_once += vel_is_layer(s->reads[r].path) ? fmin(bytes, BLOCK) : bytes;
        }
    vel_tally_read_within(t, s);
}

static void count_step(vel_tally *t, const vel_planned *s) {
    const char *name = s->call.step->name;
    double n_vars, passing, read_at_once, kept = kept_of_reading(t, s), moved = reading(t, s, false),
                                          most_moved = moved, spilled = reading(t, s, true);
    vel_option_number(s, "n_neighbors", &t->n_neighbors);
    vel_tally_choose(t, s);
    t->raw = vel_tally_is_raw(t, s);
    vel_tally_walk(t, s);
    read_all(t, s, &passing, &read_at_once);
    if (has_pairs(t, s)) t->lasting = ALGEBRA;
    double first = at_first(t, s), before = vel_tally_resident(t) + passing,
           more = t->share > 0 ? t->most_share / t->share : 1,
           most_before = vel_tally_most_resident(t) + passing * more, whole = vel_tally_whole_within(t, s, true);
    moved += before;
    most_moved += most_before;
    double at_start = of_small_fields(t) + of_matrices(t, s) + first,
           copied = logged(t, s) - turned_in_place(t, s, t->share), most_copied = logged(t, s);
    if (!t->raw) whole = fmax(whole, touched(t, s)); /* else it goes through what was changed */
    vel_tally_change(t, s);
    before = fmax(before - first, vel_tally_resident(t) + passing); /* what goes first goes once layers are changed */
    most_before = fmax(most_before - first, vel_tally_most_resident(t) + passing * more);
    double arrived = vel_tally_resident(t), most_arrived = vel_tally_most_resident(t);
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].likely || s->writes[w].key->shape == VEL_VAR) vel_tally_write(t, s, &s->writes[w]);
    if (reads_late(s))
        moved += vel_tally_resident(t) - arrived, most_moved += vel_tally_most_resident(t) - most_arrived;
    double work = kept + beside(t, s, t->share) + copied, most_work = kept + beside_at_most(t, s) + most_copied;
    before -= logged(t, s); /* X is copied once layers are changed */
    most_before -= logged(t, s);
    note(t->lasting + at_most(before, vel_tally_resident(t), first, work, moved), name, &t->peak, &t->e->peak_step);
    t->sure =
        fmax(t->sure, t->lasting + at_most(most_before, vel_tally_most_resident(t), first, most_work, most_moved));
    double run = fmax(fmax(touched(t, s), vel_tally_whole_within(t, s, false)), read_at_once),
           others = of_small_fields(t) + of_matrices(t, s), work_beside = beside_at_most(t, s),
           early = fmax(at_start - first, others) + whole, late = fmax(at_start, others) + run;
    note(t->lasting + fmax(fmax(early, late) + work_beside, others + spilled), name, &t->least, &t->e->least_step);
    vel_tally_give_parts(t);
    if (cuts_to(t, s, &n_vars)) vel_tally_cut(t, n_vars);
}

/* All fields are there, or with layers in a scratch file one after the other. */
static void count_writing(vel_tally *t, const char *last) {
    double moved = carrying(t) + MOVING + NAME_CARRIED * t->n_obs, most = carrying(t);
    note(t->lasting + vel_tally_resident(t) + moved, last, &t->peak, &t->e->peak_step);
    t->sure = fmax(t->sure, t->lasting + vel_tally_most_resident(t) + moved);
    for (int i = 0; i < t->n_fields; i++) most = fmax(most, writing(t, &t->fields[i]));
    most += WRITING + NAME_CARRIED * t->n_obs;
    note(of_small_fields(t) + t->lasting + most, "writing", &t->least, &t->e->least_step);
}

/* The neighbours that the file's own graph has. */
static double neighbors_in(const vel_adata *ad) {
    vel_entry e = vel_entry_of(ad, "obsp/distances");
    return e.kind == VEL_SPARSE && e.rows ? round((double)e.stored / (double)e.rows) + 1 : 30;
}

static int64_t with_room(const vel_plan *plan, int64_t bytes) {
    return (int64_t)(MARGIN * (double)bytes) + (plan->n_steps > 1 ? SPARE_OF_CHAIN : SPARE);
}

vel_estimate vel_estimate_make(vel_ctx *ctx, const vel_adata *ad, const vel_plan *plan) {
    vel_estimate e = {.peak_step = "reading", .least_step = "reading"};
    vel_tally t = {.ctx = ctx, .ad = ad, .plan = plan, .threads = ctx->threads, .n_neighbors = 30, .e = &e};
    if (ad) {
        t.n_obs = (double)vel_n_obs(ad);
        t.n_vars = (double)vel_n_vars(ad);
        t.n_neighbors = neighbors_in(ad);
    } else if (plan->n_steps) {
        vel_option_number(&plan->steps[0], "n_obs", &t.n_obs);
        vel_option_number(&plan->steps[0], "n_vars", &t.n_vars);
    }
    e.n_obs = (int64_t)t.n_obs;
    e.n_vars = (int64_t)t.n_vars;
    for (int i = 0; i < plan->n_steps; i++) count_step(&t, &plan->steps[i]);
    if (plan->n_steps) count_writing(&t, plan->steps[plan->n_steps - 1].call.step->name);
    int64_t base = BASE + (int64_t)WORKER * ctx->threads + NAME * e.n_obs + GENE * e.n_vars;
    e.inputs = (int64_t)t.inputs;
    e.results = (int64_t)t.results;
    e.peak = (int64_t)t.peak + base;
    e.sure = with_room(plan, (int64_t)t.sure + base);
    e.least = with_room(plan, (int64_t)fmin(t.least, t.sure) + base);
    return e;
}

vel_err vel_estimate_check(vel_ctx *ctx, const vel_estimate *e, bool *spill) {
    *spill = ctx->max_memory && e->sure > ctx->max_memory;
    if (!*spill || e->least <= ctx->max_memory) return VEL_OK;
    char need[16], allowed[16];
    return vel_fail(ctx, VEL_EBUDGET, "at least %s of memory would be needed (in %s), --max-memory allows %s",
                    vel_bytes_text(e->least, need), e->least_step, vel_bytes_text(ctx->max_memory, allowed));
}

char *vel_bytes_text(int64_t bytes, char text[16]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double x = (double)bytes;
    int unit = 0;
    while (x >= 999.5 && unit < 5) x /= 1000, unit++;
    snprintf(text, 16, unit && x < 9.995 ? "%.2f %s" : unit && x < 99.95 ? "%.1f %s" : "%.0f %s", x, units[unit]);
    return text;
}

bool vel_bytes_parse(const char *text, int64_t *bytes) {
    static const char letters[] = "kmgtp";
    char *end;
    double x = strtod(text, &end);
    if (end == text || !(x > 0)) return false;
    const char *letter = *end ? strchr(letters, *end | 0x20) : NULL;
    if (letter) {
        end++;
        double unit = *end == 'i' ? 1024 : 1000;
        for (int i = 0; i <= letter - letters; i++) x *= unit;
        if (*end == 'i') end++;
    }
    if (*end == 'B' || *end == 'b') end++;
    if (*end || x >= 9e18) return false;
    *bytes = (int64_t)x;
    return *bytes > 0;
}
