#include "pipelines/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines/key.h"

/* Measured: what a process takes before it has any data, for each worker, and to read or write a field. */
enum { BASE = 18 << 20, WORKER = 1 << 19, TRANSFER = 8 << 20 };
/* A field of a few columns; what the iterator of blocks has of each layer, at most. */
enum { SOME_COLUMNS = 12, SMALL = 1 << 12, BLOCK = 32 << 20, LEAST_BLOCK = 16, MOST_PAIRED = 4096, MOST_FIELDS = 512 };
/* Linux maps so much of a file around a page that is read. */
enum { MAPPED_AROUND = 1 << 16 };
/* An entry of a graph over one hop (values of 8 and 4 bytes, the second in both directions) and over two. */
enum { GRAPH_ENTRY = 12, HOPS_ENTRY = 8 };

/* Of the k^2 cells that two hops could reach, what is reached and has one sign: 0.17 to 0.31 on simulated and real
 * data. */
#define HOPS_SHARE 0.29

typedef struct {
    const char *path;
    double bytes, value; /* value: bytes of one, 0 if sparse */
    bool is_layer;
} field;

typedef struct {
    const vel_adata *ad;
    int threads;
    double n_obs, n_vars, n_neighbors;
    field fields[MOST_FIELDS]; /* that are in memory, in the order of coming in */
    int n_fields;
    vel_estimate *e;
    double peak, least, inputs, results;
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

/* As the layers that the step reads; a result that is as wide as the widest of them. */
static double size_of_reads(const tally *t, const vel_planned *s) {
    double size = 4;
    for (int r = 0; r < s->n_reads; r++)
        for (int i = 0; i < t->n_fields; i++)
            if (t->fields[i].is_layer && !strcmp(t->fields[i].path, s->reads[r].path))
                size = fmax(size, t->fields[i].value);
    return size;
}

static double written_bytes(const tally *t, const vel_planned *s, const vel_key *key, double size) {
    double columns = SOME_COLUMNS;
    number_of(s, "n_comps", &columns);
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
            return t->n_obs * fmin(HOPS_SHARE * t->n_neighbors * t->n_neighbors, t->n_obs / 2) * HOPS_ENTRY;
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
    if (t->n_fields < MOST_FIELDS) t->fields[t->n_fields++] = (field){path, bytes, value, vel_is_layer(path)};
}

/* Reads a field of the file; returns its bytes if it does not stay. */
static double read_field(tally *t, const vel_planned_key *read) {
    vel_entry e = vel_entry_of(t->ad, read->path);
    double all = (double)vel_n_vars(t->ad), kept = vel_is_layer(read->path) && all > 0 ? t->n_vars / all : 1;
    double bytes = loaded_bytes(&e) * kept;
    if (read->key->passing) {
        t->inputs += bytes;
        return bytes;
    }
    add(t, read->path, bytes, e.kind == VEL_DENSE ? loaded_size(e.origin) : 0, &t->inputs);
    return 0;
}

/* What is changed in place keeps its memory. */
static void write_field(tally *t, const vel_planned *s, const vel_planned_key *write) {
    double size = write->key->type ? (double)vel_type_size(write->key->type) : size_of_reads(t, s);
    if (!find(t, write->path)) add(t, write->path, written_bytes(t, s, write->key, size), size, &t->results);
}

static double resident(const tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++) bytes += t->fields[i].bytes;
    return bytes;
}

/* The same if layers lie in a scratch file: those that the step has at once stay while it runs, of the others what it
 * is at. */
static double touched(const tally *t, const vel_planned *s) {
    vel_way through = s->call.step->work.through;
    double bytes = 0, by_genes = 0, largest = 0;
    for (int i = 0; i < t->n_fields; i++) {
        const field *f = &t->fields[i];
        bool used = !f->is_layer;
        for (int k = 0; k < s->n_reads; k++) used = used || !strcmp(s->reads[k].path, f->path);
        for (int k = 0; k < s->n_writes; k++)
            used = used || (s->writes[k].likely && !strcmp(s->writes[k].path, f->path));
        if (!used) continue;
        bool is_dense = f->is_layer && f->value > 0;
        if (is_dense && (through == VEL_BY_GENES || through == VEL_IN_TURN))
            by_genes += f->bytes;
        else if (is_dense && through == VEL_BY_CELLS)
            bytes += fmin(f->bytes, fmax(BLOCK, t->n_vars * MAPPED_AROUND));
        else if (f->is_layer && through == VEL_IN_TURN)
            largest = fmax(largest, f->bytes);
        else
            bytes += f->bytes;
    }
    return bytes + largest + fmin(by_genes, BLOCK);
}

static double beside(const tally *t, const vel_planned *s) {
    const vel_work *w = &s->call.step->work;
    double pairs = fmin(fmin(t->n_vars, t->n_obs), MOST_PAIRED),
           block = fmin(t->n_vars, fmax(LEAST_BLOCK, t->n_vars / 8));
    return t->n_obs * (w->cell + w->cell_thread * t->threads + w->cell_neighbor * t->n_neighbors) +
           t->n_obs * t->n_vars * w->value + fmin(t->n_obs * block * w->block, BLOCK) + pairs * pairs * w->gene_gene +
           w->thread * t->threads;
}

/* ---- the steps */

static void note(double bytes, const char *step, double *most, const char **where) {
    if (bytes <= *most) return;
    *most = bytes;
    *where = step;
}

static bool cuts_to(const tally *t, const vel_planned *s, double *n_vars) {
    if (!number_of(s, "n_top_genes", n_vars) || *n_vars >= t->n_vars) return false;
    const vel_opt *subset = vel_opt_find(s->call.step->opts, "subset");
    if (!subset) return true;
    vel_value v = vel_opt_get(subset, s->opts);
    return vel_is_true(&v);
}

static void count_step(tally *t, const vel_planned *s) {
    const char *name = s->call.step->name;
    double n_vars, passing = 0;
    number_of(s, "n_neighbors", &t->n_neighbors);
    for (int r = 0; r < s->n_reads && t->ad; r++)
        if (s->reads[r].in_file && !find(t, s->reads[r].path)) passing += read_field(t, &s->reads[r]);
    double before = resident(t) + passing;
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].likely) write_field(t, s, &s->writes[w]);
    double work = fmax(beside(t, s), TRANSFER);
    note(fmax(before, resident(t)) + work, name, &t->peak, &t->e->peak_step);
    note(touched(t, s) + fmin(passing, BLOCK) + work, name, &t->least, &t->e->least_step);
    if (!cuts_to(t, s, &n_vars)) return;
    for (int i = 0; i < t->n_fields; i++)
        if (t->fields[i].is_layer) t->fields[i].bytes *= n_vars / t->n_vars;
    t->n_vars = n_vars;
}

/* The neighbours that the file's own graph has. */
static double neighbors_in(const vel_adata *ad) {
    vel_entry e = vel_entry_of(ad, "obsp/distances");
    return e.kind == VEL_SPARSE && e.rows ? round((double)e.stored / (double)e.rows) + 1 : 30;
}

vel_estimate vel_estimate_make(const vel_adata *ad, const vel_plan *plan, int threads) {
    vel_estimate e = {.peak_step = "reading", .least_step = "reading"};
    tally t = {.ad = ad, .threads = threads, .n_neighbors = 30, .e = &e};
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
    int64_t base = BASE + (int64_t)WORKER * threads;
    e.inputs = (int64_t)t.inputs;
    e.results = (int64_t)t.results;
    e.peak = (int64_t)t.peak + base;
    e.least = (int64_t)t.least + base;
    return e;
}

vel_err vel_estimate_check(vel_ctx *ctx, const vel_estimate *e, bool *spill) {
    *spill = ctx->max_memory && e->peak > ctx->max_memory;
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
