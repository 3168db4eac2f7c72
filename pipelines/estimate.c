#include "pipelines/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "core/panels.h"
#include "io/h5ad.h"
#include "pipelines/key.h"

/* Measured: what a process takes before it has any data, and for each worker. */
enum { BASE = 18 << 20, WORKER = 1 << 19 };
/* To read a field and to write it; to write one where none is read; a tile of what is carried over; what a write takes
 * beside its tile; what the linear algebra keeps once it was used. */
enum { TRANSFER = 6 << 20, MADE = 2 << 20, CARRIED = 4 << 20, WRITING = 2 << 20, ALGEBRA = 4 << 20 };
enum { NAME = 120 }; /* of a cell or gene, as it is looked at and carried over */
/* A field of a few columns; one of principal components, unless it is said how many; what the iterator of blocks has of
 * each layer, at most. */
enum {
    SOME_COLUMNS = 12,
    COMPONENTS = 50,
    SMALL = 1 << 12,
    BLOCK = 32 << 20,
    LEAST_BLOCK = 16,
    MOST_PAIRED = 4096,
    MOST_FIELDS = 512
};
/* Spilled layers: Linux maps so much of a file around a page that is read; cells that the velocity graph takes. */
enum { PAGE = 1 << 12, MAPPED_AROUND = 1 << 16, CELLS = 4096 };
/* An entry of a graph over one hop (values of 8 and 4 bytes, the second in both directions) and over two. */
enum { GRAPH_ENTRY = 12, HOPS_ENTRY = 8 };
/* What its arrays leave unused of their last pages. */
enum { LARGE_PAGES = 1 << 17 };

/* Of the k^2 cells that two hops could reach those that are reached and have one sign: the share grows with the cells,
 * between which fewer ways meet. Measured on simulated data of 4,000 to 50,000 cells, less on real data. */
#define HOPS_SHARE 0.36
#define HALF_OF_HOPS 3000
#define MOST_HOPS 1.05

/* Room for what is foretold too low, a share of it and some bytes, more where a chain of steps leaves something behind:
 * a limit must hold. */
#define MARGIN 1.03
enum { SPARE = 9 << 18, SPARE_OF_CHAIN = 5 << 19 };

/* Where it is not known yet: of ten genes about eight are velocity genes, seven to ten on simulated data. A limit
 * counts all. */
#define VELOCITY_SHARE 0.83

typedef struct {
    const char *path;
    double bytes, value; /* value: bytes of one, 0 if sparse */
    double most;         /* bytes, where the number of velocity genes or of entries is not known */
    double stored_share; /* of its bytes those of values */
    bool is_layer, is_matrix, made;
    bool is_graph; /* it leaves RAM while it is made, if it is spilled */
} field;

typedef struct {
    vel_ctx *ctx;
    const vel_adata *ad;
    int threads;
    double n_obs, n_vars, n_neighbors;
    double share, most_share;  /* of the genes that are velocity genes */
    field fields[MOST_FIELDS]; /* that are in memory, in the order of coming in */
    int n_fields;
    vel_estimate *e;
    double lasting; /* what libraries keep */
    double peak, sure, least, inputs, results;
} tally;

static bool number_of(const vel_planned *s, const char *name, double *x) {
    const vel_opt *row = vel_opt_find(s->call.step->opts, name);
    if (!row) return false;
    vel_value v = vel_opt_get(row, s->opts);
    if (vel_is_number(&v)) *x = v.real;
    return vel_is_number(&v);
}

/* ---- how large a field is */

/* Integers of 32 bits and more come in as float64, narrower ones as float32. */
static double loaded_size(vel_type t) {
    switch (t) {
        case VEL_I32:
        case VEL_I64:
        case VEL_U32:
        case VEL_U64:
        case VEL_F64:
            return 8;
        default:
            return 4;
    }
}

static double loaded_bytes(const vel_entry *e) {
    double n = (double)e->stored, size = loaded_size(e->origin);
    switch (e->kind) {
        case VEL_SPARSE:
            return n * (size + 4) + 8.0 * (double)(e->rows + 1);
        case VEL_DENSE:
            return n * (e->ndim == 2 ? size : 8);
        case VEL_TEXTS:
            return n * 32;
        case VEL_CATEGORICAL:
            return n * 4;
        case VEL_RECORDS:
            return n * 8;
        default:
            return SMALL;
    }
}

/* As the layer that it is like, or as wide as the widest of those that the step reads. */
static double size_of_reads(const tally *t, const vel_planned *s, const vel_key *key) {
    double size = 4;
    for (int r = 0; r < s->n_reads; r++)
        for (int i = 0; i < t->n_fields; i++) {
            const field *f = &t->fields[i];
            if (!f->is_layer || strcmp(f->path, s->reads[r].path)) continue;
            if (key->like && f->value > 0 && !strcmp(f->path, key->like)) return f->value;
            size = fmax(size, f->value);
        }
    return size;
}

/* Each hop more multiplies what can be reached, up to all cells. */
static double hops(const tally *t, const vel_planned *s) {
    double share = HOPS_SHARE * t->n_obs / (t->n_obs + HALF_OF_HOPS), count = 2;
    double reach = share * t->n_neighbors * t->n_neighbors;
    number_of(s, "n_recurse_neighbors", &count);
    for (int hop = 2; hop < count && reach < t->n_obs / 2; hop++) reach *= fmax(t->n_neighbors, 2);
    return fmin(reach, t->n_obs / 2);
}

static double components(const tally *t, const vel_planned *s) {
    double n = COMPONENTS;
    number_of(s, "n_comps", &n);
    return fmax(1, fmin(n, fmin(t->n_obs, t->n_vars) - 1));
}

static double written_bytes(const tally *t, const vel_planned *s, const vel_key *key, double size) {
    double columns = key->of_components ? components(t, s) : SOME_COLUMNS;
    switch (key->shape) {
        case VEL_OBS:
            return t->n_obs * 8;
        case VEL_VAR:
            return t->n_vars * 8;
        case VEL_OBS_VAR:
            return t->n_obs * t->n_vars * size;
        case VEL_OBS_OBS:
            return t->n_obs * t->n_neighbors * GRAPH_ENTRY;
        case VEL_OBS_HOPS:
            return t->n_obs * hops(t, s) * HOPS_ENTRY + LARGE_PAGES;
        case VEL_OBS_ANY:
            return t->n_obs * columns * size;
        case VEL_VAR_ANY:
            return t->n_vars * columns * size;
        case VEL_ANY_SHAPE:
        case VEL_UNS:
            break;
    }
    return SMALL;
}

/* ---- what is in memory */

static field *find(tally *t, const char *path) {
    for (int i = 0; i < t->n_fields; i++)
        if (!strcmp(t->fields[i].path, path)) return &t->fields[i];
    return NULL;
}

static void add(tally *t, const char *path, double bytes, double value, double *sum) {
    *sum += bytes;
    if (t->n_fields < MOST_FIELDS)
        t->fields[t->n_fields++] = (field){path, bytes, value, bytes, 1, .is_layer = vel_is_layer(path)};
}

/* Reads a field of the file; returns its bytes if it does not stay. */
static double read_field(tally *t, const vel_planned_key *read) {
    vel_entry e = vel_entry_of(t->ad, read->path);
    double all = (double)vel_n_vars(t->ad), kept = vel_is_layer(read->path) && all > 0 ? t->n_vars / all : 1;
    double bytes = loaded_bytes(&e) * kept * (read->key->selected ? t->share : 1);
    if (read->key->passing) {
        t->inputs += bytes;
        return bytes;
    }
    add(t, read->path, bytes, e.kind == VEL_DENSE ? loaded_size(e.origin) : 0, &t->inputs);
    field *come = &t->fields[t->n_fields - 1];
    come->is_matrix = e.ndim == 2;
    if (e.kind == VEL_SPARSE) come->stored_share = loaded_size(e.origin) / (loaded_size(e.origin) + sizeof(int32_t));
    if (read->key->selected) come->most *= t->most_share / t->share;
    return 0;
}

static bool is_sparse(vel_shape shape) { return shape == VEL_OBS_OBS || shape == VEL_OBS_HOPS; }

/* What is changed in place keeps its memory. */
static void write_field(tally *t, const vel_planned *s, const vel_planned_key *write) {
    vel_shape shape = write->key->shape;
    double size = write->key->type ? (double)vel_type_size(write->key->type) : size_of_reads(t, s, write->key);
    field *made = find(t, write->path);
    if (!made) {
        add(t, write->path, written_bytes(t, s, write->key, size), is_sparse(shape) ? 0 : size, &t->results);
        made = &t->fields[t->n_fields - 1];
        made->is_matrix = is_sparse(shape) || shape == VEL_OBS_ANY || shape == VEL_VAR_ANY;
        made->is_graph = shape == VEL_OBS_HOPS;
        if (made->is_graph) made->most *= MOST_HOPS;
    }
    made->made = true;
}

static double resident(const tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++) bytes += t->fields[i].bytes;
    return bytes;
}

static double most_resident(const tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++) bytes += t->fields[i].most;
    return bytes;
}

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

/* Whether it takes few genes at once, with arrays of their own. */
static bool has_block(const vel_planned *s) {
    const vel_work *w = &s->call.step->work;
    return w->block > 0 && counts(s, w->block_when);
}

/* Genes that it takes at once, if what the iterator has of one is so many bytes. */
static double genes_at_once(const tally *t, const vel_planned *s, double bytes) {
    const vel_work *w = &s->call.step->work;
    double genes = fmax(LEAST_BLOCK, fmin(BLOCK / fmax(bytes, 1), t->n_vars / 8));
    if (has_block(s))
        genes = w->genes_thread *
                fmax(t->threads, floor(fmin(BLOCK / fmax(t->n_obs * w->block, 1), t->n_vars / 32) / w->genes_thread));
    else if (w->genes_thread)
        genes = w->genes_thread * t->threads;
    return fmin(genes, t->n_vars);
}

static double of_pairs(const tally *t, const vel_work *w) {
    double pairs = fmin(fmin(t->n_vars, t->n_obs), MOST_PAIRED);
    return pairs * pairs * w->gene_gene;
}

static double of_cells_and_genes(const tally *t, const vel_planned *s, const vel_work *w) {
    return t->n_obs * (w->cell + w->cell_thread * t->threads + w->cell_neighbor * t->n_neighbors) +
           t->n_vars * (w->gene + w->gene_component * components(t, s)) + w->thread * t->threads;
}

/* The next of the steps that another runs within itself, from the k-th write on: they make what it would read if it
 * were there. NULL: none. */
static const vel_step *next_within(const vel_planned *s, int *k) {
    while (*k < s->n_writes) {
        const vel_planned_key *write = &s->writes[(*k)++];
        if (write->likely && write->key->maker && !is_read(s, write->path)) return vel_step_find(write->key->maker);
    }
    return NULL;
}

/* Of what it has beside its fields what goes before its results are made. */
static double at_first(const tally *t, const vel_planned *s) {
    const vel_work *w = &s->call.step->work;
    double pairs = of_pairs(t, w);
    const vel_step *other;
    for (int k = 0; (other = next_within(s, &k));) pairs = fmax(pairs, of_pairs(t, &other->work));
    return pairs + w->search_neighbor * t->n_neighbors * t->n_obs;
}

/* The rest; of a step that runs others within itself that of the largest. */
static double beside(const tally *t, const vel_planned *s, double share) {
    const vel_work *w = &s->call.step->work;
    double value =
               w->copy > 0 && counts(s, w->copy_when) ? w->copy * size_of_reads(t, s, &(vel_key){0}) + w->copy_more : 0,
           block = has_block(s) ? genes_at_once(t, s, 0) * w->block : 0,
           own = of_cells_and_genes(t, s, w) + t->n_obs * (block + t->n_vars * (value + share * w->value));
    const vel_step *other;
    for (int k = 0; (other = next_within(s, &k));) own = fmax(own, of_cells_and_genes(t, s, &other->work));
    return own;
}

/* Of that the copy of a layer that passes, if the layer is in memory: it is turned in its place. */
static double turned(tally *t, const vel_planned *s, double share) {
    double n_genes = t->n_vars * share;
    for (int r = 0; r < s->n_reads; r++) {
        const field *f = s->reads[r].key->passing && vel_is_layer(s->reads[r].path) ? find(t, s->reads[r].path) : NULL;
        if (f && f->value > 0 && vel_panels_suit(f->value > 4 ? VEL_F64 : VEL_F32, (int64_t)t->n_obs, (int64_t)n_genes))
            return t->n_obs * n_genes * s->call.step->work.value;
    }
    return 0;
}

/* Values of X, as they are stored, that it has a copy of. */
static double logged(tally *t, const vel_planned *s) {
    const char *unless = s->call.step->work.logged_unless;
    const field *x = find(t, "X");
    return unless && !counts(s, unless) && x ? x->bytes * x->stored_share : 0;
}

/* ---- what is in memory at once, if layers lie in a scratch file */

/* Matrices of some size lie in the scratch file, too, and leave RAM at the end of each step. */
static bool rests(const field *f) {
    double least = f->value > 0 ? VEL_SPILLED_FROM : 2 * VEL_SPILLED_FROM; /* of sparse ones each array */
    return f->is_layer || (f->is_matrix && f->bytes >= least);
}

static double of_small_fields(const tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++)
        if (!rests(&t->fields[i])) bytes += t->fields[i].bytes;
    return bytes;
}

/* Of the other matrices those that the step uses: of a velocity graph the rows of a run of cells, and of some more that
 * are under way. */
static double of_matrices(const tally *t, const vel_planned *s) {
    double bytes = 0, graph = fmin(1, 1.15 * CELLS / fmax(t->n_obs, 1));
    for (int i = 0; i < t->n_fields; i++) {
        const field *f = &t->fields[i];
        if (f->is_layer || !rests(f) || (!is_read(s, f->path) && !is_written(s, f->path))) continue;
        bytes += f->most * (f->is_graph ? graph : 1);
    }
    return bytes;
}

/* Read by blocks of genes even if the step goes through the others by cells. */
static bool is_passing(const vel_planned *s, const char *path) {
    for (int k = 0; k < s->n_reads; k++)
        if (s->reads[k].key->passing && !strcmp(s->reads[k].path, path)) return true;
    return false;
}

/* Of layers, and copies of X, that it has as a whole: as many of the largest as it has at the same time. */
typedef struct {
    double bytes[MOST_FIELDS];
    int n;
} wholes;

static void add_whole(wholes *w, double bytes) {
    int at = w->n++;
    for (; at > 0 && w->bytes[at - 1] < bytes; at--) w->bytes[at] = w->bytes[at - 1];
    w->bytes[at] = bytes;
}

static double at_once(tally *t, const vel_planned *s) {
    wholes w = {.n = 0};
    double sum = 0;
    for (int i = 0; i < t->n_fields; i++) {
        const field *f = &t->fields[i];
        if (f->is_layer && (is_read(s, f->path) || is_written(s, f->path)))
            add_whole(&w, f->bytes * (s->call.step->work.values_only ? f->stored_share : 1));
    }
    if (logged(t, s) > 0 && w.n < MOST_FIELDS) add_whole(&w, logged(t, s));
    int most = s->call.step->work.at_once;
    for (int i = 0; i < w.n && (i < most || !most); i++) sum += w.bytes[i];
    return sum;
}

/* Of the layers that the step uses: a block of genes of the dense ones, a run of cells, or all; of sparse ones all. */
static double touched(tally *t, const vel_planned *s) {
    vel_way through = s->call.step->work.through;
    if (through == VEL_AT_ONCE) return at_once(t, s);
    double dense[2] = {0, 0}, sparse = 0, bytes = 0;
    for (int i = 0; i < t->n_fields; i++) {
        const field *f = &t->fields[i];
        bool read = is_read(s, f->path), in_turn = through == VEL_IN_TURN;
        if (!f->is_layer || (!read && !is_written(s, f->path))) continue;
        if (through == VEL_BY_CELLS)
            bytes += is_passing(s, f->path)
                         ? 0
                         : fmin(f->most, t->most_share * t->n_vars * (MAPPED_AROUND + CELLS * f->value));
        else if (f->value > 0)
            dense[read] = in_turn ? fmax(dense[read], f->value) : dense[read] + f->value;
        else
            sparse = in_turn ? fmax(sparse, f->most) : sparse + f->most;
    }
    double gene = t->n_obs * (dense[0] + dense[1]);
    return bytes + sparse + genes_at_once(t, s, gene) * gene;
}

/* Of what a step runs within itself, if that goes through X at once: X, or what stands for it. */
static double touched_within(tally *t, const vel_planned *s) {
    const vel_step *other;
    bool whole = false;
    for (int k = 0; (other = next_within(s, &k));) whole |= other->work.through == VEL_AT_ONCE;
    const field *x = find(t, "X") ? find(t, "X") : find(t, "layers/spliced");
    return whole && x ? x->bytes : 0;
}

/* Of a dense layer a tile of each gene, and the tile itself; a sparse one is read to where it stays. */
static double reading(const tally *t, const vel_planned *s) {
    double bytes = TRANSFER, tile = VEL_H5AD_READ_TILE;
    for (int r = 0; r < s->n_reads; r++) {
        const vel_planned_key *read = &s->reads[r];
        bool turned = read->in_file && vel_is_layer(read->path) && vel_entry_of(t->ad, read->path).kind == VEL_DENSE;
        if (turned) bytes = fmax(bytes, 2 * tile + t->n_vars * PAGE);
    }
    return bytes;
}

/* Of a layer a tile, and what is mapped of a panel of genes; of a sparse matrix its indices or its values. */
static double writing(const tally *t, const field *f) {
    if (!f->made || !rests(f)) return 0;
    if (f->value == 0) return f->most * 2 / 3;
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
static bool cuts_to(const tally *t, const vel_planned *s, double *n_vars) {
    if (vel_opt_find(s->call.step->opts, "var_names")) return false;
    if (!number_of(s, "n_top_genes", n_vars) || *n_vars >= t->n_vars) return false;
    const vel_opt *subset = vel_opt_find(s->call.step->opts, "subset");
    if (!subset) return true;
    vel_value v = vel_opt_get(subset, s->opts);
    return vel_is_true(&v);
}

/* The share of a boolean column that is true; < 0 if it cannot be told. Nothing is kept of it. */
static double share_in(tally *t, const char *path) {
    const vel_store *store = vel_store_of(t->ad);
    vel_selection all = vel_selection_of(t->ad);
    vel_field f = {0};
    double count = 0;
    if (!store || t->ctx->message[0]) return -1;
    vel_mark mark = vel_arena_mark(t->ctx->scratch);
    vel_err e = store->read(t->ctx, store->self, path, &all, &f);
    vel_arena_release(t->ctx->scratch, mark);
    if (e) t->ctx->message[0] = 0; /* the step will say it */
    if (e) return -1;
    bool is_column = f.kind == VEL_DENSE && f.ndim == 1 && f.rows > 0;
    for (int64_t g = 0; is_column && g < f.rows; g++) count += vel_field_real(&f, g) != 0;
    double share = is_column ? count / (double)f.rows : -1;
    vel_field_free(&f);
    return share;
}

/* All genes, if the step looks for the choice and there is none; those that are chosen, if the file has it. */
static void find_share(tally *t, const vel_planned *s) {
    double share = -1;
    for (const vel_key *key = s->call.step->reads; key && key->name; key++) {
        if (!key->chooses) continue;
        share = 1;
        for (int r = 0; r < s->n_reads; r++)
            if (s->reads[r].key == key) share = s->reads[r].in_file ? share_in(t, s->reads[r].path) : -1;
    }
    t->share = share >= 0 ? share : VELOCITY_SHARE;
    t->most_share = share >= 0 ? share : 1;
}

static bool has_pairs(const vel_planned *s) {
    bool any = s->call.step->work.gene_gene > 0;
    const vel_step *other;
    for (int k = 0; (other = next_within(s, &k));) any |= other->work.gene_gene > 0;
    return any;
}

/* Before the results are made, once they are, or while a field is read or written: fields, and what is beside them. */
static double at_most(double before, double after, double first, double work, double moved) {
    return fmax(fmax(before + first, after) + work, fmax(before, after) + moved);
}

static void count_step(tally *t, const vel_planned *s) {
    const char *name = s->call.step->name;
    double n_vars, passing = 0, read_at_once = 0;
    number_of(s, "n_neighbors", &t->n_neighbors);
    find_share(t, s);
    for (int r = 0; r < s->n_reads && t->ad; r++)
        if (s->reads[r].in_file && !find(t, s->reads[r].path)) {
            double bytes = read_field(t, &s->reads[r]);
            passing += bytes;
            read_at_once += vel_is_layer(s->reads[r].path) ? fmin(bytes, BLOCK) : bytes;
        }
    if (has_pairs(s)) t->lasting = ALGEBRA;
    double first = at_first(t, s), before = resident(t) + passing, more = t->most_share / t->share,
           most_before = most_resident(t) + passing * more, moved = t->ad ? TRANSFER : MADE;
    double at_start = of_small_fields(t) + of_matrices(t, s) + first;
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].likely) write_field(t, s, &s->writes[w]);
    double work = beside(t, s, t->share) + logged(t, s) - turned(t, s, t->share),
           most_work = beside(t, s, t->most_share) + logged(t, s);
    note(t->lasting + at_most(before, resident(t), first, work, moved), name, &t->peak, &t->e->peak_step);
    t->sure = fmax(t->sure, t->lasting + at_most(most_before, most_resident(t), first, most_work, moved));
    double run = fmax(fmax(touched(t, s), touched_within(t, s)), read_at_once) + beside(t, s, t->most_share),
           others = of_small_fields(t) + of_matrices(t, s);
    note(t->lasting + fmax(fmax(at_start, others) + run, others + reading(t, s)), name, &t->least, &t->e->least_step);
    if (!cuts_to(t, s, &n_vars)) return;
    for (int i = 0; i < t->n_fields; i++)
        if (t->fields[i].is_layer) {
            t->fields[i].bytes *= n_vars / t->n_vars;
            t->fields[i].most *= n_vars / t->n_vars;
        }
    t->n_vars = n_vars;
}

/* With layers in a scratch file: one field after the other. */
static void count_writing(tally *t) {
    double most = t->ad ? CARRIED : 0;
    for (int i = 0; i < t->n_fields; i++) most = fmax(most, writing(t, &t->fields[i]));
    note(of_small_fields(t) + t->lasting + most + WRITING, "writing", &t->least, &t->e->least_step);
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
    tally t = {.ctx = ctx, .ad = ad, .threads = ctx->threads, .n_neighbors = 30, .e = &e};
    if (ad) {
        t.n_obs = (double)vel_n_obs(ad);
        t.n_vars = (double)vel_n_vars(ad);
        t.n_neighbors = neighbors_in(ad);
    } else if (plan->n_steps) {
        number_of(&plan->steps[0], "n_obs", &t.n_obs);
        number_of(&plan->steps[0], "n_vars", &t.n_vars);
    }
    e.n_obs = (int64_t)t.n_obs;
    e.n_vars = (int64_t)t.n_vars;
    for (int i = 0; i < plan->n_steps; i++) count_step(&t, &plan->steps[i]);
    count_writing(&t);
    int64_t base = BASE + (int64_t)WORKER * ctx->threads + NAME * (e.n_obs + e.n_vars);
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
