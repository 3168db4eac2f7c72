#include "pipelines/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines/key.h"

/* What a process takes before it has any data, and for each worker: measured. */
enum { BASE = 16 << 20, WORKER = 4 << 20, GRAPH_ENTRY = 12, HOPS_ENTRY = 8, SOME_COLUMNS = 32, SMALL = 1 << 16 };

/* Of the k^2 cells that two hops could reach, what is reached and has one sign: 0.23 to 0.30 on simulated and real
 * data. */
#define HOPS_SHARE 0.28

typedef struct {
    const vel_adata *ad;
    double n_obs, n_vars, n_neighbors;
    double resident, layers; /* all there is, and what of it are layers */
    double inputs, results, peak, least;
    const char *peak_step, *least_step;
} tally;

static const vel_opt *number_of(const vel_planned *s, const char *name, double *x) {
    const vel_opt *row = vel_opt_find(s->call.step->opts, name);
    if (!row) return NULL;
    vel_value v = vel_opt_get(row, s->opts);
    if (!vel_is_number(&v)) return NULL;
    *x = v.real;
    return row;
}

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

static double written_bytes(const tally *t, const vel_key *key) {
    double size = key->type ? (double)vel_type_size(key->type) : 8;
    switch (key->shape) {
        case VEL_OBS:
            return t->n_obs * size;
        case VEL_VAR:
            return t->n_vars * size;
        case VEL_OBS_VAR:
            return t->n_obs * t->n_vars * size;
        case VEL_OBS_OBS:
            return t->n_obs * t->n_neighbors * GRAPH_ENTRY;
        case VEL_OBS_HOPS:
            return t->n_obs * fmin(HOPS_SHARE * t->n_neighbors * t->n_neighbors, t->n_obs / 2) * HOPS_ENTRY;
        case VEL_OBS_ANY:
            return t->n_obs * SOME_COLUMNS * size;
        case VEL_VAR_ANY:
            return t->n_vars * SOME_COLUMNS * size;
        case VEL_ANY_SHAPE:
        case VEL_UNS:
            break;
    }
    return SMALL;
}

static bool is_new(const vel_plan *plan, int step, const char *path, bool written) {
    for (int i = 0; i < step; i++) {
        const vel_planned *s = &plan->steps[i];
        for (int k = 0; k < s->n_reads; k++)
            if (!strcmp(s->reads[k].path, path) && (!written || s->reads[k].in_file)) return false;
        for (int k = 0; k < s->n_writes; k++)
            if (!strcmp(s->writes[k].path, path)) return false;
    }
    return true;
}

static bool cuts_to(const tally *t, const vel_planned *s, double *n_vars) {
    if (!number_of(s, "n_top_genes", n_vars) || *n_vars >= t->n_vars) return false;
    const vel_opt *subset = vel_opt_find(s->call.step->opts, "subset");
    if (!subset) return true;
    vel_value v = vel_opt_get(subset, s->opts);
    return vel_is_true(&v);
}

static double read_bytes(const tally *t, const char *path) {
    vel_entry e = vel_entry_of(t->ad, path);
    return loaded_bytes(&e) *
           (vel_is_layer(path) ? t->n_vars / (double)(vel_n_vars(t->ad) ? vel_n_vars(t->ad) : 1) : 1);
}

static void add(tally *t, double bytes, bool layer, double *kind) {
    *kind += bytes;
    t->resident += bytes;
    if (layer) t->layers += bytes;
}

/* Layers that the step itself works on: what has to be there while it runs. */
static double layers_of(const tally *t, const vel_planned *s) {
    double bytes = 0;
    for (int r = 0; r < s->n_reads; r++)
        if (vel_is_layer(s->reads[r].path))
            bytes += s->reads[r].in_file && t->ad ? read_bytes(t, s->reads[r].path) : t->n_obs * t->n_vars * 4;
    for (int w = 0; w < s->n_writes; w++)
        if (vel_is_layer(s->writes[w].path) && !s->writes[w].key->optional) bytes += written_bytes(t, s->writes[w].key);
    return bytes < t->layers ? bytes : t->layers;
}

static void note_peaks(tally *t, const vel_planned *s) {
    if (t->resident > t->peak) {
        t->peak = t->resident;
        t->peak_step = s->call.step->name;
    }
    double least = t->resident - t->layers + layers_of(t, s);
    if (least > t->least) {
        t->least = least;
        t->least_step = s->call.step->name;
    }
}

static void count_step(tally *t, const vel_plan *plan, int i) {
    const vel_planned *s = &plan->steps[i];
    double k;
    if (number_of(s, "n_neighbors", &k) && k > 0) t->n_neighbors = k;
    for (int r = 0; r < s->n_reads && t->ad; r++) {
        const char *path = s->reads[r].path;
        if (s->reads[r].in_file && is_new(plan, i, path, false))
            add(t, read_bytes(t, path), vel_is_layer(path), &t->inputs);
    }
    for (int w = 0; w < s->n_writes; w++) {
        const char *path = s->writes[w].path;
        if (!s->writes[w].key->optional && is_new(plan, i, path, true))
            add(t, written_bytes(t, s->writes[w].key), vel_is_layer(path), &t->results);
    }
    note_peaks(t, s);
    double n_vars;
    if (!cuts_to(t, s, &n_vars)) return;
    t->resident *= n_vars / t->n_vars;
    t->layers *= n_vars / t->n_vars;
    t->n_vars = n_vars;
}

vel_estimate vel_estimate_make(const vel_adata *ad, const vel_plan *plan, int threads) {
    tally t = {.ad = ad, .n_neighbors = 30};
    if (ad) {
        t.n_obs = (double)vel_n_obs(ad);
        t.n_vars = (double)vel_n_vars(ad);
    } else if (plan->n_steps) {
        number_of(&plan->steps[0], "n_obs", &t.n_obs);
        number_of(&plan->steps[0], "n_vars", &t.n_vars);
    }
    vel_estimate e = {.n_obs = (int64_t)t.n_obs, .n_vars = (int64_t)t.n_vars};
    for (int i = 0; i < plan->n_steps; i++) count_step(&t, plan, i);
    e.inputs = (int64_t)t.inputs;
    e.results = (int64_t)t.results;
    const double scratch = 1.12; /* blocks and a step's own arrays beside its fields: measured */
    int64_t base = BASE + (int64_t)WORKER * threads;
    e.peak = (int64_t)(t.peak * scratch) + base;
    e.peak_step = t.peak_step ? t.peak_step : "reading";
    e.least = (int64_t)(t.least * scratch) + base;
    e.least_step = t.least_step ? t.least_step : "reading";
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
