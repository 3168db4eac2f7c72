/* The bytes choose what a file holds: shapes that lie, indices out of range, types where none belongs, parts that are
 * missing. HDF5 writes it, so that the fuzzer looks for mistakes in our reading and not in HDF5's. The file is listed,
 * every field read, cut and written; nothing may crash, whatever is refused. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/h5ad.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

typedef struct {
    const uint8_t *bytes;
    size_t n, at;
} source;

static unsigned next(source *s, unsigned below) { return s->at < s->n ? s->bytes[s->at++] % below : 0; }

/* Mostly small, sometimes absurd. */
static int64_t number(source *s) {
    static const int64_t odd[] = {-1, INT64_MAX, INT32_MAX, INT64_MIN, (int64_t)1 << 32, 255, 1 << 20, -128};
    unsigned kind = next(s, 16);
    return kind < 14 ? (int64_t)next(s, 6) : odd[next(s, 8)];
}

static hid_t any_type(source *s) {
    switch (next(s, 14)) {
        case 0:
            return H5Tcopy(H5T_STD_I8LE);
        case 1:
            return H5Tcopy(H5T_STD_U16BE);
        case 2:
            return H5Tcopy(H5T_STD_I32LE);
        case 3:
            return H5Tcopy(H5T_STD_I64BE);
        case 4:
            return H5Tcopy(H5T_STD_U64LE);
        case 5:
            return H5Tcopy(H5T_STD_U32LE);
        case 6:
            return H5Tcopy(H5T_IEEE_F64BE);
        case 7:
            return H5Tcopy(H5T_STD_REF_OBJ);
        case 8:
            return H5Tcopy(H5T_STD_B16LE);
        case 9:
            return H5Tcopy(H5T_UNIX_D32LE);
        default:
            return H5Tcopy(H5T_IEEE_F32LE);
    }
}

static void put_text(hid_t object, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void put_numbers(source *s, hid_t object, const char *name) {
    hsize_t n = next(s, 4);
    int64_t values[4] = {number(s), number(s), number(s), number(s)};
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(next(s, 2) ? H5S_NULL : H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, values);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void write_numbers(source *s, hid_t dataset, hid_t type, hsize_t n) {
    int64_t *values = calloc(n + 1, sizeof *values);
    for (hsize_t i = 0; i < n; i++) values[i] = number(s);
    if (H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT)
        H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    free(values);
}

static void dataset(source *s, hid_t group, const char *name) {
    hsize_t dims[3] = {next(s, 6), next(s, 6), next(s, 3)};
    int ndim = (int)next(s, 4);
    hid_t space = ndim == 3 && next(s, 2) ? H5Screate(H5S_NULL)
                  : ndim                  ? H5Screate_simple(ndim, dims, NULL)
                                          : H5Screate(H5S_SCALAR);
    bool is_text = next(s, 4) == 0;
    hid_t type = is_text ? H5Tcopy(H5T_C_S1) : any_type(s);
    if (is_text) H5Tset_size(type, next(s, 2) ? H5T_VARIABLE : 1 + next(s, 4));
    hid_t made = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t n = 1;
    for (int i = 0; i < ndim; i++) n *= dims[i];
    if (!is_text) write_numbers(s, made, type, n);
    if (next(s, 8) == 0) put_text(made, "encoding-type", next(s, 2) ? "array" : "categorical");
    if (next(s, 8) == 0) put_numbers(s, made, "categories");
    H5Dclose(made);
    H5Tclose(type);
    H5Sclose(space);
}

static void object(source *s, hid_t parent, const char *name, int depth);

static void members(source *s, hid_t group, int depth) {
    static const char *const names[] = {"data",         "indices",        "indptr", "codes", "categories",
                                        "values",       "mask",           "_index", "index", "a",
                                        "__categories", "connectivities", "params", "b"};
    for (unsigned n = next(s, 5); n > 0; n--) object(s, group, names[next(s, 14)], depth + 1);
}

static void matrix_parts(source *s, hid_t group) {
    static const char *const names[] = {"data", "indices", "indptr"};
    for (int i = 0; i < 3; i++)
        if (next(s, 12)) {
            hsize_t n = next(s, 8);
            hid_t space = H5Screate_simple(1, &n, NULL), type = next(s, 3) ? H5Tcopy(H5T_STD_I32LE) : any_type(s);
            hid_t made = H5Dcreate2(group, names[i], type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            write_numbers(s, made, type, n);
            H5Dclose(made);
            H5Tclose(type);
            H5Sclose(space);
        }
}

static void object(source *s, hid_t parent, const char *name, int depth) {
    static const char *const words[] = {
        "csr_matrix", "csc_matrix",       "categorical", "nullable-integer", "dataframe",
        "dict",       "nullable-boolean", "raw",         "unheard-of",       "nullable-string-array"};
    if (H5Lexists(parent, name, H5P_DEFAULT) > 0) return;
    unsigned kind = next(s, 8);
    if (kind == 0) H5Lcreate_soft(next(s, 2) ? "/uns" : "/nowhere", parent, name, H5P_DEFAULT, H5P_DEFAULT);
    if (kind == 1 || kind == 2 || depth > 3) dataset(s, parent, name);
    if (kind < 3 || depth > 3) return;
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    unsigned word = next(s, 12);
    if (word < 10) put_text(group, "encoding-type", words[word]);
    if (word == 11) put_text(group, "h5sparse_format", "csr");
    if (next(s, 4)) put_numbers(s, group, word == 11 ? "h5sparse_shape" : "shape");
    if (next(s, 4) == 0) put_text(group, "_index", next(s, 2) ? "index" : "gone");
    if (next(s, 6) == 0) put_text(group, "column-order", "a");
    if (word < 2 || word == 11) matrix_parts(s, group);
    members(s, group, depth);
    H5Gclose(group);
}

/* Mostly a sound frame, so that what lies behind it is reached. */
static void frame(source *s, hid_t file, const char *name) {
    if (next(s, 8) == 0) {
        object(s, file, name, 0);
        return;
    }
    hsize_t n = next(s, 6);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple(1, &n, NULL);
    put_text(group, "encoding-type", "dataframe");
    H5Dclose(H5Dcreate2(group, "_index", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    members(s, group, 0);
    H5Sclose(space);
    H5Gclose(group);
}

static void make_file(source *s, const char *path) {
    static const char *const names[] = {"X",   "layers", "obsm",  "varm",    "obsp", "varp",
                                        "uns", "raw",    "raw.X", "raw.var", "obs.x"};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    frame(s, file, "obs");
    frame(s, file, "var");
    for (int i = 0; i < 11; i++)
        if (next(s, 3)) object(s, file, names[i], 0);
    H5Fclose(file);
}

static vel_err read_one(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    const vel_field *f;
    (void)arg;
    vel_err e = vel_get(ctx, ad, path, &f);
    ctx->message[0] = 0;
    return e == VEL_ENOMEM ? e : VEL_OK;
}

static vel_err use(vel_ctx *ctx, vel_adata *ad, const char *path) {
    uint8_t keep[64] = {0};
    for (int i = 0; i < 64; i += 2) keep[i] = 1;
    VEL_TRY(vel_h5ad_write(ctx, ad, path));
    VEL_TRY(vel_each(ctx, ad, read_one, NULL));
    if (vel_n_obs(ad) <= 64) VEL_TRY(vel_keep_obs(ctx, ad, keep));
    if (vel_n_vars(ad) <= 64) VEL_TRY(vel_keep_vars(ctx, ad, keep));
    return vel_h5ad_write(ctx, ad, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static char in[64], out[64];
    snprintf(in, sizeof in, "/dev/shm/vel-fuzz-%d.h5ad", (int)getpid());
    snprintf(out, sizeof out, "/dev/shm/vel-fuzz-%d-out.h5ad", (int)getpid());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    source s = {bytes, n, 0};
    make_file(&s, in);
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    vel_err e = vel_h5ad_open(&ctx, in, &ad);
    if (!e) e = use(&ctx, ad, out);
    if (e && !ctx.message[0]) abort(); /* a refusal says why */
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    unlink(in);
    unlink(out);
    return 0;
}
