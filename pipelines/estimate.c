#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Measured: what a process takes before it has any data, and for each worker. */
enum { BASE = 141 << 17, WORKER = 1 << 19 };
/* What writing of what lies in a scratch file takes. */
enum { WRITING = 1 << 19 };
/* A cell's name, as it is looked at, and more when it is carried over; that of a gene, with the columns of var. */
enum { NAME = 60, NAME_CARRIED = 30, GENE = 160 };

/* Room for what is foretold too low, a share of it and some bytes, more where a chain of steps leaves something behind:
 * a limit must hold. */
#define MARGIN 1.02
enum { SPARE = 3 << 19, SPARE_OF_CHAIN = 7 << 18 };

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

/* Of a layer that passes, in a scratch file, a block of genes. */
static double block_of(const vel_tally *t, const vel_planned *s, const char *path) {
    vel_entry e = vel_entry_of(t->ad, path);
    double gene = vel_tally_loaded(&e) / fmax(vel_n_vars(t->ad), 1);
    return e.kind == VEL_SPARSE ? vel_tally_loaded(&e) : vel_tally_genes_at_once(t, s, gene) * gene;
}

/* What comes in: bytes that pass, and of these what is in memory at once, if layers lie in a scratch file. */
static void read_all(vel_tally *t, const vel_planned *s, double *passing, double *at_once) {
    *passing = *at_once = 0;
    for (int r = 0; r < s->n_reads && t->ad; r++)
        if (s->reads[r].in_file && !vel_tally_find(t, s->reads[r].path)) {
            double bytes = vel_tally_read(t, &s->reads[r]);
            *passing += bytes;
            bool blocks = bytes > 0 && vel_is_layer(s->reads[r].path);
            *at_once += blocks ? block_of(t, s, s->reads[r].path) : bytes;
        }
    vel_tally_read_within(t, s);
}

/* Others with such an option take the graph that is there. */
static bool makes_neighbors(const vel_planned *s) {
    for (int w = 0; w < s->n_writes; w++) {
        vel_shape shape = s->writes[w].key->shape;
        if (s->writes[w].likely && (shape == VEL_OBS_OBS || shape == VEL_OBS_TIES)) return true;
    }
    return false;
}

/* What a step begins with, where layers lie in a scratch file. */
typedef struct {
    double others, first;         /* other fields; what goes before results are made */
    double whole;                 /* of layers at once, until they are changed */
    double spilled, read_at_once; /* what reading takes beside a field; what comes in */
    double lasting;               /* what libraries have kept so far */
} beginning;

/* Once layers are changed, at the end of the step: with what it has run within itself, or after that has left RAM. */
static double late(vel_tally *t, const vel_planned *s, const beginning *from) {
    double others = vel_tally_small_fields(t) + vel_tally_matrices(t, s),
           within = fmax(vel_tally_whole_within(t, s, false), from->read_at_once), touched = vel_tally_touched(t, s),
           begun = fmax(from->others + from->first, others);
    if (!vel_planned_work(s)->rests_within) return begun + fmax(touched, within) + vel_tally_beside_at_most(t, s);
    return fmax(begun + within + vel_tally_beside_within(t, s),
                vel_tally_small_fields(t) + vel_tally_own_matrices(t, s) + touched + vel_tally_beside_own(t, s));
}

/* Most that is in memory at once, if layers lie in a scratch file. Raw counts all come in, and are changed, before
 * anything is made. */
static double least_of(vel_tally *t, const vel_planned *s, const beginning *from) {
    double others = fmax(from->others, vel_tally_small_fields(t) + vel_tally_matrices(t, s)), early;
    if (t->raw)
        early = from->lasting + from->others + fmax(from->whole + vel_tally_beside_changing(t, s), from->spilled);
    else
        early = t->lasting + others + fmax(from->whole + vel_tally_beside_at_most(t, s), from->spilled);
    return fmax(early, t->lasting + late(t, s, from));
}

static void count_step(vel_tally *t, const vel_planned *s) {
    const char *name = s->call.step->name;
    double n_vars, passing, read_at_once, kept = vel_tally_kept_of_reading(t, s),
                                          moved = vel_tally_reading(t, s, false), most_moved = moved,
                                          spilled = vel_tally_reading(t, s, true);
    if (makes_neighbors(s)) vel_option_number(s, "n_neighbors", &t->n_neighbors);
    t->n_neighbors = fmin(t->n_neighbors, t->n_obs);
    vel_tally_choose(t, s);
    t->raw = vel_tally_is_raw(t, s);
    vel_tally_walk(t, s);
    read_all(t, s, &passing, &read_at_once);
    beginning from = {.spilled = spilled, .read_at_once = read_at_once, .lasting = t->lasting};
    t->lasting = fmax(t->lasting, vel_tally_lasting_of_components(t, s));
    double first = vel_tally_at_first(t, s), before = vel_tally_resident(t) + passing,
           more = t->share > 0 ? t->most_share / t->share : 1,
           most_before = vel_tally_most_resident(t) + passing * more, whole = vel_tally_whole_within(t, s, true);
    moved += before;
    most_moved += most_before;
    from.others = vel_tally_small_fields(t) + vel_tally_matrices(t, s);
    from.first = first;
    double copied = vel_tally_logged(t, s) - vel_tally_turned_in_place(t, s, t->share),
           most_copied = vel_tally_logged(t, s);
    from.whole = t->raw ? whole : fmax(whole, vel_tally_touched(t, s)); /* else it goes through what was changed */
    vel_tally_change(t, s);
    before = fmax(before - first, vel_tally_resident(t) + passing); /* what goes first goes once layers are changed */
    most_before = fmax(most_before - first, vel_tally_most_resident(t) + passing * more);
    double arrived = vel_tally_resident(t), most_arrived = vel_tally_most_resident(t);
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].likely || s->writes[w].key->shape == VEL_VAR) vel_tally_write(t, s, &s->writes[w]);
    if (reads_late(s))
        moved += vel_tally_resident(t) - arrived, most_moved += vel_tally_most_resident(t) - most_arrived;
    double work = kept + vel_tally_beside(t, s, t->share) + copied,
           most_work = kept + vel_tally_beside_at_most(t, s) + most_copied;
    before -= vel_tally_logged(t, s); /* X is copied once layers are changed */
    most_before -= vel_tally_logged(t, s);
    note(t->lasting + at_most(before, vel_tally_resident(t), first, work, moved), name, &t->peak, &t->e->peak_step);
    t->sure =
        fmax(t->sure, t->lasting + at_most(most_before, vel_tally_most_resident(t), first, most_work, most_moved));
    note(least_of(t, s, &from), name, &t->least, &t->e->least_step);
    vel_tally_give_parts(t);
    if (cuts_to(t, s, &n_vars)) vel_tally_cut(t, n_vars);
}

/* All fields are there, or with layers in a scratch file one after the other. */
static void count_writing(vel_tally *t, const char *last) {
    double moved = vel_tally_carrying(t) + VEL_MOVING + NAME_CARRIED * t->n_obs, most = vel_tally_carrying(t);
    note(t->lasting + vel_tally_resident(t) + moved, last, &t->peak, &t->e->peak_step);
    t->sure = fmax(t->sure, t->lasting + vel_tally_most_resident(t) + moved);
    for (int i = 0; i < t->n_fields; i++) most = fmax(most, vel_tally_writing(t, &t->fields[i]));
    most += WRITING + NAME_CARRIED * t->n_obs;
    note(vel_tally_small_fields(t) + t->lasting + most, "writing", &t->least, &t->e->least_step);
}

/* The neighbours that the file's own graph has. */
static double neighbors_in(const vel_adata *ad) {
    vel_entry e = vel_entry_of(ad, "obsp/distances");
    return e.kind == VEL_SPARSE && e.rows ? round((double)e.stored / (double)e.rows) + 1 : 30;
}

/* Beyond 2^62, as a damaged file may claim, it is all the same. */
static int64_t whole(double bytes) { return (int64_t)fmin(bytes, 0x1p62); }

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
    e.inputs = whole(t.inputs);
    e.results = whole(t.results);
    e.peak = whole(t.peak) + base;
    e.sure = with_room(plan, whole(t.sure) + base);
    e.least = with_room(plan, whole(fmin(t.least, t.sure)) + base);
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
    double x = vel_decimal_read(text, &end);
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
