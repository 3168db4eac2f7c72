#include "core/field.h"
#include "io/h5.h"
#include "tests/io/files.h"

#include <fcntl.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>

/* ---- shapes */

static void shapes_without_end_are_refused(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t dims[2] = {(hsize_t)1 << 40, (hsize_t)1 << 20}, chunk[2] = {1, 1};
    hid_t space = H5Screate_simple(2, dims, NULL);
    H5Pset_chunk(list, 2, chunk);
    H5Dclose(H5Dcreate2(file, "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    hid_t sparse_group = group(file, "layers/s", "csr_matrix", "0.1.0");
    attr_shape(sparse_group, -1, INT64_MAX);
    H5Gclose(sparse_group);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_get_matrix(&f->ctx, ad, "X", &x), VEL_ESHAPE, "X");
    FAILS(f, vel_get_matrix(&f->ctx, ad, "layers/s", &x), VEL_ETYPE, "layers/s");
    vel_adata_free(ad);
}

/* ---- columns */

static void old_and_new_categoricals_are_the_same(void **state) {
    files *f = *state;
    const char *const words[] = {"x", "\xc3\xbc"};
    const int8_t codes[CELLS] = {1, -1, 0, 1};
    hid_t file = bare_file(f->path), made = group(file, "obs/new", "categorical", "0.2.0");
    vector(made, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, codes);
    strings(made, "categories", words, 2);
    H5Gclose(made);
    H5Gclose(group(file, "obs/__categories", NULL, NULL));
    strings(file, "obs/__categories/old", words, 2);
    vector(file, "obs/old", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, codes);
    hobj_ref_t reference;
    hid_t column = H5Dopen2(file, "obs/old", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    H5Rcreate(&reference, file, "obs/__categories/old", H5R_OBJECT, -1);
    hid_t attribute = H5Acreate2(column, "categories", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_STD_REF_OBJ, &reference) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Dclose(column);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    const char *const paths[] = {"obs/new", "obs/old"};
    for (int i = 0; i < 2; i++) {
        const vel_field *x;
        OK(f, vel_get(&f->ctx, ad, paths[i], &x));
        assert_int_equal(x->kind, VEL_CATEGORICAL);
        assert_memory_equal(x->codes, ((int32_t[]){1, -1, 0, 1}), sizeof(int32_t[CELLS]));
        assert_string_equal(x->texts[1], words[1]);
    }
    assert_false(vel_has(ad, "obs/__categories"));
    vel_adata_free(ad);
}

static void categories_of_numbers_are_called_as_python_calls_them(void **state) {
    files *f = *state;
    static const char *const words[] = {"-10.0", "0.5", "20.0", "100000.0", "1e-05", "nan"};
    enum { WORDS = sizeof words / sizeof *words };
    hid_t file = bare_file(f->path), made = group(file, "obs/day", "categorical", "0.2.0");
    vector(made, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){0, 1, 2, 3});
    vector(made, "categories", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, WORDS,
           (double[]){-10, 0.5, 20, 100000, 0.00001, NAN});
    H5Gclose(made);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_get(&f->ctx, ad, "obs/day", &x));
    assert_int_equal(x->n_categories, WORDS);
    for (int i = 0; i < WORDS; i++) assert_string_equal(x->texts[i], words[i]);
    vel_adata_free(ad);
}

static void a_code_beyond_its_categories_is_refused(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), made = group(file, "obs/bad", "categorical", "0.2.0");
    vector(made, "codes", H5T_STD_I32LE, H5T_NATIVE_INT32, CELLS, (int32_t[]){0, 1, 2, 0});
    strings(made, "categories", cell_names, 2);
    H5Gclose(made);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_get(&f->ctx, ad, "obs/bad", &x), VEL_EFORMAT, "code 2");
    vel_adata_free(ad);
}

static void nullable_columns_know_what_is_missing(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), made = group(file, "obs/n", "nullable-integer", "0.1.0");
    vector(made, "values", H5T_STD_I32LE, H5T_NATIVE_INT32, CELLS, (int32_t[]){5, 0, 7, 8});
    vector(made, "mask", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){0, 1, 0, 0});
    H5Gclose(made);
    made = group(file, "obs/s", "nullable-string-array", "0.1.0");
    strings(made, "values", cell_names, CELLS);
    vector(made, "mask", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){0, 0, 1, 0});
    H5Gclose(made);
    H5Fclose(file);
    vel_adata *ad;
    double *x;
    const char **texts;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_get_reals(&f->ctx, ad, "obs/n", CELLS, &x));
    assert_true(x[0] == 5 && isnan(x[1]) && x[2] == 7);
    OK(f, vel_get_texts(&f->ctx, ad, "obs/s", CELLS, &texts));
    assert_string_equal(texts[1], "c1");
    assert_null(texts[2]);
    vel_adata_free(ad);
}

static void the_index_may_have_any_name_and_be_a_group(void **state) {
    files *f = *state;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t obs = group(file, "obs", "dataframe", "0.2.0"),
          index = group(obs, "_index", "nullable-string-array", "0.1.0");
    attr_text(obs, "_index", "_index");
    strings(index, "values", cell_names, CELLS);
    vector(index, "mask", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[CELLS]){0});
    H5Gclose(index);
    H5Gclose(obs);
    hid_t var = group(file, "var", "dataframe", "0.2.0"), fixed = H5Tcopy(H5T_C_S1);
    attr_text(var, "_index", "symbol");
    H5Tset_size(fixed, 2);
    H5Tset_strpad(fixed, H5T_STR_NULLPAD);
    vector(var, "symbol", fixed, fixed, GENES, "aabbcc");
    H5Tclose(fixed);
    H5Gclose(var);
    H5Fclose(file);
    vel_adata *ad;
    char **names;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    assert_int_equal(vel_n_obs(ad), CELLS);
    OK(f, vel_obs_names(&f->ctx, ad, &names));
    assert_string_equal(names[3], "c3");
    OK(f, vel_var_names(&f->ctx, ad, &names));
    assert_string_equal(names[2], "cc");
    assert_false(vel_has(ad, "var/symbol"));
    vel_adata_free(ad);
}

static void an_index_that_is_no_column_is_refused(void **state) {
    files *f = *state;
    static const char *const words[][2] = {{"", "attribute _index of obs of "},
                                           {"", "found an empty text; obs has: _index"},
                                           {"gone", "found gone; obs has"}};
    vel_adata *ad;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hid_t file = bare_file(f->path), obs = H5Gopen2(file, "obs", H5P_DEFAULT);
        H5Adelete(obs, "_index");
        attr_text(obs, "_index", words[i][0]);
        H5Gclose(obs);
        H5Fclose(file);
        FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EFORMAT, words[i][1]);
    }
    hid_t file = bare_file(f->path), var = H5Gopen2(file, "var", H5P_DEFAULT);
    H5Adelete(var, "_index");
    attr_texts(var, "_index", gene_names, 2);
    H5Gclose(var);
    H5Fclose(file);
    FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EFORMAT, "_index of var of ");
}

/* Whether they stay or are looked at in passing. */
static void names_that_are_missing_are_nan_and_categories_are_names(void **state) {
    files *f = *state;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t obs = group(file, "obs", "dataframe", "0.2.0"), var = group(file, "var", "dataframe", "0.2.0");
    hid_t texts = group(obs, "_index", "nullable-string-array", "0.1.0"),
          categories = group(var, "_index", "categorical", "0.2.0");
    attr_text(obs, "_index", "_index");
    attr_text(var, "_index", "_index");
    strings(texts, "values", cell_names, CELLS);
    vector(texts, "mask", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){1, 0, 0, 1});
    strings(categories, "categories", gene_names, 2);
    vector(categories, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, GENES, (int8_t[]){1, -1, 0});
    H5Gclose(texts);
    H5Gclose(categories);
    H5Gclose(obs);
    H5Gclose(var);
    H5Fclose(file);
    static const char *const cells[] = {"nan", "c1", "c2", "nan"}, *const genes[] = {"g1", "nan", "g0"};
    vel_adata *ad;
    char **names;
    vel_field seen;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_peek(&f->ctx, ad, "obs/_index", NULL, &seen));
    for (int i = 0; i < CELLS; i++) assert_string_equal(seen.texts[i], cells[i]);
    vel_field_free(&seen);
    OK(f, vel_obs_names(&f->ctx, ad, &names));
    for (int i = 0; i < CELLS; i++) assert_string_equal(names[i], cells[i]);
    OK(f, vel_var_names(&f->ctx, ad, &names));
    for (int i = 0; i < GENES; i++) assert_string_equal(names[i], genes[i]);
    vel_adata_free(ad);
}

typedef struct {
    char index[4];
    float size;
    int8_t group;
} old_row;

static void tables_of_before_0_7_are_taken_apart(void **state) {
    files *f = *state;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    hid_t row = H5Tcreate(H5T_COMPOUND, sizeof(old_row));
    H5Tinsert(row, "index", offsetof(old_row, index), text);
    H5Tinsert(row, "size", offsetof(old_row, size), H5T_NATIVE_FLOAT);
    H5Tinsert(row, "group", offsetof(old_row, group), H5T_NATIVE_INT8);
    vector(file, "obs", row, row, CELLS, (old_row[]){{"a", 1, 0}, {"b", 2, 1}, {"c", 3, -1}, {"d", 4, 1}});
    vector(file, "var", row, row, GENES, (old_row[]){{"g", 1, 7}, {"h", 2, 7}, {"i", 3, 7}});
    H5Tclose(row);
    H5Tclose(text);
    hid_t pair = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, (hsize_t[]){2});
    row = H5Tcreate(H5T_COMPOUND, 2 * sizeof(float));
    H5Tinsert(row, "X_pca", 0, pair);
    vector(file, "obsm", row, row, CELLS, (float[CELLS][2]){{1, 2}, {3, 4}, {5, 6}, {7, 8}});
    H5Tclose(row);
    H5Tclose(pair);
    H5Gclose(group(file, "uns", NULL, NULL));
    strings(file, "uns/group_categories", (const char *const[]){"low", "high"}, 2);
    H5Fclose(file);
    vel_adata *ad;
    const char **texts;
    char **names;
    double *size;
    const vel_field *pca;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_obs_names(&f->ctx, ad, &names));
    assert_string_equal(names[1], "b");
    OK(f, vel_get_texts(&f->ctx, ad, "obs/group", CELLS, &texts));
    assert_string_equal(texts[3], "high");
    assert_null(texts[2]);
    OK(f, vel_get_reals(&f->ctx, ad, "obs/size", CELLS, &size));
    assert_true(size[2] == 3);
    OK(f, vel_get(&f->ctx, ad, "obsm/X_pca", &pca));
    assert_int_equal(pca->cols, 2);
    assert_true(((const float *)pca->data)[5] == 6);
    assert_false(vel_has(ad, "uns/group_categories"));
    vel_adata_free(ad);
}

static void record_arrays_have_columns(void **state) {
    files *f = *state;
    typedef struct {
        double score;
        char name[3];
    } record;
    hid_t file = bare_file(f->path), text = H5Tcopy(H5T_C_S1), row = H5Tcreate(H5T_COMPOUND, sizeof(record));
    H5Tset_size(text, 3);
    H5Tinsert(row, "score", offsetof(record, score), H5T_NATIVE_DOUBLE);
    H5Tinsert(row, "name", offsetof(record, name), text);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    vector(file, "uns/ranks", row, row, 2, (record[]){{1.5, "ab"}, {2.5, "cd"}});
    H5Tclose(row);
    H5Tclose(text);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_get(&f->ctx, ad, "uns/ranks", &x));
    assert_int_equal(x->kind, VEL_RECORDS);
    assert_string_equal(x->names[1], "name");
    assert_true(((const double *)x->columns[0].data)[1] == 2.5);
    assert_string_equal(x->columns[1].texts[0], "ab");
    vel_adata_free(ad);
}

static void a_layer_of_another_shape_is_refused(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    array(file, "layers/short", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS - 1, GENES},
          (float[(CELLS - 1) * GENES]){0});
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_get(&f->ctx, ad, "layers/short", &x), VEL_ESHAPE, "layers/short");
    vel_adata_free(ad);
}

/* One of each kind that a layer can be and no layer is: path, encoding and what is wrong are told. */
static void what_is_wrong_with_a_layer_is_told(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), made, text = H5Tcopy(H5T_C_S1);
    const hsize_t dims[] = {CELLS, GENES, 2};
    const int64_t zeros[CELLS + 1] = {0};
    H5Tset_size(text, H5T_VARIABLE);
    array(file, "layers/text", text, text, 2, dims, NULL);
    array(file, "layers/cube", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 3, dims, NULL);
    H5Gclose(group(file, "layers/bare", "csr_matrix", "0.1.0"));
    made = group(file, "layers/words", "csr_matrix", "0.1.0");
    attr_shape(made, CELLS, GENES);
    vector(made, "data", text, text, 2, NULL);
    H5Gclose(made);
    made = group(file, "layers/endless", "csc_matrix", "0.1.0");
    vector(made, "data", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, NULL);
    vector(made, "indices", H5T_STD_I32LE, H5T_NATIVE_INT64, 2, zeros);
    H5Gclose(made);
    H5Gclose(group(file, "layers/later", "coo_matrix", "0.1.0"));
    H5Lcreate_soft("/nowhere", file, "layers/link", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/obs", file, "layers/away", H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(text);
    H5Fclose(file);
    static const char *const rows[][2] = {{"layers/text", "it holds text, expected numbers"},
                                          {"layers/cube", "more than two dimensions"},
                                          {"layers/bare", "(csr_matrix) is not understood: it has no data"},
                                          {"layers/words", "its data are text, expected numbers"},
                                          {"layers/endless", "(csc_matrix) is not understood: it has no shape"},
                                          {"layers/later", "(coo_matrix) is not understood"},
                                          {"layers/link", "(a broken link) is not understood: what it leads to"},
                                          {"layers/away", "not to other groups"}};
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(vel_get_matrix(&f->ctx, ad, rows[i][0], &x), VEL_ETYPE);
        assert_non_null(strstr(f->ctx.message, rows[i][0]));
        FAILS(f, VEL_ETYPE, VEL_ETYPE, rows[i][1]);
    }
    uint8_t keep[GENES] = {1};
    FAILS(f, vel_keep_vars(&f->ctx, ad, keep), VEL_ETYPE, "cannot be cut: ");
    vel_adata_free(ad);
}

/* The length of a dataset that lies in one piece, written over in the file: the one dimension of that many elements. */
static void damage_the_shape(const char *path, uint64_t rows, uint64_t claimed) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    char *bytes = malloc((size_t)st.st_size);
    FILE *file = fopen(path, "r+");
    assert_int_equal(fread(bytes, 1, (size_t)st.st_size, file), st.st_size);
    char *at = memmem(bytes, (size_t)st.st_size, &rows, sizeof rows);
    assert_non_null(at);
    fseek(file, at - bytes, SEEK_SET);
    assert_int_equal(fwrite(&claimed, sizeof claimed, 1, file), 1);
    fclose(file);
    free(bytes);
}

/* Said of names before anything is made of so many, of others when they are asked for. */
static void what_claims_more_than_is_stored_is_refused(void **state) {
    files *f = *state;
    enum { ROWS = 12345 };
    const char **names = calloc(ROWS, sizeof *names);
    for (int i = 0; i < ROWS; i++) names[i] = "a";
    for (int i = 0; i < 2; i++) {
        hid_t file = bare_file(f->path);
        H5Gclose(group(file, "uns", "dict", "0.1.0"));
        if (i) H5Ldelete(file, "obs/_index", H5P_DEFAULT);
        strings(file, i ? "obs/_index" : "uns/many", names, ROWS);
        H5Fclose(file);
        damage_the_shape(f->path, ROWS, (uint64_t)1 << 40);
        vel_adata *ad;
        const vel_field *x;
        vel_field seen;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, i ? vel_peek(&f->ctx, ad, "obs/_index", NULL, &seen) : vel_get(&f->ctx, ad, "uns/many", &x), VEL_ETYPE,
              "it claims to have 1099511627776 elements, but only 197520 bytes are stored");
        vel_adata_free(ad);
    }
    free(names);
}

/* A claim costs nothing in chunks, or where nothing was written at all; made up, such names took minutes. */
static void names_that_were_never_written_are_refused(void **state) {
    files *f = *state;
    hsize_t claimed = 1000000000, each = 1000, one = 1;
    const char *name = "a";
    H5_OWNED hid_t text = vel_h5_text_type(), fixed = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &claimed, NULL);
    H5_OWNED hid_t first = H5Scopy(space), alone = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(first, H5S_SELECT_SET, &(hsize_t){0}, NULL, &one, NULL);
    const hid_t types[] = {text, fixed, H5T_STD_I64LE};
    for (int i = 0; i < 6; i++) {
        bool in_chunks = i < 3;
        hid_t file = bare_file(f->path), list = H5Pcreate(H5P_DATASET_CREATE);
        if (in_chunks) H5Pset_chunk(list, 1, &each);
        H5Ldelete(file, "obs/_index", H5P_DEFAULT);
        hid_t names = H5Dcreate2(file, "obs/_index", types[i % 3], space, H5P_DEFAULT, list, H5P_DEFAULT);
        if (i == 0) assert_true(H5Dwrite(names, text, alone, first, H5P_DEFAULT, &name) >= 0);
        H5Dclose(names);
        H5Pclose(list);
        H5Fclose(file);
        vel_adata *ad;
        vel_field seen;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, vel_peek(&f->ctx, ad, "obs/_index", NULL, &seen), VEL_EFORMAT,
              i == 0 ? "claims to have 1000000000 names, but only 1000 were written"
                     : "claims to have 1000000000 names, but only 0 were written");
        vel_adata_free(ad);
    }
}

/* Sequences take 12 bytes each in such a file, of 16 in memory. */
static void addresses_of_4_bytes_are_understood(void **state) {
    files *f = *state;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), sequence = H5Tvlen_create(H5T_STD_I32LE);
    int32_t numbers[] = {1, 2, 3};
    hvl_t values[] = {{3, numbers}, {0, NULL}, {1, numbers}};
    H5Pset_sizes(creation, 4, 4);
    hid_t file = bare_file_as(f->path, creation);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    array(file, "uns/lists", sequence, sequence, 1, (hsize_t[]){3}, values);
    H5Fclose(file);
    H5Pclose(creation);
    H5Tclose(sequence);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
}

/* ---- files that are none */

static void what_is_no_anndata_is_refused(void **state) {
    files *f = *state;
    vel_adata *ad;
    FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EREAD, f->path);
    FILE *text = fopen(f->path, "w");
    fputs("not HDF5 at all, just a line of text that is long enough to hold a signature", text);
    fclose(text);
    FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EREAD, f->path);
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group(file, "matrix", NULL, NULL));
    H5Gclose(group(file, "layers", NULL, NULL)); /* a loom file has layers too */
    array(file, "layers/spliced", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){2, 2}, (float[4]){0});
    H5Fclose(file);
    FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EFORMAT, "matrix");
}

static void truncated_files_are_refused(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    static float x[CELLS][GENES];
    array(file, "X", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS, GENES}, x);
    H5Fclose(file);
    FILE *whole = fopen(f->path, "r");
    fseek(whole, 0, SEEK_END);
    long size = ftell(whole);
    fclose(whole);
    for (long cut = size - 1; cut > 0; cut -= size / 50 + 1) {
        vel_adata *ad;
        assert_int_equal(truncate(f->path, cut), 0);
        FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EREAD, f->path);
    }
}

/* HDF5 looks at the length when it opens a file, and later reads zeros where there is nothing. */
static void files_that_become_shorter_while_they_are_open_are_refused(void **state) {
    files *f = *state;
    static const char *const paths[] = {"X", "obs/n", "layers/whole"};
    static float x[CELLS][GENES];
    static int64_t whole[CELLS][GENES];
    const int64_t n[CELLS] = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const vel_field *field;
        vel_adata *ad;
        struct stat st;
        hid_t file = bare_file(f->path);
        array(file, "X", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS, GENES}, x);
        array(file, "layers/whole", H5T_STD_I64BE, H5T_NATIVE_INT64, 2, (hsize_t[]){CELLS, GENES}, whole);
        array(file, "obs/n", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, (hsize_t[]){CELLS}, n);
        H5Fclose(file);
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        assert_int_equal(stat(f->path, &st), 0);
        assert_int_equal(truncate(f->path, st.st_size - 1), 0);
        FAILS(f, vel_get(&f->ctx, ad, paths[i], &field), VEL_EREAD, "become shorter");
        vel_adata_free(ad);
    }
}

static void a_file_that_is_being_written_is_refused(void **state) {
    files *f = *state;
    vel_adata *ad;
    H5Fclose(bare_file(f->path));
    if (getenv("HDF5_USE_FILE_LOCKING")) skip();
    int fd = open(f->path, O_RDWR);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EREAD, "another program");
    close(fd);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(shapes_without_end_are_refused),
        FILES_CLAIM(old_and_new_categoricals_are_the_same),
        FILES_CLAIM(categories_of_numbers_are_called_as_python_calls_them),
        FILES_CLAIM(a_code_beyond_its_categories_is_refused),
        FILES_CLAIM(nullable_columns_know_what_is_missing),
        FILES_CLAIM(the_index_may_have_any_name_and_be_a_group),
        FILES_CLAIM(an_index_that_is_no_column_is_refused),
        FILES_CLAIM(names_that_are_missing_are_nan_and_categories_are_names),
        FILES_CLAIM(tables_of_before_0_7_are_taken_apart),
        FILES_CLAIM(record_arrays_have_columns),
        FILES_CLAIM(a_layer_of_another_shape_is_refused),
        FILES_CLAIM(what_is_wrong_with_a_layer_is_told),
        FILES_CLAIM(what_claims_more_than_is_stored_is_refused),
        FILES_CLAIM(names_that_were_never_written_are_refused),
        FILES_CLAIM(addresses_of_4_bytes_are_understood),
        FILES_CLAIM(what_is_no_anndata_is_refused),
        FILES_CLAIM(truncated_files_are_refused),
        FILES_CLAIM(files_that_become_shorter_while_they_are_open_are_refused),
        FILES_CLAIM(a_file_that_is_being_written_is_refused),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
