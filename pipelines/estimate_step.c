/* What a step has in memory, from the reading of its fields to its results. */
#include <math.h>

#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

void vel_tally_note(double bytes, const char *step, double *most, const char **where) {
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

/* Those that are not chosen go: at its end, or before it reads the selection. */
static bool keeps_chosen(const vel_planned *s) {
    return s->call.step->share && vel_planned_holds(s, "filter_genes=true");
}

/* Whether it reads a selection of genes, for which it has made results already. */
static bool reads_late(const vel_planned *s) {
    for (int r = 0; r < s->n_reads; r++)
        if (s->reads[r].key->selected && !s->reads[r].key->passing) return true;
    return false;
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
        if (s->reads[r].in_file && !vel_tally_find(t, s->reads[r].path) &&
            !vel_tally_are_few(t, s->reads[r].key->more_than)) {
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
    double early;                 /* what goes before layers are read */
} beginning;

/* Once layers are changed, at the end of the step: with what it has run within itself, or after that has left RAM. */
static double late(vel_tally *t, const vel_planned *s, const beginning *from) {
    double others = vel_tally_small_fields(t) + vel_tally_matrices(t, s),
           within = fmax(vel_tally_whole_within(t, s, false), from->read_at_once), touched = vel_tally_touched(t, s),
           begun = fmax(from->others + from->first, others);
    if (!vel_planned_work(t, s)->rests_within) return begun + fmax(touched, within) + vel_tally_beside_at_most(t, s);
    return fmax(begun + within + vel_tally_beside_within(t, s),
                vel_tally_small_fields(t) + vel_tally_own_matrices(t, s) + touched + vel_tally_beside_own(t, s));
}

/* Most that is in memory at once, if layers lie in a scratch file. Raw counts all come in, and are changed, before
 * anything is made. */
static double least_of(vel_tally *t, const vel_planned *s, const beginning *from) {
    double others = fmax(from->others, vel_tally_small_fields(t) + vel_tally_matrices(t, s)), early;
    if (t->raw)
        early = from->lasting + from->others + from->whole + vel_tally_beside_changing(t, s);
    else
        early = t->lasting + others + from->whole + vel_tally_beside_at_most(t, s);
    early = fmax(early, from->lasting + from->others + fmax(from->spilled + vel_tally_lists(t, s), from->early));
    return fmax(early, t->lasting + late(t, s, from));
}

/* Neighbours, velocity genes, whether counts are raw, and how far a graph leads, when the step begins. */
static void foretell(vel_tally *t, const vel_planned *s) {
    if (makes_neighbors(s)) vel_option_number(s, "n_neighbors", &t->n_neighbors);
    t->n_neighbors = fmin(t->n_neighbors, t->n_obs);
    vel_tally_choose(t, s);
    t->raw = vel_tally_is_raw(t, s);
    vel_tally_walk(t, s);
}

/* Bytes as expected, and at most. */
typedef struct {
    double likely, most;
} amount;

static amount plus(amount a, double likely, double most) { return (amount){a.likely + likely, a.most + most}; }

static amount larger(amount a, amount b) { return (amount){fmax(a.likely, b.likely), fmax(a.most, b.most)}; }

/* What a step has in memory, if nothing lies in a scratch file: fields before layers are read, while one is read, until
 * the results are made and once they are, and all that is there while another step makes principal components within
 * it; beside them, and what of that goes before the results are made; fields that pass. */
typedef struct {
    amount early, moved, within, before, after, work;
    double first, passing;
} course;

static amount fields_of(const vel_tally *t, double passing) {
    double more = t->share > 0 ? t->most_share / t->share : 1;
    return (amount){vel_tally_resident(t) + passing, vel_tally_most_resident(t) + passing * more};
}

/* Of the fields from `first` on those that are no layers. */
static double others_from(const vel_tally *t, int first) {
    double bytes = 0;
    for (int i = first; i < t->n_fields; i++)
        if (!t->fields[i].is_layer) bytes += t->fields[i].bytes;
    return bytes;
}

/* Fields come in. */
static void come_in(vel_tally *t, const vel_planned *s, course *c, beginning *from) {
    double moved = vel_tally_reading(t, s, false);
    t->lasting += vel_tally_tables(t, s);
    *from = (beginning){.spilled = vel_tally_reading(t, s, true), .lasting = t->lasting};
    foretell(t, s);
    int there = t->n_fields;
    c->early = fields_of(t, 0);
    read_all(t, s, &c->passing, &from->read_at_once);
    double others = others_from(t, there);
    from->early = vel_tally_early(t, s, true);
    c->early = plus(c->early, others + vel_tally_early(t, s, false), others + from->early);
    t->lasting = fmax(t->lasting, vel_tally_lasting_of_components(t, s));
    c->first = from->first = vel_tally_at_first(t, s);
    c->before = fields_of(t, c->passing);
    c->moved = plus(c->before, moved, moved);
    from->others = vel_tally_small_fields(t) + vel_tally_matrices(t, s);
}

/* Layers are changed. What goes first has gone by then. */
static void change(vel_tally *t, const vel_planned *s, course *c, beginning *from) {
    double logged = vel_tally_logged(t, s), whole = vel_tally_whole_within(t, s, true);
    c->work = plus(c->work, logged - vel_tally_turned_in_place(t, s, t->share), logged);
    from->whole = t->raw ? whole : fmax(whole, vel_tally_touched(t, s)); /* else it goes through what was changed */
    vel_tally_change(t, s);
    c->before = larger(plus(c->before, -c->first, -c->first), fields_of(t, c->passing));
}

static amount without(amount a, const vel_held *f) { return f ? plus(a, -f->bytes, -f->most) : a; }

/* What is there when those genes go that are not chosen: the selection and the graph by which it is averaged come
 * later, as do results that are made of chosen genes only. */
static amount fields_of_all(vel_tally *t, const vel_planned *s) {
    amount a = fields_of(t, 0);
    for (int r = 0; r < s->n_reads; r++) {
        const vel_held *f = s->reads[r].in_file ? vel_tally_find(t, s->reads[r].path) : NULL;
        if (f && (f->is_part || !f->is_layer)) a = without(a, f);
    }
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].key->whole) a = without(a, vel_tally_find(t, s->writes[w].path));
    return a;
}

/* Principal components come before the work of the step itself, if another makes them. */
static void make_components(vel_tally *t, const vel_planned *s, course *c) {
    double first = vel_planned_work(t, s)->components ? 0 : vel_tally_components_at_first(t, s);
    if (first <= 0) return;
    double bytes = first + vel_tally_beside_within(t, s);
    c->within = plus(plus(c->before, bytes, bytes), c->work.likely, c->work.most);
    c->first -= first;
}

/* Results are made, and X is copied, once layers are changed. A selection that is read late comes in beside them. */
static void make(vel_tally *t, const vel_planned *s, course *c) {
    amount arrived = fields_of(t, 0);
    make_components(t, s, c);
    for (int w = 0; w < s->n_writes; w++)
        if (s->writes[w].likely || s->writes[w].key->shape == VEL_VAR) vel_tally_write(t, s, &s->writes[w]);
    double logged = vel_tally_logged(t, s);
    c->before = plus(c->before, -logged, -logged);
    if (reads_late(s) && keeps_chosen(s)) {
        c->early = larger(c->early, fields_of_all(t, s));
        c->before = (amount){0};
        vel_tally_keep_chosen(t);
    }
    c->after = fields_of(t, 0);
    if (reads_late(s)) c->moved = plus(c->moved, c->after.likely - arrived.likely, c->after.most - arrived.most);
    c->work = plus(c->work, vel_tally_beside(t, s, t->share), vel_tally_beside_at_most(t, s));
}

static amount most_of(const course *c) {
    amount made = larger(plus(c->before, c->first, c->first), c->after);
    made = plus(made, c->work.likely, c->work.most);
    return larger(larger(made, c->within), larger(c->moved, c->early));
}

void vel_tally_step(vel_tally *t, const vel_planned *s) {
    const char *name = s->call.step->name;
    course c = {0};
    beginning from;
    double n_vars;
    come_in(t, s, &c, &from);
    change(t, s, &c, &from);
    make(t, s, &c);
    amount most = most_of(&c);
    vel_tally_note(t->lasting + most.likely, name, &t->peak, &t->e->peak_step);
    t->sure = fmax(t->sure, t->lasting + most.most);
    vel_tally_note(least_of(t, s, &from), name, &t->least, &t->e->least_step);
    vel_tally_give_parts(t);
    if (keeps_chosen(s) && !reads_late(s)) vel_tally_keep_chosen(t);
    t->most_kept |= s->call.step->leaves_out;
    if (cuts_to(t, s, &n_vars)) vel_tally_cut(t, n_vars);
}
