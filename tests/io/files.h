/* files.h - for the tests of io: a context, a temporary directory, small AnnData files made by HDF5 calls. */
#ifndef VEL_TESTS_IO_FILES_H
#define VEL_TESTS_IO_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <hdf5.h>

#include "io/h5ad.h"

enum { CELLS = 4, GENES = 3 };

typedef struct {
    vel_ctx ctx;
    char directory[64], path[96], other[96];
} files;

static int files_setup(void **state) {
    static files f;
    f = (files){.ctx = {.scratch = vel_arena_new(), .threads = 2}};
    snprintf(f.directory, sizeof f.directory, "/tmp/vel-test-XXXXXX");
    assert_non_null(mkdtemp(f.directory));
    snprintf(f.path, sizeof f.path, "%s/a.h5ad", f.directory);
    snprintf(f.other, sizeof f.other, "%s/b.h5ad", f.directory);
    *state = &f;
    return 0;
}

static int files_teardown(void **state) {
    files *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", f->directory);
    vel_arena_free(f->ctx.scratch);
    return system(command);
}

#define FILES_CLAIM(name) cmocka_unit_test_setup_teardown(name, files_setup, files_teardown)

#define OK(f, call)                                        \
    do {                                                   \
        vel_err err_ = (call);                             \
        if (err_) print_message("%s\n", (f)->ctx.message); \
        assert_int_equal(err_, VEL_OK);                    \
    } while (0)

/* The call fails with that error, and its message holds the words. */
#define FAILS(f, call, error, words)                                                   \
    do {                                                                               \
        assert_int_equal(call, error);                                                 \
        if (!strstr((f)->ctx.message, words)) print_message("%s\n", (f)->ctx.message); \
        assert_non_null(strstr((f)->ctx.message, words));                              \
        (f)->ctx.message[0] = 0;                                                       \
    } while (0)

/* ---- pieces of files; ids are checked, so that a mistake in a test shows itself */

static inline void attr_text(hid_t object, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, &text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void attr_texts(hid_t object, const char *name, const char *const *texts, hsize_t n) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &n, NULL);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (n) assert_true(H5Awrite(attribute, type, texts) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void attr_shape(hid_t object, int64_t rows, int64_t cols) {
    hsize_t n = 2;
    int64_t shape[2] = {rows, cols};
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute = H5Acreate2(object, "shape", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT64, shape) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static inline void encode(hid_t object, const char *type, const char *version) {
    attr_text(object, "encoding-type", type);
    attr_text(object, "encoding-version", version);
}

static inline hid_t group(hid_t file, const char *name, const char *type, const char *version) {
    hid_t made = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(made >= 0);
    if (type) encode(made, type, version);
    return made;
}

static inline void array(hid_t file, const char *name, hid_t type, hid_t memory, int ndim, const hsize_t *dims,
                         const void *values) {
    hid_t space = ndim ? H5Screate_simple(ndim, dims, NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0);
    if (values) assert_true(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static inline void vector(hid_t file, const char *name, hid_t type, hid_t memory, hsize_t n, const void *values) {
    array(file, name, type, memory, 1, &n, values);
}

static inline void strings(hid_t file, const char *name, const char *const *texts, hsize_t n) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    vector(file, name, type, type, n, texts);
    H5Tclose(type);
}

static const char *const cell_names[] = {"c0", "c1", "c2", "c3"}, *const gene_names[] = {"g0", "g1", "g2"};

static inline void frame(hid_t file, const char *name, const char *const *names, hsize_t n) {
    hid_t made = group(file, name, "dataframe", "0.2.0");
    attr_text(made, "_index", "_index");
    attr_texts(made, "column-order", NULL, 0);
    strings(made, "_index", names, n);
    H5Gclose(made);
}

/* A file of 4 cells and 3 genes with nothing but names. */
static inline hid_t bare_file_as(const char *path, hid_t creation) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    assert_true(file >= 0);
    frame(file, "obs", cell_names, CELLS);
    frame(file, "var", gene_names, GENES);
    H5Gclose(group(file, "layers", "dict", "0.1.0"));
    return file;
}

static inline hid_t bare_file(const char *path) { return bare_file_as(path, H5P_DEFAULT); }

/* csr or csc of any types; values in double, indices and indptr in int64. */
typedef struct {
    const char *name, *encoding;
    hid_t data, index, pointer;
    hsize_t n_values, n_pointers;
    const double *values;
    const int64_t *indices, *indptr;
} sparse_parts;

static inline void sparse(hid_t file, const sparse_parts *s) {
    hid_t made = group(file, s->name, s->encoding, "0.1.0");
    attr_shape(made, CELLS, GENES);
    vector(made, "data", s->data, H5T_NATIVE_DOUBLE, s->n_values, s->values);
    vector(made, "indices", s->index, H5T_NATIVE_INT64, s->n_values, s->indices);
    vector(made, "indptr", s->pointer, H5T_NATIVE_INT64, s->n_pointers, s->indptr);
    H5Gclose(made);
}

#endif
