#include "io/info.h"

#include <jansson.h>
#include <string.h>

#include "core/field.h"
#include "io/json.h"

enum { MOST_VALUES = 16 };

static const char *kind_name(vel_kind kind) {
    static const char *const names[] = {
        [VEL_ABSENT] = "absent",           [VEL_DENSE] = "dense",     [VEL_SPARSE] = "sparse", [VEL_TEXTS] = "text",
        [VEL_CATEGORICAL] = "categorical", [VEL_RECORDS] = "records", [VEL_DICT] = "dict",     [VEL_OTHER] = "other",
    };
    return names[kind];
}

static const char *type_name(const vel_entry *e) {
    bool is_number = e->kind == VEL_DENSE || e->kind == VEL_SPARSE;
    return is_number ? vel_type_name(e->origin) : e->kind == VEL_TEXTS || e->kind == VEL_CATEGORICAL ? "str" : "";
}

static vel_err built(vel_ctx *ctx, bool good) { return good ? VEL_OK : vel_no_memory(ctx, 1, sizeof(json_t)); }

/* ---- fields */

static json_t *shape_of(const vel_entry *e) {
    if (e->ndim == 0) return json_array();
    if (e->ndim == 1) return json_pack("[I]", (json_int_t)e->rows);
    return json_pack("[II]", (json_int_t)e->rows, (json_int_t)e->cols);
}

static vel_err add_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    json_t *fields = arg;
    vel_entry e = vel_entry_of(ad, path);
    if (e.kind == VEL_DICT) return VEL_OK;
    json_t *row = json_pack("{s:o, s:s, s:s, s:o, s:o}", "path", vel_json_text(path), "kind", kind_name(e.kind),
                            "dtype", type_name(&e), "encoding", vel_json_text(e.encoding), "shape", shape_of(&e));
    if (row && e.kind == VEL_SPARSE) json_object_set_new(row, "stored", json_integer(e.stored));
    return built(ctx, row && json_array_append_new(fields, row) == 0);
}

/* ---- what has been computed */

static bool ends_with(const char *text, size_t n, const char *end) {
    size_t m = strlen(end);
    return n >= m && !strncmp(text + n - m, end, m);
}

/* The part of a path below uns that names a computation: "velocity_params", "neighbors/params"; 0: none. */
static size_t computation(const char *path) {
    if (strncmp(path, "uns/", 4) != 0) return 0;
    const char *name = path + 4;
    size_t n = strcspn(name, "/");
    if (!strncmp(name, "vel", n) && n == 3) return n;
    if (!strncmp(name, "recover_dynamics", n) && n == 16) return n;
    if (ends_with(name, n, "_params")) return n;
    size_t with_params = n + sizeof "/params" - 1;
    return !strncmp(name + n, "/params", 7) && (!name[with_params] || name[with_params] == '/') ? with_params : 0;
}

static json_t *number(const vel_field *f, int64_t i) {
    double x = vel_field_real(f, i);
    if (f->type == VEL_BOOL) return json_boolean(x != 0);
    if (f->type == VEL_I64) return json_integer(((const int64_t *)f->data)[i]);
    if (f->type != VEL_F32 && f->type != VEL_F64 && x < 0x1p63) return json_integer((json_int_t)x);
    return vel_json_real(x);
}

static json_t *element(const vel_field *f, int64_t i) {
    if (f->kind == VEL_DENSE) return number(f, i);
    return vel_json_text(f->texts[i]);
}

static json_t *value_of(const vel_field *f) {
    if (f->ndim == 0) return element(f, 0);
    json_t *list = json_array();
    for (int64_t i = 0; list && i < f->rows; i++)
        if (json_array_append_new(list, element(f, i)) != 0) break;
    return list;
}

/* The object at which a member hangs, made as needed: one level a part of the path. */
static json_t *descend(json_t *at, const char **path, size_t first) {
    size_t n = first;
    while (at && (*path)[n] == '/') {
        json_t *next = json_object_getn(at, *path, n);
        if (!next && json_object_setn_new(at, *path, n, next = json_object()) != 0) return NULL;
        at = next;
        *path += n + 1;
        n = strcspn(*path, "/");
    }
    return at;
}

/* The value, in the place that its path shows. */
static vel_err put_value(vel_ctx *ctx, json_t *computed, const char *path, const vel_field *f) {
    const char *name = path + 4;
    json_t *at = descend(computed, &name, computation(path));
    return built(ctx, at && json_object_set_new(at, name, f ? value_of(f) : json_null()) == 0);
}

static vel_err add_value(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    vel_entry e = vel_entry_of(ad, path);
    bool is_none = e.kind == VEL_OTHER && !strcmp(e.encoding, "null");
    bool is_value = e.kind == VEL_DENSE || e.kind == VEL_TEXTS || is_none;
    if (!computation(path) || !is_value || e.ndim > 1 || e.rows > MOST_VALUES) return VEL_OK;
    const vel_field *f = NULL;
    if (!is_none) VEL_TRY(vel_get(ctx, ad, path, &f));
    json_t *shown = vel_json_text(path);
    const vel_err err = shown ? put_value(ctx, arg, json_string_value(shown), f) : built(ctx, false);
    json_decref(shown);
    return err;
}

/* ---- telling */

static vel_err tell_json(vel_ctx *ctx, const json_t *all, FILE *out) {
    if (json_dumpf(all, out, JSON_INDENT(2) | JSON_ENSURE_ASCII) != 0 || fputc('\n', out) == EOF)
        return vel_fail(ctx, VEL_EWRITE, "the description cannot be written");
    return VEL_OK;
}

static void tell_shape(const json_t *shape, char text[64]) {
    size_t n = json_array_size(shape);
    long long rows = json_integer_value(json_array_get(shape, 0)), cols = json_integer_value(json_array_get(shape, 1));
    if (n == 0) snprintf(text, 64, "one");
    if (n == 1) snprintf(text, 64, "%lld", rows);
    if (n == 2) snprintf(text, 64, "%lld x %lld", rows, cols);
}

static void tell_field(const json_t *row, int width, FILE *out) {
    char shape[64];
    const json_t *stored = json_object_get(row, "stored");
    tell_shape(json_object_get(row, "shape"), shape);
    fprintf(out, "  %-*s  %-8s %-18s %s", width, json_string_value(json_object_get(row, "path")),
            json_string_value(json_object_get(row, "dtype")), json_string_value(json_object_get(row, "encoding")),
            shape);
    if (stored) fprintf(out, ", %lld stored", (long long)json_integer_value(stored));
    fputc('\n', out);
}

static void tell_values(json_t *object, int depth, FILE *out) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        fprintf(out, "%*s%s", 2 * depth, "", name);
        if (json_is_object(value)) {
            fputc('\n', out);
            tell_values(value, depth + 1, out);
            continue;
        }
        fputs(" = ", out);
        if (json_is_string(value))
            fputs(json_string_value(value), out);
        else
            json_dumpf(value, out, JSON_ENCODE_ANY);
        fputc('\n', out);
    }
}

static vel_err tell_text(vel_ctx *ctx, json_t *all, FILE *out) {
    size_t i;
    json_t *row, *fields = json_object_get(all, "fields"), *computed = json_object_get(all, "computed");
    int width = 0;
    json_array_foreach(fields, i, row) {
        int n = (int)strlen(json_string_value(json_object_get(row, "path")));
        if (n > width && n <= 48) width = n;
    }
    fprintf(out, "%s: %lld cells x %lld genes\n\nfields\n", json_string_value(json_object_get(all, "file")),
            (long long)json_integer_value(json_object_get(all, "n_obs")),
            (long long)json_integer_value(json_object_get(all, "n_vars")));
    json_array_foreach(fields, i, row) tell_field(row, width, out);
    if (json_object_size(computed)) fputs("\ncomputed\n", out);
    tell_values(computed, 1, out);
    return ferror(out) ? vel_fail(ctx, VEL_EWRITE, "the description cannot be written") : VEL_OK;
}

vel_err vel_info(vel_ctx *ctx, vel_adata *ad, bool json, FILE *out) {
    json_t *all = json_pack("{s:o, s:I, s:I, s:[], s:{}}", "file", vel_json_text(vel_adata_name(ad)), "n_obs",
                            (json_int_t)vel_n_obs(ad), "n_vars", (json_int_t)vel_n_vars(ad), "fields", "computed");
    vel_err e = built(ctx, all != NULL);
    if (!e) e = vel_each(ctx, ad, add_field, json_object_get(all, "fields"));
    if (!e) e = vel_each(ctx, ad, add_value, json_object_get(all, "computed"));
    if (!e) e = json ? tell_json(ctx, all, out) : tell_text(ctx, all, out);
    json_decref(all);
    return e;
}
