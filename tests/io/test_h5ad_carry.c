/* What older and newer makers wrote, through our hands: read, changed in place, cut, written and read again. */
#include "tests/io/files.h"

#include <math.h>

static void rewrite(files *f, vel_err (*change)(vel_ctx *ctx, vel_adata *ad), vel_adata **ad) {
    OK(f, vel_h5ad_open(&f->ctx, f->path, ad));
    if (change) OK(f, change(&f->ctx, *ad));
    OK(f, vel_h5ad_write(&f->ctx, *ad, f->other));
    vel_adata_free(*ad);
    OK(f, vel_h5ad_open(&f->ctx, f->other, ad));
}

static vel_err halve(vel_ctx *ctx, vel_adata *ad) { return vel_keep_obs(ctx, ad, (uint8_t[]){1, 0, 1, 0}); }

static vel_err edit_one(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    vel_field *f;
    vel_kind kind = vel_entry_of(ad, path).kind;
    (void)arg;
    return kind == VEL_DICT || kind == VEL_OTHER ? VEL_OK : vel_edit(ctx, ad, path, &f);
}

static vel_err edit_all(vel_ctx *ctx, vel_adata *ad) { return vel_each(ctx, ad, edit_one, NULL); }

static void bools(hid_t group, const char *name, const int8_t *values) {
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tenum_insert(type, "FALSE", &(int8_t){0});
    H5Tenum_insert(type, "TRUE", &(int8_t){1});
    vector(group, name, type, type, CELLS, values);
    H5Tclose(type);
}

/* ---- columns of every sort */

typedef struct {
    double score;
    int32_t rank;
    const char *name;
} record;

static void make_columns(files *f) {
    hid_t file = bare_file(f->path), made = group(file, "obs/n", "nullable-integer", "0.1.0");
    vector(made, "values", H5T_STD_I32LE, H5T_NATIVE_INT32, CELLS, (int32_t[]){5, 0, 7, 8});
    bools(made, "mask", (int8_t[]){0, 1, 0, 0});
    H5Gclose(made);
    made = group(file, "obs/s", "nullable-string-array", "0.1.0");
    strings(made, "values", cell_names, CELLS);
    bools(made, "mask", (int8_t[]){0, 0, 0, 0});
    H5Gclose(made);
    made = group(file, "obs/k", "categorical", "0.2.0");
    vector(made, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){1, 0, 1, -1});
    vector(made, "categories", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, (double[]){0.1, 2});
    H5Gclose(made);
    bools(file, "obs/b", (int8_t[]){1, 0, 0, 1});
    hid_t text = H5Tcopy(H5T_C_S1), row = H5Tcreate(H5T_COMPOUND, sizeof(record));
    H5Tset_size(text, H5T_VARIABLE);
    H5Tinsert(row, "score", offsetof(record, score), H5T_NATIVE_DOUBLE);
    H5Tinsert(row, "rank", offsetof(record, rank), H5T_NATIVE_INT32);
    H5Tinsert(row, "name", offsetof(record, name), text);
    H5Gclose(group(file, "obsm", "dict", "0.1.0"));
    vector(file, "obsm/records", row, row, CELLS, (record[]){{1, 1, "a"}, {2, 2, "b"}, {3, 3, "c"}, {4, 4, "d"}});
    H5Tclose(row);
    H5Tclose(text);
    H5Fclose(file);
}

/* Every cell, or cells 0 and 2. */
static void check_columns(files *f, vel_adata *ad, int64_t step) {
    int64_t n = vel_n_obs(ad);
    const char **texts;
    const vel_field *x;
    double *reals;
    OK(f, vel_get_reals(&f->ctx, ad, "obs/n", n, &reals));
    assert_true(reals[0] == 5 && (step == 2 ? reals[1] == 7 : isnan(reals[1])));
    OK(f, vel_get_texts(&f->ctx, ad, "obs/s", n, &texts));
    assert_string_equal(texts[n - 1], step == 2 ? "c2" : "c3");
    OK(f, vel_get_texts(&f->ctx, ad, "obs/k", n, &texts));
    assert_string_equal(texts[0], "2.0");
    assert_string_equal(texts[step == 2 ? 0 : 1], step == 2 ? "2.0" : "0.1");
    assert_int_equal(vel_entry_of(ad, "obs/b").origin, VEL_BOOL);
    OK(f, vel_get(&f->ctx, ad, "obsm/records", &x));
    assert_int_equal(x->rows, n);
    assert_true(((const int32_t *)x->columns[1].data)[1] == 1 + step);
    assert_string_equal(x->columns[2].texts[1], step == 2 ? "c" : "b");
}

static void columns_survive_copying_cutting_and_editing(void **state) {
    files *f = *state;
    vel_adata *ad;
    make_columns(f);
    rewrite(f, NULL, &ad);
    check_columns(f, ad, 1);
    vel_adata_free(ad);
    rewrite(f, halve, &ad);
    check_columns(f, ad, 2);
    vel_adata_free(ad);
    rewrite(f, edit_all, &ad);
    check_columns(f, ad, 1);
    vel_adata_free(ad);
}

/* anndata before 0.11 does not know them. */
static void strings_without_gaps_are_written_as_plain_ones(void **state) {
    files *f = *state;
    vel_adata *ad;
    make_columns(f);
    rewrite(f, NULL, &ad);
    assert_string_equal(vel_entry_of(ad, "obs/s").encoding, "string-array");
    vel_adata_free(ad);
}

/* ---- older files */

static void make_old(files *f) {
    hid_t file = bare_file(f->path), reference_space = H5Screate(H5S_SCALAR);
    H5Gclose(group(file, "obs/__categories", NULL, NULL));
    strings(file, "obs/__categories/old", gene_names, 2);
    vector(file, "obs/old", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){1, 0, 0, 1});
    hobj_ref_t reference;
    hid_t column = H5Dopen2(file, "obs/old", H5P_DEFAULT);
    H5Rcreate(&reference, file, "obs/__categories/old", H5R_OBJECT, -1);
    hid_t attribute = H5Acreate2(column, "categories", H5T_STD_REF_OBJ, reference_space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_STD_REF_OBJ, &reference) >= 0);
    H5Aclose(attribute);
    H5Sclose(reference_space);
    H5Dclose(column);
    H5Gclose(group(file, "uns", NULL, NULL));
    H5Gclose(group(file, "uns/neighbors", NULL, NULL));
    hid_t graph = group(file, "uns/neighbors/connectivities", NULL, NULL),
          space = H5Screate_simple(1, (hsize_t[]){2}, NULL);
    attr_text(graph, "h5sparse_format", "csr");
    attribute = H5Acreate2(graph, "h5sparse_shape", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_INT64, (int64_t[]){CELLS, CELLS}) >= 0);
    vector(graph, "data", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, (double[]){1, 2, 3});
    vector(graph, "indices", H5T_STD_I32LE, H5T_NATIVE_INT32, 3, (int32_t[]){2, 0, 1});
    vector(graph, "indptr", H5T_STD_I32LE, H5T_NATIVE_INT32, CELLS + 1, (int32_t[]){0, 1, 1, 2, 3});
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(graph);
    array(file, "raw.X", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS, 5}, (float[CELLS * 5]){1});
    frame(file, "raw.var", (const char *const[]){"a", "b", "c", "d", "e"}, 5);
    H5Fclose(file);
}

static void old_files_are_brought_up_to_date(void **state) {
    files *f = *state;
    vel_adata *ad;
    const char **texts;
    const vel_field *x;
    make_old(f);
    rewrite(f, NULL, &ad);
    OK(f, vel_get_texts(&f->ctx, ad, "obs/old", CELLS, &texts));
    assert_string_equal(texts[0], "g1");
    assert_string_equal(vel_entry_of(ad, "obs/old").encoding, "categorical");
    assert_string_equal(vel_entry_of(ad, "obsp/connectivities").encoding, "csr_matrix");
    assert_false(vel_has(ad, "uns/neighbors/connectivities"));
    assert_int_equal(vel_entry_of(ad, "raw/X").cols, 5);
    vel_adata_free(ad);
    rewrite(f, halve, &ad);
    OK(f, vel_get(&f->ctx, ad, "obsp/connectivities", &x));
    assert_int_equal(x->rows, 2);
    assert_memory_equal(x->indptr, ((int64_t[]){0, 1, 2}), sizeof(int64_t[3]));
    assert_memory_equal(x->indices, ((int32_t[]){1, 0}), sizeof(int32_t[2]));
    assert_int_equal(vel_entry_of(ad, "raw/X").rows, 2);
    vel_adata_free(ad);
}

/* ---- matrices that scipy cannot hold */

static bool has_type(const char *path, const char *name, hid_t type) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t found = H5Dget_type(dataset);
    bool same = H5Tequal(found, type) > 0;
    H5Tclose(found);
    H5Dclose(dataset);
    H5Fclose(file);
    return same;
}

static void odd_sparse_matrices_become_usable(void **state) {
    files *f = *state;
    vel_adata *ad;
    const vel_field *x;
    hid_t file = bare_file(f->path);
    sparse(file, &(sparse_parts){"X", "csr_matrix", H5T_IEEE_F64BE, H5T_STD_U64LE, H5T_STD_U64LE, 3, CELLS + 1,
                                 (double[]){1, 2, 3}, (int64_t[]){0, 2, 1}, (int64_t[]){0, 1, 1, 2, 3}});
    H5Fclose(file);
    rewrite(f, NULL, &ad);
    OK(f, vel_get_matrix(&f->ctx, ad, "X", &x));
    assert_memory_equal(x->data, ((double[]){1, 2, 3}), sizeof(double[3]));
    vel_adata_free(ad);
    assert_true(has_type(f->other, "X/data", H5T_IEEE_F64LE));
    assert_true(has_type(f->other, "X/indices", H5T_STD_I64LE));
    assert_true(has_type(f->other, "X/indptr", H5T_STD_I64LE));
}

/* ---- compressed sparse matrices */

static void compressed_part(hid_t made, const char *name, hid_t type, hid_t memory, hsize_t n, const void *values) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
    hsize_t chunk = 100;
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 4);
    hid_t dataset = H5Dcreate2(made, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
}

static void compressed_sparse_matrices_are_read_and_cut(void **state) {
    files *f = *state;
    enum { WIDE = 300 };
    static double values[CELLS * WIDE];
    static int64_t indices[CELLS * WIDE];
    for (int e = 0; e < CELLS * WIDE; e++) {
        values[e] = e;
        indices[e] = e % WIDE;
    }
    hid_t file = bare_file(f->path), obsm = group(file, "obsm", "dict", "0.1.0");
    hid_t made = group(obsm, "wide", "csr_matrix", "0.1.0");
    attr_shape(made, CELLS, WIDE);
    compressed_part(made, "data", H5T_STD_I32LE, H5T_NATIVE_DOUBLE, CELLS * WIDE, values);
    compressed_part(made, "indices", H5T_STD_I64LE, H5T_NATIVE_INT64, CELLS * WIDE, indices);
    vector(made, "indptr", H5T_STD_I64LE, H5T_NATIVE_INT64, CELLS + 1,
           (int64_t[]){0, WIDE, 2 * WIDE, 3 * WIDE, 4 * WIDE});
    H5Gclose(made);
    H5Gclose(obsm);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    rewrite(f, halve, &ad);
    OK(f, vel_get(&f->ctx, ad, "obsm/wide", &x));
    assert_int_equal(x->indptr[2], 2 * WIDE);
    for (int e = 0; e < 2 * WIDE; e++) {
        assert_int_equal(x->indices[e], e % WIDE);
        assert_true(((const double *)x->data)[e] == (e < WIDE ? e : e + WIDE));
    }
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(columns_survive_copying_cutting_and_editing),
        FILES_CLAIM(strings_without_gaps_are_written_as_plain_ones),
        FILES_CLAIM(old_files_are_brought_up_to_date),
        FILES_CLAIM(odd_sparse_matrices_become_usable),
        FILES_CLAIM(compressed_sparse_matrices_are_read_and_cut),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
