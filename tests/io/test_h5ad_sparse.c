#include "tests/flushing.h"
#include "tests/io/files.h"

static void reads_a_layer(files *f, const char *path, const vel_field **field, vel_adata **ad) {
    OK(f, vel_h5ad_open(&f->ctx, f->path, ad));
    OK(f, vel_get_matrix(&f->ctx, *ad, path, field));
}

/* ---- rows {0: 1 at 0, 2 at 2}, {}, {3 at 1}, {4 at 0, 5 at 1} */

static const double row_values[] = {1, 2, 3, 4, 5}, column_values[] = {1, 4, 3, 5, 2};
static const int64_t row_indices[] = {0, 2, 1, 0, 1}, row_indptr[] = {0, 2, 2, 3, 5};
static const int64_t column_indices[] = {0, 3, 2, 3, 0}, column_indptr[] = {0, 2, 4, 5};

static void check_sparse(const vel_field *x, vel_type type) {
    assert_int_equal(x->kind, VEL_SPARSE);
    assert_int_equal(x->type, type);
    assert_memory_equal(x->indptr, row_indptr, sizeof row_indptr);
    for (int e = 0; e < 5; e++) {
        assert_int_equal(x->indices[e], row_indices[e]);
        assert_true((type == VEL_F32 ? (double)((const float *)x->data)[e] : ((const double *)x->data)[e]) ==
                    row_values[e]);
    }
}

static void rows_and_columns_of_every_index_type_come_in_as_rows(void **state) {
    files *f = *state;
    const hid_t index_types[] = {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U32BE, H5T_STD_U64LE};
    const struct {
        hid_t file;
        vel_type as;
    } types[] = {
        {H5T_STD_U16LE, VEL_F32}, {H5T_IEEE_F32LE, VEL_F32}, {H5T_STD_I64BE, VEL_F64}, {H5T_IEEE_F64BE, VEL_F64}};
    for (int i = 0; i < 4; i++) {
        hid_t file = bare_file(f->path);
        sparse(file, &(sparse_parts){"X", "csr_matrix", types[i].file, index_types[i], index_types[3 - i], 5, CELLS + 1,
                                     row_values, row_indices, row_indptr});
        sparse(file, &(sparse_parts){"layers/spliced", "csc_matrix", types[i].file, index_types[i], index_types[i], 5,
                                     GENES + 1, column_values, column_indices, column_indptr});
        H5Fclose(file);
        vel_adata *ad;
        const vel_field *x;
        reads_a_layer(f, "X", &x, &ad);
        check_sparse(x, types[i].as);
        OK(f, vel_get_matrix(&f->ctx, ad, "layers/spliced", &x));
        check_sparse(x, types[i].as);
        vel_adata_free(ad);
    }
}

static void unsorted_rows_are_sorted_and_duplicates_added_up(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    sparse(file, &(sparse_parts){"X", "csr_matrix", H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_I32LE, 8, CELLS + 1,
                                 (double[]){2, 1, 3, 4, 2, 3, 0, 0}, (int64_t[]){2, 0, 1, 0, 1, 1, 2, 2},
                                 (int64_t[]){0, 2, 2, 3, 8}});
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    reads_a_layer(f, "X", &x, &ad);
    assert_memory_equal(x->indptr, ((int64_t[]){0, 2, 2, 3, 6}), sizeof(int64_t[5]));
    assert_memory_equal(x->indices, ((int32_t[]){0, 2, 1, 0, 1, 2}), sizeof(int32_t[6]));
    assert_memory_equal(x->data, ((double[]){1, 2, 3, 4, 5, 0}), sizeof(double[6])); /* the explicit zero stays */
    vel_adata_free(ad);
}

static void tiny_duplicates_are_added_up_where_subnormals_are_flushed(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    sparse(file, &(sparse_parts){"X", "csr_matrix", H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_I32LE, 2, CELLS + 1,
                                 (double[]){1e-310, 2e-310}, (int64_t[]){1, 1}, (int64_t[]){0, 0, 2, 2, 2}});
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    if (!flush_subnormals(true)) skip();
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    vel_err e = vel_get_matrix(&f->ctx, ad, "X", &x);
    flush_subnormals(false);
    assert_int_equal(e, VEL_OK);
    assert_true(((const double *)x->data)[0] == 1e-310 + 2e-310);
    vel_adata_free(ad);
}

/* With the types of memory, so that entries are read to where they stay; rows longer than what is compared at once. */
static void long_rows_are_checked_to_their_ends(void **state) {
    files *f = *state;
    enum { LONG = 200 };
    const struct {
        int at;
        int64_t value;
    } rows[] = {{0, -1}, {LONG - 1, LONG}, {LONG, -1}, {2 * LONG - 1, LONG + 7}, {150, 2000}};
    int64_t indices[2 * LONG], indptr[] = {0, LONG, LONG, 2 * LONG};
    double values[2 * LONG];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int e = 0; e < 2 * LONG; e++) {
            indices[e] = e % LONG;
            values[e] = e;
        }
        indices[rows[i].at] = rows[i].value;
        hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), made;
        frame(file, "obs", cell_names, 3);
        H5Gclose(group(file, "var", "dataframe", "0.2.0"));
        made = group(file, "X", "csr_matrix", "0.1.0");
        attr_shape(made, 3, LONG);
        vector(made, "data", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2 * LONG, values);
        vector(made, "indices", H5T_STD_I32LE, H5T_NATIVE_INT64, 2 * LONG, indices);
        vector(made, "indptr", H5T_STD_I32LE, H5T_NATIVE_INT64, 4, indptr);
        H5Gclose(made);
        H5Fclose(file);
        vel_adata *ad;
        const vel_field *x;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, vel_get_matrix(&f->ctx, ad, "X", &x), VEL_EFORMAT, "expected 0 to 199");
        vel_adata_free(ad);
    }
}

static void malformed_sparse_matrices_are_refused(void **state) {
    files *f = *state;
    const struct {
        const char *words;
        int64_t indptr[CELLS + 1], index;
        hsize_t n_pointers;
        hid_t index_type, pointer_type;
    } rows[] = {
        {"falls from 3 to 2", {0, 3, 2, 3, 5}, 0, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"starts with 1", {1, 2, 2, 3, 5}, 0, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"ends with 6", {0, 2, 2, 3, 6}, 0, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"falls from 0 to -4", {0, -4, 2, 3, 5}, 0, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"indices of X of", {0, 2, 2, 3, 5}, 3, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"have 3, expected 0 to 2", {0, 2, 2, 3, 5}, 3, CELLS + 1, H5T_STD_I32LE, H5T_STD_I32LE},
        {"have -1, expected 0 to 2", {0, 2, 2, 3, 5}, -1, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"have 2147483647 or more, expected", {0, 2, 2, 3, 5}, 1ll << 40, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"have -2147483648 or less, expected", {0, 2, 2, 3, 5}, INT64_MIN, CELLS + 1, H5T_STD_I64LE, H5T_STD_I64LE},
        {"4 elements, expected 5", {0, 2, 2, 3, 5}, 0, CELLS, H5T_STD_I64LE, H5T_STD_I64LE},
        {"indices of X", {0, 2, 2, 3, 5}, 0, CELLS + 1, H5T_IEEE_F64LE, H5T_STD_I64LE},
        {"are no integers", {0, 2, 2, 3, 5}, 0, CELLS + 1, H5T_IEEE_F64LE, H5T_STD_I64LE},
        {"indptr of X", {0, 2, 2, 3, 5}, 0, CELLS + 1, H5T_STD_I64LE, H5T_IEEE_F64LE},
        {"are no integers", {0, 2, 2, 3, 5}, 0, CELLS + 1, H5T_STD_I64LE, H5T_IEEE_F64LE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hid_t file = bare_file(f->path);
        int64_t indices[] = {rows[i].index, 2, 1, 0, 1};
        sparse(file, &(sparse_parts){"X", "csr_matrix", H5T_IEEE_F32LE, rows[i].index_type, rows[i].pointer_type, 5,
                                     rows[i].n_pointers, row_values, indices, rows[i].indptr});
        H5Fclose(file);
        vel_adata *ad;
        const vel_field *x;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, vel_get_matrix(&f->ctx, ad, "X", &x), VEL_EFORMAT, rows[i].words);
        vel_adata_free(ad);
    }
}

/* ---- several tiles of entries, and rows that lie in two of them */

enum { TILE = 1 << 19, LONG_ROWS = 9, WIDE = 150000, ENTRIES = TILE * 2 + 12345 };

static int32_t many_indices[ENTRIES];
static float many_values[ENTRIES];
static int64_t many_indptr[LONG_ROWS + 1];

static void fill_many(void) {
    for (int64_t i = 0; i <= LONG_ROWS; i++) many_indptr[i] = ENTRIES * i / LONG_ROWS;
    for (int64_t i = 0, e = 0; i < LONG_ROWS; i++)
        for (; e < many_indptr[i + 1]; e++) {
            many_indices[e] = (int32_t)(e - many_indptr[i] + i);
            many_values[e] = (float)(e % 1000 + 1);
        }
}

static void file_of_many(const char *path) {
    const char *const names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), made;
    frame(file, "obs", names, LONG_ROWS);
    H5Gclose(group(file, "var", "dataframe", "0.2.0"));
    made = group(file, "X", "csr_matrix", "0.1.0");
    attr_shape(made, LONG_ROWS, WIDE);
    vector(made, "data", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, ENTRIES, many_values);
    vector(made, "indices", H5T_STD_I32LE, H5T_NATIVE_INT32, ENTRIES, many_indices);
    vector(made, "indptr", H5T_STD_I64LE, H5T_NATIVE_INT64, LONG_ROWS + 1, many_indptr);
    H5Gclose(made);
    H5Fclose(file);
}

static void large_matrices_are_the_same_by_any_number_of_threads(void **state) {
    files *f = *state;
    fill_many();
    file_of_many(f->path);
    for (f->ctx.threads = 1; f->ctx.threads <= 3; f->ctx.threads++) {
        vel_adata *ad;
        const vel_field *x;
        reads_a_layer(f, "X", &x, &ad);
        assert_memory_equal(x->indptr, many_indptr, sizeof many_indptr);
        assert_memory_equal(x->indices, many_indices, sizeof many_indices);
        assert_memory_equal(x->data, many_values, sizeof many_values);
        vel_adata_free(ad);
    }
}

/* Within a tile, and where two of them meet. */
static void a_large_row_that_falls_once_is_sorted(void **state) {
    files *f = *state;
    const int64_t at[] = {1000, TILE - 1, TILE, 2 * TILE - 1, ENTRIES - 2};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (f->ctx.threads = 1; f->ctx.threads <= 2; f->ctx.threads++) {
            int64_t e = at[i];
            fill_many();
            many_indices[e]++;
            many_indices[e + 1]--;
            file_of_many(f->path);
            vel_adata *ad;
            const vel_field *x;
            reads_a_layer(f, "X", &x, &ad);
            const float *values = x->data;
            assert_true(x->indices[e] == many_indices[e + 1] && x->indices[e + 1] == many_indices[e]);
            assert_true(values[e] == many_values[e + 1] && values[e + 1] == many_values[e]);
            vel_adata_free(ad);
        }
}

static void of_several_indices_out_of_range_the_first_is_named(void **state) {
    files *f = *state;
    fill_many();
    many_indices[2 * TILE + 1] = -9;
    many_indices[TILE] = WIDE;
    many_indices[TILE + 1] = -8;
    file_of_many(f->path);
    for (f->ctx.threads = 1; f->ctx.threads <= 3; f->ctx.threads++) {
        vel_adata *ad;
        const vel_field *x;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, vel_get_matrix(&f->ctx, ad, "X", &x), VEL_EFORMAT, "have 150000, expected 0 to 149999");
        vel_adata_free(ad);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(rows_and_columns_of_every_index_type_come_in_as_rows),
        FILES_CLAIM(unsorted_rows_are_sorted_and_duplicates_added_up),
        FILES_CLAIM(tiny_duplicates_are_added_up_where_subnormals_are_flushed),
        FILES_CLAIM(long_rows_are_checked_to_their_ends),
        FILES_CLAIM(malformed_sparse_matrices_are_refused),
        FILES_CLAIM(large_matrices_are_the_same_by_any_number_of_threads),
        FILES_CLAIM(a_large_row_that_falls_once_is_sorted),
        FILES_CLAIM(of_several_indices_out_of_range_the_first_is_named),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
