#include <math.h>
#include <string.h>

#include "core/pages.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/layers.h"

/* A matrix of a few columns; one of principal components, unless it is said how many, and for neighbours; a field of no
 * shape. */
enum { SOME_COLUMNS = 12, COMPONENTS = 50, COMPONENTS_FOR_NEIGHBORS = 30, SMALL = 1 << 12 };

/* Entries of a graph for each neighbour, both directions: 1.5 to 1.7 on simulated data. */
#define TIES 1.6
#define MOST_TIES 1.8
/* What the arrays of a graph over two hops leave unused of their last pages. */
enum { LARGE_PAGES = 1 << 17 };

/* ---- how large a field is */

static double loaded_size(vel_type t) { return (double)vel_type_size(vel_loaded_type(t)); }

double vel_tally_loaded(const vel_entry *e) {
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

double vel_tally_values_share(const vel_entry *e) {
    return loaded_size(e->origin) / (loaded_size(e->origin) + sizeof(int32_t));
}

/* Of results that are like a field: from counts as the file has them velocities come as doubles. */
static double width_of_like(const vel_tally *t, const vel_held *f) {
    bool counts = !f->made && t->ad && vel_is_integer(vel_entry_of(t->ad, f->path).origin);
    return counts ? sizeof(double) : f->width;
}

double vel_tally_width(const vel_tally *t, const vel_planned *s, const vel_key *key) {
    double size = 4;
    for (int r = 0; r < s->n_reads; r++)
        for (int i = 0; i < t->n_fields; i++) {
            const vel_held *f = &t->fields[i];
            if (!f->is_layer || strcmp(f->path, s->reads[r].path)) continue;
            double width = key->like ? width_of_like(t, f) : f->width;
            if (key->like && f->value > 0 && !strcmp(f->path, key->like)) return width;
            size = fmax(size, width);
        }
    return size;
}

double vel_tally_components(const vel_tally *t, const vel_planned *s) {
    double n = COMPONENTS;
    if (vel_opt_find(s->call.step->opts, "n_pcs")) n = COMPONENTS_FOR_NEIGHBORS;
    vel_option_number(s, "n_comps", &n);
    vel_option_number(s, "n_pcs", &n);
    return fmax(1, fmin(n, fmin(t->n_obs, t->n_vars) - 1));
}

/* Sparse, of so many entries a cell. */
static double graph_bytes(const vel_tally *t, double entries, double size) {
    return t->n_obs * (entries * (size + sizeof(int32_t)) + sizeof(int64_t));
}

static double written_bytes(const vel_tally *t, const vel_planned *s, const vel_key *key, double size) {
    double columns = key->of_components ? vel_tally_components(t, s) : SOME_COLUMNS;
    switch (key->shape) {
        case VEL_OBS:
            return t->n_obs * 8;
        case VEL_VAR:
            return t->n_vars * 8;
        case VEL_OBS_VAR:
            return t->n_obs * t->n_vars * size;
        case VEL_OBS_OBS:
            return graph_bytes(t, t->n_neighbors - 1, size);
        case VEL_OBS_TIES:
            return graph_bytes(t, TIES * (t->n_neighbors - 1), size);
        case VEL_OBS_HOPS:
            return graph_bytes(t, t->reach * (key->both_signs ? 1 : 0.5), size) + LARGE_PAGES;
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

vel_held *vel_tally_find(vel_tally *t, const char *path) {
    for (int i = 0; i < t->n_fields; i++)
        if (!strcmp(t->fields[i].path, path)) return &t->fields[i];
    return NULL;
}

static void add(vel_tally *t, const char *path, double bytes, double value, double *sum) {
    *sum += bytes;
    if (t->n_fields < VEL_MOST_FIELDS)
        t->fields[t->n_fields++] = (vel_held){.path = path,
                                              .bytes = bytes,
                                              .value = value,
                                              .width = value,
                                              .most = bytes,
                                              .stored_share = 1,
                                              .is_layer = vel_is_layer(path)};
}

/* Of a selection of a sparse matrix all entries of the file may be in it, as far as there is room for them. */
static double most_loaded(const vel_tally *t, vel_entry e) {
    double room = (double)e.rows * (double)e.cols, stored = (double)vel_stored_in_file(t->ad, e.path);
    if (e.kind == VEL_SPARSE) e.stored = (int64_t)fmin(room, stored);
    return vel_tally_loaded(&e);
}

double vel_tally_read(vel_tally *t, const vel_planned_key *read) {
    vel_entry e = vel_entry_of(t->ad, read->path);
    double all = (double)vel_n_vars(t->ad), kept = vel_is_layer(read->path) && all > 0 ? t->n_vars / all : 1;
    double bytes = vel_tally_loaded(&e) * kept * (read->key->selected ? t->share : 1);
    if (read->key->passing) {
        t->inputs += bytes;
        return bytes;
    }
    add(t, read->path, bytes, e.kind == VEL_DENSE ? loaded_size(e.origin) : 0, &t->inputs);
    vel_held *come = &t->fields[t->n_fields - 1];
    come->is_matrix = e.ndim == 2;
    come->width = loaded_size(e.origin);
    bool is_widened = vel_loaded_type(e.origin) == VEL_F64 && e.origin != VEL_F64;
    if (come->is_matrix && is_widened) come->narrows = (double)e.stored * kept * sizeof(float);
    if (e.kind == VEL_SPARSE) come->stored_share = vel_tally_values_share(&e);
    come->is_part = read->key->selected;
    come->most *= most_loaded(t, e) / fmax(vel_tally_loaded(&e), 1);
    if (come->is_part && t->share > 0) come->most *= t->most_share / t->share;
    return 0;
}

static bool is_sparse(vel_shape shape) {
    return shape == VEL_OBS_OBS || shape == VEL_OBS_TIES || shape == VEL_OBS_HOPS;
}

/* Bytes of a value that is made. */
static double made_size(const vel_tally *t, const vel_planned *s, const vel_key *key, double share) {
    if (key->type && (key->whole ? share < 1 : !key->wide || !vel_planned_holds(s, key->wide)))
        return (double)vel_type_size(key->type);
    return key->wide && vel_planned_holds(s, key->wide) ? sizeof(double) : vel_tally_width(t, s, key);
}

/* Of a new layer the share that is touched, if only the chosen genes are made: a large page lies across many. */
static double touched_share(const vel_tally *t, double size) {
    return fmin(1, t->share * (1 + VEL_LARGE_PAGE / fmax(t->n_obs * size, 1)));
}

/* What is changed in place keeps its memory. */
void vel_tally_write(vel_tally *t, const vel_planned *s, const vel_planned_key *write) {
    vel_shape shape = write->key->shape;
    double size = made_size(t, s, write->key, t->share), most_size = made_size(t, s, write->key, t->most_share);
    vel_held *made = vel_tally_find(t, write->path);
    if (!made) {
        add(t, write->path, written_bytes(t, s, write->key, size), is_sparse(shape) ? 0 : most_size, &t->results);
        made = &t->fields[t->n_fields - 1];
        made->is_matrix = is_sparse(shape) || shape == VEL_OBS_ANY || shape == VEL_VAR_ANY;
        made->most *= most_size / size;
        if (write->key->whole) made->bytes *= touched_share(t, size);
        bool far = shape == VEL_OBS_HOPS;
        made->is_graph = far;
        double more = t->reach > 0 ? t->most_reach / t->reach : 1;
        if (far) made->most *= more;
        if (far) made->unused = more * LARGE_PAGES;
        if (shape == VEL_OBS_TIES) made->most *= MOST_TIES / TIES;
    }
    made->made = true;
    made->is_part = false;
}

static void narrow(vel_held *f) {
    double left = f->bytes - f->narrows;
    f->stored_share = (f->bytes * f->stored_share - f->narrows) / fmax(left, 1);
    f->most *= left / fmax(f->bytes, 1);
    f->bytes = left;
    f->width = sizeof(float);
    if (f->value > 0) f->value = f->width;
    f->narrows = 0;
}

void vel_tally_change(vel_tally *t, const vel_planned *s) {
    for (int w = 0; w < s->n_writes; w++) {
        const vel_key *key = s->writes[w].key;
        vel_held *f = vel_is_layer(s->writes[w].path) ? vel_tally_find(t, s->writes[w].path) : NULL;
        if (!f || (key->if_raw && !t->raw) || key->unless) continue;
        f->made = true;
        if (key->type == VEL_F32 && f->narrows > 0) narrow(f);
    }
}

double vel_tally_resident(const vel_tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++) bytes += t->fields[i].bytes;
    return bytes;
}

double vel_tally_most_resident(const vel_tally *t) {
    double bytes = 0;
    for (int i = 0; i < t->n_fields; i++) bytes += t->fields[i].most;
    return bytes;
}

void vel_tally_give_parts(vel_tally *t) {
    int kept = 0;
    for (int i = 0; i < t->n_fields; i++)
        if (!t->fields[i].is_part) t->fields[kept++] = t->fields[i];
    t->n_fields = kept;
}

void vel_tally_keep_chosen(vel_tally *t) {
    for (int i = 0; i < t->n_fields; i++)
        if (t->fields[i].is_layer && !t->fields[i].is_part) t->fields[i].bytes *= t->share;
    t->kept = t->most_kept = true;
}

void vel_tally_cut(vel_tally *t, double n_vars) {
    for (int i = 0; i < t->n_fields; i++) {
        if (!t->fields[i].is_layer) continue;
        t->fields[i].bytes *= n_vars / t->n_vars;
        t->fields[i].most *= n_vars / t->n_vars;
        t->fields[i].narrows *= n_vars / t->n_vars;
    }
    t->n_vars = n_vars;
}
