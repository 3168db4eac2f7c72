#include "tests/io/files.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- helpers */

/* A handle with one field of every kind. */
static vel_adata *full_handle(files *f) {
    vel_adata *ad;
    vel_field *x;
    OK(f, vel_adata_new(&f->ctx, CELLS, GENES, &ad));
    OK(f, vel_put_names(&f->ctx, ad, false, cell_names));
    OK(f, vel_put_names(&f->ctx, ad, true, gene_names));
    OK(f, vel_put_dense(&f->ctx, ad, "layers/Ms", VEL_F32, vel_matrix(CELLS, GENES), &x));
    for (int i = 0; i < CELLS * GENES; i++) ((float *)x->data)[i] = (float)i;
    OK(f, vel_put_sparse(&f->ctx, ad, "X", VEL_F64, vel_matrix(CELLS, GENES), 3, &x));
    memcpy(x->indptr, (int64_t[]){0, 1, 1, 2, 3}, sizeof(int64_t[CELLS + 1]));
    memcpy(x->indices, (int32_t[]){2, 0, 1}, sizeof(int32_t[3]));
    memcpy(x->data, (double[]){1.5, 2.5, 3.5}, sizeof(double[3]));
    OK(f, vel_put_reals(&f->ctx, ad, "var/fit_alpha", (double[]){1, NAN, 3}, GENES));
    OK(f, vel_put_bools(&f->ctx, ad, "var/velocity_genes", (uint8_t[]){1, 0, 1}, GENES));
    OK(f, vel_put_categorical(&f->ctx, ad, "obs/clusters", (int32_t[]){0, 1, -1, 1}, CELLS,
                              (const char *const[]){"a", "b"}, 2));
    OK(f, vel_put_texts(&f->ctx, ad, "obs/note", (const char *const[]){"x", NULL, "", "\xc3\xbc"}, CELLS));
    OK(f, vel_put_text(&f->ctx, ad, "uns/velocity_params/mode", "dynamical"));
    OK(f, vel_put_bool(&f->ctx, ad, "uns/velocity_params/fit_offset", false));
    OK(f, vel_put_int(&f->ctx, ad, "uns/velocity_params/n", 30));
    return ad;
}

static void write_full(files *f, const char *path) {
    vel_adata *ad = full_handle(f);
    OK(f, vel_h5ad_write(&f->ctx, ad, path));
    vel_adata_free(ad);
}

static char *content(const char *path, long *size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size + 1);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_same_bytes(const char *a, const char *b) {
    long n, m;
    char *x = content(a, &n), *y = content(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, (size_t)n);
    free(x);
    free(y);
}

static int entries_of(const char *directory) {
    char command[128];
    int n = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", directory);
    FILE *pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%d", &n), 1);
    pclose(pipe);
    return n;
}

/* ---- what is written is read again */

static void everything_put_comes_back(void **state) {
    files *f = *state;
    vel_adata *ad;
    const vel_field *x;
    const char *text, **texts;
    double *reals, n;
    uint8_t *bools;
    char **names;
    write_full(f, f->path);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_get_matrix(&f->ctx, ad, "layers/Ms", &x));
    for (int i = 0; i < CELLS * GENES; i++) assert_true(((const float *)x->data)[i] == (float)i);
    OK(f, vel_get_matrix(&f->ctx, ad, "X", &x));
    assert_memory_equal(x->indices, ((int32_t[]){2, 0, 1}), sizeof(int32_t[3]));
    assert_memory_equal(x->data, ((double[]){1.5, 2.5, 3.5}), sizeof(double[3]));
    OK(f, vel_get_reals(&f->ctx, ad, "var/fit_alpha", GENES, &reals));
    assert_true(reals[0] == 1 && isnan(reals[1]) && reals[2] == 3);
    OK(f, vel_get_bools(&f->ctx, ad, "var/velocity_genes", GENES, &bools));
    assert_memory_equal(bools, ((uint8_t[]){1, 0, 1}), GENES);
    OK(f, vel_get_texts(&f->ctx, ad, "obs/clusters", CELLS, &texts));
    assert_string_equal(texts[3], "b");
    assert_null(texts[2]);
    OK(f, vel_get_texts(&f->ctx, ad, "obs/note", CELLS, &texts));
    assert_null(texts[1]);
    assert_string_equal(texts[2], "");
    assert_string_equal(texts[3], "\xc3\xbc");
    OK(f, vel_get_text(&f->ctx, ad, "uns/velocity_params/mode", &text));
    assert_string_equal(text, "dynamical");
    OK(f, vel_get_real(&f->ctx, ad, "uns/velocity_params/n", &n));
    assert_true(n == 30);
    OK(f, vel_var_names(&f->ctx, ad, &names));
    assert_string_equal(names[2], "g2");
    vel_adata_free(ad);
}

/* Several tiles, the last one short; by any number of threads. */
static void large_layers_are_written_cell_by_cell(void **state) {
    files *f = *state;
    enum { N = 2003, M = 301 };
    static float x[N][M];
    vel_adata *ad;
    vel_field *field;
    OK(f, vel_adata_new(&f->ctx, N, M, &ad));
    OK(f, vel_put_dense(&f->ctx, ad, "layers/Ms", VEL_F32, vel_matrix(N, M), &field));
    for (int g = 0; g < M; g++)
        for (int c = 0; c < N; c++) ((float *)field->data)[g * N + c] = (float)(c * M + g);
    for (f->ctx.threads = 1; f->ctx.threads <= 3; f->ctx.threads++) {
        OK(f, vel_h5ad_write(&f->ctx, ad, f->ctx.threads == 1 ? f->other : f->path));
        if (f->ctx.threads > 1) assert_same_bytes(f->path, f->other);
    }
    vel_adata_free(ad);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, "layers/Ms", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    for (int i = 0; i < N * M; i++) assert_true(((float *)x)[i] == (float)i);
}

static int32_t column_of(int i) { return i / 3 % 600 * 3 + i % 3; }

/* Sparse matrices and columns that go to the file piece by piece: ends of pieces, and the odd end, are where they
 * belong. */
static void long_vectors_are_written_whole(void **state) {
    files *f = *state;
    enum { N = 600001, M = 1802, A_ROW = 2, STORED = A_ROW * N };
    static double values[STORED];
    static int32_t indices[STORED];
    vel_adata *ad;
    vel_field *x;
    OK(f, vel_adata_new(&f->ctx, N, M, &ad));
    OK(f, vel_put_sparse(&f->ctx, ad, "layers/spliced", VEL_F64, vel_matrix(N, M), STORED, &x));
    for (int i = 0; i <= N; i++) x->indptr[i] = A_ROW * i;
    for (int i = 0; i < STORED; i++) {
        x->indices[i] = column_of(i);
        ((double *)x->data)[i] = i + 0.5;
    }
    OK(f, vel_h5ad_write(&f->ctx, ad, f->path));
    vel_adata_free(ad);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t data = H5Dopen2(file, "layers/spliced/data", H5P_DEFAULT);
    hid_t columns = H5Dopen2(file, "layers/spliced/indices", H5P_DEFAULT);
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dread(columns, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, indices) >= 0);
    H5Dclose(columns);
    H5Dclose(data);
    H5Fclose(file);
    for (int i = 0; i < STORED; i++) assert_true(values[i] == i + 0.5 && indices[i] == column_of(i));
}

/* ---- compressed */

enum { MANY = 700 };

/* A layer, a sparse matrix, vectors that are converted on the way and small ones. */
static vel_adata *large_handle(files *f) {
    vel_adata *ad;
    vel_field *x;
    static int32_t codes[MANY];
    OK(f, vel_adata_new(&f->ctx, MANY, 2 * GENES, &ad));
    OK(f, vel_put_dense(&f->ctx, ad, "layers/Ms", VEL_F64, vel_matrix(MANY, 2 * GENES), &x));
    for (int i = 0; i < MANY * 2 * GENES; i++) ((double *)x->data)[i] = i % 11 * 0.1;
    OK(f, vel_put_sparse(&f->ctx, ad, "X", VEL_F32, vel_matrix(MANY, 2 * GENES), 2 * MANY, &x));
    for (int i = 0; i < 2 * MANY; i++) {
        x->indices[i] = i % 2 + i / 2 % 3;
        ((float *)x->data)[i] = (float)(i % 7);
    }
    for (int i = 0; i <= MANY; i++) x->indptr[i] = 2 * i;
    OK(f, vel_put_dense(&f->ctx, ad, "obsm/X_pca", VEL_F32, vel_matrix(MANY, 5), &x));
    for (int i = 0; i < MANY * 5; i++) ((float *)x->data)[i] = (float)i;
    for (int i = 0; i < MANY; i++) codes[i] = i % 2;
    OK(f, vel_put_categorical(&f->ctx, ad, "obs/clusters", codes, MANY, (const char *const[]){"a", "b"}, 2));
    OK(f, vel_put_reals(&f->ctx, ad, "var/gamma", (double[]){1, 2, 3, 4, 5, 6}, 2 * GENES));
    return ad;
}

static vel_err same_field(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    const vel_field *a, *b;
    vel_kind kind = vel_entry_of(ad, path).kind;
    if (kind == VEL_DICT) return VEL_OK;
    VEL_TRY(vel_get(ctx, ad, path, &a));
    VEL_TRY(vel_get(ctx, arg, path, &b));
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    size_t n = (size_t)(kind == VEL_SPARSE ? a->indptr[a->rows] : a->rows * a->cols);
    if (a->data) assert_memory_equal(a->data, b->data, n * vel_type_size(a->type));
    if (a->indptr) assert_memory_equal(a->indptr, b->indptr, (size_t)(a->rows + 1) * sizeof *a->indptr);
    if (a->indices) assert_memory_equal(a->indices, b->indices, n * sizeof *a->indices);
    if (a->codes) assert_memory_equal(a->codes, b->codes, (size_t)a->rows * sizeof *a->codes);
    return VEL_OK;
}

static int filters_of(const char *path, const char *dataset) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), x = H5Dopen2(file, dataset, H5P_DEFAULT);
    hid_t list = H5Dget_create_plist(x);
    int n = H5Pget_nfilters(list);
    H5Pclose(list);
    H5Dclose(x);
    H5Fclose(file);
    return n;
}

static void what_is_compressed_comes_back_to_the_bit(void **state) {
    files *f = *state;
    const vel_packing packings[] = {{VEL_GZIP, 4}, {VEL_LZF, 0}};
    for (int k = 0; k < 2; k++) {
        vel_adata *made = large_handle(f), *read;
        OK(f, vel_h5ad_write_packed(&f->ctx, made, f->path, &packings[k]));
        OK(f, vel_h5ad_open(&f->ctx, f->path, &read));
        OK(f, vel_each(&f->ctx, made, same_field, read));
        vel_adata_free(read);
        vel_adata_free(made);
        assert_int_equal(filters_of(f->path, "layers/Ms"), 2);
        assert_int_equal(filters_of(f->path, "X/indices"), 2);
        assert_int_equal(filters_of(f->path, "obsm/X_pca"), 2);
        assert_int_equal(filters_of(f->path, "var/gamma"), 0);
    }
}

static void what_is_carried_over_keeps_its_compression(void **state) {
    files *f = *state;
    vel_adata *ad = large_handle(f);
    vel_field *x;
    OK(f, vel_h5ad_write_packed(&f->ctx, ad, f->path, &(vel_packing){VEL_GZIP, 4}));
    vel_adata_free(ad);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_edit(&f->ctx, ad, "layers/Ms", &x));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
    assert_int_equal(filters_of(f->other, "layers/Ms"), 0);
    assert_int_equal(filters_of(f->other, "X/indices"), 2);
}

static void the_same_content_gives_the_same_bytes(void **state) {
    files *f = *state;
    write_full(f, f->path);
    sleep(1); /* a time stamp would show */
    write_full(f, f->other);
    assert_same_bytes(f->path, f->other);
}

static void a_copy_of_our_file_is_the_same_file(void **state) {
    files *f = *state;
    vel_adata *ad;
    write_full(f, f->path);
    char third[112];
    snprintf(third, sizeof third, "%s/c.h5ad", f->directory);
    for (int i = 0; i < 2; i++) {
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        OK(f, vel_h5ad_write(&f->ctx, ad, i ? third : f->other));
        vel_adata_free(ad);
        sleep(i ? 0 : 1);
    }
    assert_same_bytes(f->other, third);
}

static void the_encodings_are_those_of_anndata(void **state) {
    files *f = *state;
    static const char *const rows[][2] = {{"/", "anndata"},
                                          {"obs", "dataframe"},
                                          {"var", "dataframe"},
                                          {"layers", "dict"},
                                          {"obsp", "dict"},
                                          {"X", "csr_matrix"},
                                          {"layers/Ms", "array"},
                                          {"obs/clusters", "categorical"},
                                          {"obs/clusters/categories", "string-array"},
                                          {"var/_index", "string-array"},
                                          {"uns/velocity_params", "dict"},
                                          {"uns/velocity_params/mode", "string"},
                                          {"uns/velocity_params/n", "numeric-scalar"}};
    write_full(f, f->path);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text;
        hid_t object = H5Oopen(file, rows[i][0], H5P_DEFAULT),
              attribute = H5Aopen(object, "encoding-type", H5P_DEFAULT);
        hid_t type = H5Aget_type(attribute);
        assert_true(H5Aread(attribute, type, &text) >= 0);
        assert_string_equal(text, rows[i][1]);
        H5free_memory(text);
        H5Tclose(type);
        H5Aclose(attribute);
        H5Oclose(object);
    }
    H5Fclose(file);
}

static void columns_keep_their_order_and_new_ones_follow(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), obs = H5Gopen2(file, "obs", H5P_DEFAULT);
    H5Adelete(obs, "column-order");
    attr_texts(obs, "column-order", (const char *const[]){"z", "a"}, 2);
    vector(file, "obs/a", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, CELLS, (double[CELLS]){0});
    vector(file, "obs/z", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, CELLS, (double[CELLS]){0});
    H5Gclose(obs);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_put_reals(&f->ctx, ad, "obs/b", (double[CELLS]){0}, CELLS));
    OK(f, vel_drop(&f->ctx, ad, "obs/a"));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->path));
    vel_adata_free(ad);
    file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t attribute = H5Aopen_by_name(file, "obs", "column-order", H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    char *names[2];
    assert_int_equal(H5Sget_simple_extent_npoints(space), 2);
    assert_true(H5Aread(attribute, type, names) >= 0);
    assert_string_equal(names[0], "z");
    assert_string_equal(names[1], "b");
    assert_true(H5Lexists(file, "obs/a", H5P_DEFAULT) == 0);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, names);
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    H5Fclose(file);
}

/* ---- carrying over */

static void what_is_not_understood_is_carried_over(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    hid_t odd = group(file, "uns", "dict", "0.1.0"), null_space = H5Screate(H5S_NULL);
    hid_t inner = group(odd, "strange", "from-the-future", "9.9.9");
    vector(inner, "deep", H5T_STD_I16BE, H5T_NATIVE_INT16, 3, (int16_t[]){1, 2, 3});
    H5Dclose(H5Dcreate2(odd, "none", H5T_STD_I8LE, null_space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_soft("/nowhere", odd, "broken", H5P_DEFAULT, H5P_DEFAULT);
    hid_t named = H5Tcopy(H5T_NATIVE_INT);
    H5Tcommit2(file, "__DATA_TYPE__", named, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(named);
    H5Sclose(null_space);
    H5Gclose(inner);
    H5Gclose(odd);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    assert_int_equal(vel_entry_of(ad, "uns/strange").kind, VEL_OTHER);
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
    int16_t deep[3];
    file = H5Fopen(f->other, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "uns/strange/deep", H5P_DEFAULT), type = H5Dget_type(dataset);
    assert_true(H5Tequal(type, H5T_STD_I16BE) > 0);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, deep) >= 0);
    assert_int_equal(deep[2], 3);
    assert_true(H5Lexists(file, "uns/none", H5P_DEFAULT) > 0);
    assert_true(H5Oexists_by_name(file, "__DATA_TYPE__", H5P_DEFAULT) > 0);
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* Arrays of 4 cells, of types and ranks that the handle itself cannot hold. */
static void carried_arrays_are_cut_whatever_their_type(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), obsm = group(file, "obsm", "dict", "0.1.0");
    int32_t cube[CELLS][2][2];
    for (int i = 0; i < CELLS * 4; i++) ((int32_t *)cube)[i] = i;
    array(obsm, "cube", H5T_STD_I32LE, H5T_NATIVE_INT32, 3, (hsize_t[]){CELLS, 2, 2}, cube);
    strings(file, "obs/words", cell_names, CELLS);
    sparse(file,
           &(sparse_parts){"layers/counts", "csc_matrix", H5T_STD_I8LE, H5T_STD_I64LE, H5T_STD_I64LE, 5, GENES + 1,
                           (double[]){1, 4, 3, 5, 2}, (int64_t[]){0, 3, 2, 3, 0}, (int64_t[]){0, 2, 4, 5}});
    H5Gclose(obsm);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_keep_obs(&f->ctx, ad, (uint8_t[]){1, 0, 0, 1}));
    OK(f, vel_keep_vars(&f->ctx, ad, (uint8_t[]){1, 0, 1}));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
    int32_t kept[2][2][2];
    file = H5Fopen(f->other, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "obsm/cube", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, kept) >= 0);
    assert_memory_equal(kept[0], cube[0], sizeof kept[0]);
    assert_memory_equal(kept[1], cube[3], sizeof kept[1]);
    H5Dclose(dataset);
    dataset = H5Dopen2(file, "layers/counts/data", H5P_DEFAULT);
    hid_t type = H5Dget_type(dataset);
    assert_true(H5Tequal(type, H5T_STD_I8LE) > 0);
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
    const vel_field *x;
    const char **words;
    OK(f, vel_h5ad_open(&f->ctx, f->other, &ad));
    assert_int_equal(vel_n_obs(ad), 2);
    OK(f, vel_get_texts(&f->ctx, ad, "obs/words", 2, &words));
    assert_string_equal(words[1], "c3");
    OK(f, vel_get_matrix(&f->ctx, ad, "layers/counts", &x)); /* 1 0 2 / 4 5 0 without gene 1 */
    assert_memory_equal(x->indptr, ((int64_t[]){0, 2, 3}), sizeof(int64_t[3]));
    assert_memory_equal(x->indices, ((int32_t[]){0, 1, 0}), sizeof(int32_t[3]));
    assert_memory_equal(x->data, ((float[]){1, 2, 4}), sizeof(float[3]));
    vel_adata_free(ad);
}

static void an_aligned_array_that_cannot_be_cut_is_named(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), obsm = group(file, "obsm", "dict", "0.1.0");
    H5Gclose(group(obsm, "ragged", "awkward-array", "0.1.0"));
    H5Gclose(obsm);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_keep_obs(&f->ctx, ad, (uint8_t[]){1, 0, 0, 1}), VEL_ETYPE, "obsm/ragged");
    OK(f, vel_keep_vars(&f->ctx, ad, (uint8_t[]){1, 0, 1})); /* it has no genes */
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
}

/* ---- files */

static void the_output_may_be_the_input(void **state) {
    files *f = *state;
    vel_adata *ad;
    const vel_field *x;
    write_full(f, f->path);
    assert_int_equal(chmod(f->path, 0640), 0);
    assert_int_equal(symlink("a.h5ad", f->other), 0);
    OK(f, vel_h5ad_open(&f->ctx, f->other, &ad));
    OK(f, vel_put_reals(&f->ctx, ad, "obs/new", (double[CELLS]){1}, CELLS));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    OK(f, vel_get_matrix(&f->ctx, ad, "layers/Ms", &x)); /* the old file is still there to be read */
    vel_adata_free(ad);
    struct stat st;
    assert_int_equal(lstat(f->other, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(f->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    assert_true(vel_has(ad, "obs/new"));
    vel_adata_free(ad);
    assert_int_equal(entries_of(f->directory), 2);
}

static void a_full_disk_leaves_the_old_file_and_nothing_else(void **state) {
    files *f = *state;
    write_full(f, f->path);
    write_full(f, f->other);
    vel_adata *ad = full_handle(f);
    vel_field *x;
    OK(f, vel_put_dense(&f->ctx, ad, "obsm/large", VEL_F64, vel_matrix(CELLS, 1 << 16), &x));
    struct rlimit old, small = {1 << 20, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    FAILS(f, vel_h5ad_write(&f->ctx, ad, f->path), VEL_EWRITE, f->path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    vel_adata_free(ad);
    assert_same_bytes(f->path, f->other);
    assert_int_equal(entries_of(f->directory), 2);
}

static void cancelling_leaves_the_old_file_and_nothing_else(void **state) {
    files *f = *state;
    volatile sig_atomic_t cancel = SIGTERM;
    write_full(f, f->path);
    write_full(f, f->other);
    vel_adata *ad = full_handle(f);
    f->ctx.cancel = &cancel;
    assert_int_equal(vel_h5ad_write(&f->ctx, ad, f->path), VEL_ETERM);
    vel_adata_free(ad);
    assert_same_bytes(f->path, f->other);
    assert_int_equal(entries_of(f->directory), 2);
}

static void what_cannot_be_written_to_is_named(void **state) {
    files *f = *state;
    vel_adata *ad = full_handle(f);
    FAILS(f, vel_h5ad_write(&f->ctx, ad, f->directory), VEL_EWRITE, f->directory);
    FAILS(f, vel_h5ad_write(&f->ctx, ad, "/nowhere/at/all.h5ad"), VEL_EWRITE, "/nowhere/at/all.h5ad");
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(everything_put_comes_back),
        FILES_CLAIM(large_layers_are_written_cell_by_cell),
        FILES_CLAIM(long_vectors_are_written_whole),
        FILES_CLAIM(what_is_compressed_comes_back_to_the_bit),
        FILES_CLAIM(what_is_carried_over_keeps_its_compression),
        FILES_CLAIM(the_same_content_gives_the_same_bytes),
        FILES_CLAIM(a_copy_of_our_file_is_the_same_file),
        FILES_CLAIM(the_encodings_are_those_of_anndata),
        FILES_CLAIM(columns_keep_their_order_and_new_ones_follow),
        FILES_CLAIM(what_is_not_understood_is_carried_over),
        FILES_CLAIM(carried_arrays_are_cut_whatever_their_type),
        FILES_CLAIM(an_aligned_array_that_cannot_be_cut_is_named),
        FILES_CLAIM(the_output_may_be_the_input),
        FILES_CLAIM(a_full_disk_leaves_the_old_file_and_nothing_else),
        FILES_CLAIM(cancelling_leaves_the_old_file_and_nothing_else),
        FILES_CLAIM(what_cannot_be_written_to_is_named),
    };
    H5dont_atexit(); /* as the program: HDF5 does not survive the full disk of a limit to its end */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
