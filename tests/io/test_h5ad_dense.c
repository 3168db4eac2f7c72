#include "core/field.h"
#include "tests/io/files.h"

#include <math.h>

static void reads_a_layer(files *f, const char *path, const vel_field **field, vel_adata **ad) {
    OK(f, vel_h5ad_open(&f->ctx, f->path, ad));
    OK(f, vel_get_matrix(&f->ctx, *ad, path, field));
}

static double element(const vel_field *f, int64_t c, int64_t g) {
    int64_t i = f->gene_major ? g * f->rows + c : c * f->cols + g;
    return f->type == VEL_F32 ? (double)((const float *)f->data)[i] : ((const double *)f->data)[i];
}

static void every_number_type_comes_in_as_float32_or_float64(void **state) {
    files *f = *state;
    const struct {
        hid_t type;
        vel_type origin, comes_as;
    } rows[] = {
        {H5T_STD_I8LE, VEL_I8, VEL_F32},    {H5T_STD_U8LE, VEL_U8, VEL_F32},    {H5T_STD_I16LE, VEL_I16, VEL_F32},
        {H5T_STD_U16BE, VEL_U16, VEL_F32},  {H5T_STD_I32BE, VEL_I32, VEL_F64},  {H5T_STD_U32LE, VEL_U32, VEL_F64},
        {H5T_STD_I64LE, VEL_I64, VEL_F64},  {H5T_STD_U64BE, VEL_U64, VEL_F64},  {H5T_IEEE_F32LE, VEL_F32, VEL_F32},
        {H5T_IEEE_F32BE, VEL_F32, VEL_F32}, {H5T_IEEE_F64LE, VEL_F64, VEL_F64}, {H5T_IEEE_F64BE, VEL_F64, VEL_F64},
    };
    const double values[CELLS][GENES] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 100}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hid_t file = bare_file(f->path);
        array(file, "X", rows[i].type, H5T_NATIVE_DOUBLE, 2, (hsize_t[]){CELLS, GENES}, values);
        H5Fclose(file);
        vel_adata *ad;
        const vel_field *x;
        reads_a_layer(f, "X", &x, &ad);
        assert_int_equal(x->origin, rows[i].origin);
        assert_int_equal(x->type, rows[i].comes_as);
        assert_true(x->gene_major);
        for (int c = 0; c < CELLS; c++)
            for (int g = 0; g < GENES; g++) assert_true(element(x, c, g) == values[c][g]);
        vel_adata_free(ad);
    }
}

static void half_precision_is_widened_exactly(void **state) {
    files *f = *state;
    hid_t half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    const uint16_t bits[CELLS * GENES] = {0x0000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001,
                                          0x7c00, 0x7e00, 0x3800, 0,      0,      0};
    const float expected[] = {0, 1, -2, 0.333251953125f, 65504, 5.9604644775390625e-8f, INFINITY};
    hid_t file = bare_file(f->path);
    array(file, "X", half, half, 2, (hsize_t[]){CELLS, GENES}, bits);
    H5Tclose(half);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    reads_a_layer(f, "X", &x, &ad);
    assert_int_equal(x->origin, VEL_F16);
    for (int i = 0; i < 7; i++) assert_true(element(x, i / GENES, i % GENES) == (double)expected[i]);
    assert_true(isnan(element(x, 2, 1)));
    vel_adata_free(ad);
}

static void bools_are_read_as_zero_and_one(void **state) {
    files *f = *state;
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tenum_insert(type, "FALSE", &(int8_t){0});
    H5Tenum_insert(type, "TRUE", &(int8_t){1});
    const int8_t values[CELLS * GENES] = {1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0};
    hid_t file = bare_file(f->path);
    array(file, "layers/b", type, type, 2, (hsize_t[]){CELLS, GENES}, values);
    array(file, "obs/b", type, type, 1, (hsize_t[]){CELLS}, values);
    H5Tclose(type);
    H5Fclose(file);
    vel_adata *ad;
    const vel_field *x;
    uint8_t *column;
    reads_a_layer(f, "layers/b", &x, &ad);
    for (int i = 0; i < CELLS * GENES; i++) assert_true(element(x, i / GENES, i % GENES) == values[i]);
    OK(f, vel_get_bools(&f->ctx, ad, "obs/b", CELLS, &column));
    assert_memory_equal(column, values, CELLS);
    assert_int_equal(vel_entry_of(ad, "obs/b").origin, VEL_BOOL);
    vel_adata_free(ad);
}

/* More columns than a tile has, and no multiple of anything in either direction. */
enum { N = 301, M = 5003 };
static float large[N][M];

static void file_with_large_layer(files *f, hid_t creation) {
    static char name[N + M][16];
    const char *names[N + M];
    for (int i = 0; i < N + M; i++) {
        snprintf(name[i], sizeof name[i], "n%d", i);
        names[i] = name[i];
    }
    for (int c = 0; c < N; c++)
        for (int g = 0; g < M; g++) large[c][g] = (float)(10000 * c + g);
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    frame(file, "obs", names, N);
    frame(file, "var", names + N, M);
    hid_t space = H5Screate_simple(2, (hsize_t[]){N, M}, NULL);
    hid_t dataset = H5Dcreate2(file, "X", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, large) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
}

static void check_large_layer(files *f) {
    vel_adata *ad;
    const vel_field *field;
    for (f->ctx.threads = 1; f->ctx.threads <= 3; f->ctx.threads++) {
        reads_a_layer(f, "X", &field, &ad);
        for (int c = 0; c < N; c++)
            for (int g = 0; g < M; g++) assert_true(((const float *)field->data)[g * N + c] == large[c][g]);
        vel_adata_free(ad);
    }
}

static void large_layers_are_turned_gene_major(void **state) {
    files *f = *state;
    file_with_large_layer(f, H5P_DEFAULT);
    check_large_layer(f);
}

static void large_chunked_layers_are_turned_gene_major(void **state) {
    files *f = *state;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, (hsize_t[]){40, 160});
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 4);
    file_with_large_layer(f, list);
    H5Pclose(list);
    check_large_layer(f);
}

static uint8_t keep_cells[N], keep_genes[M];

static void check_selected(files *f) {
    vel_adata *ad;
    const vel_field *field;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_keep_obs(&f->ctx, ad, keep_cells));
    OK(f, vel_keep_vars(&f->ctx, ad, keep_genes));
    OK(f, vel_get_matrix(&f->ctx, ad, "X", &field));
    int64_t i = 0;
    for (int g = 0; g < M; g++)
        for (int c = 0; c < N; c++)
            if (keep_cells[c] && keep_genes[g]) assert_true(((const float *)field->data)[i++] == large[c][g]);
    assert_int_equal(i, field->rows * field->cols);
    vel_adata_free(ad);
}

static void of_a_large_layer_what_was_selected_comes_in(void **state) {
    files *f = *state;
    for (int c = 0; c < N; c++) keep_cells[c] = c % 3 == 1;
    for (int g = 0; g < M; g++) keep_genes[g] = g % 7 == 2;
    file_with_large_layer(f, H5P_DEFAULT);
    check_selected(f);
}

/* In one tile, too far apart to be read at once. */
static void of_cells_here_and_there_all_come_in(void **state) {
    files *f = *state;
    for (int apart = 10; apart <= 160; apart *= 2) {
        for (int c = 0; c < N; c++) keep_cells[c] = c % apart == apart / 2 || c % apart == 1;
        for (int g = 0; g < M; g++) keep_genes[g] = g % 7 == 2;
        file_with_large_layer(f, H5P_DEFAULT);
        check_selected(f);
    }
}

/* Between them whole tiles have no cell that is wanted. */
static void select_runs_of_cells(void) {
    for (int c = 0; c < N; c++) keep_cells[c] = (c >= 5 && c < 9) || c >= N - 3;
    for (int g = 0; g < M; g++) keep_genes[g] = g % 7 == 2;
}

static void of_cells_in_runs_all_come_in(void **state) {
    files *f = *state;
    select_runs_of_cells();
    file_with_large_layer(f, H5P_DEFAULT);
    check_selected(f);
}

static void chunks_that_hold_no_selected_cell_are_not_read(void **state) {
    files *f = *state;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, (hsize_t[]){40, 160});
    H5Pset_deflate(list, 4);
    select_runs_of_cells();
    file_with_large_layer(f, list);
    H5Pclose(list);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT), layer = H5Dopen2(file, "X", H5P_DEFAULT);
    assert_true(H5Dwrite_chunk(layer, H5P_DEFAULT, 0, (hsize_t[]){80, 320}, 7, "damaged") >= 0);
    H5Dclose(layer);
    H5Fclose(file);
    check_selected(f);
    vel_adata *ad;
    const vel_field *field;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    assert_int_equal(vel_get_matrix(&f->ctx, ad, "X", &field), VEL_EFORMAT);
    vel_adata_free(ad);
}

static void it_is_known_which_layers_hdf5_takes_apart_itself(void **state) {
    files *f = *state;
    for (int i = 0; i < 3; i++) {
        hid_t list = H5Pcreate(H5P_DATASET_CREATE);
        if (i) H5Pset_chunk(list, 2, (hsize_t[]){40, 160});
        if (i == 2) H5Pset_deflate(list, 4);
        file_with_large_layer(f, list);
        H5Pclose(list);
        vel_adata *ad;
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        vel_entry layer = vel_entry_of(ad, "X");
        assert_int_equal(layer.piece_rows, i ? 40 : 0);
        assert_int_equal(layer.is_slow, i == 1);
        vel_adata_free(ad);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(every_number_type_comes_in_as_float32_or_float64),
        FILES_CLAIM(half_precision_is_widened_exactly),
        FILES_CLAIM(bools_are_read_as_zero_and_one),
        FILES_CLAIM(large_layers_are_turned_gene_major),
        FILES_CLAIM(large_chunked_layers_are_turned_gene_major),
        FILES_CLAIM(of_a_large_layer_what_was_selected_comes_in),
        FILES_CLAIM(of_cells_here_and_there_all_come_in),
        FILES_CLAIM(of_cells_in_runs_all_come_in),
        FILES_CLAIM(chunks_that_hold_no_selected_cell_are_not_read),
        FILES_CLAIM(it_is_known_which_layers_hdf5_takes_apart_itself),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
