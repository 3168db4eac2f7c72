/* Datasets that are cut while they are carried over: what HDF5 reads is what was picked, whatever compresses it; of
 * more than one tile, with chunks that fit neither the cut nor the tiles. Bytes are moved: no tolerance. */
#include "io/h5_filters.h"
#include "io/h5ad_impl.h"
#include "tests/io/files.h"

enum { ROWS = 6000, COLS = 301, TALL = 313, BROAD = 63, GZIP_LEVEL = 4 };

static float whole[ROWS * COLS], picked[ROWS * COLS], got[ROWS * COLS];
static int64_t rows[ROWS], cols[COLS];

typedef struct {
    bool is_chunked, is_shuffled;
    int filter;
} making;

static const making makings[] = {{false, false, 0},
                                 {true, false, 0},
                                 {true, false, H5Z_FILTER_DEFLATE},
                                 {true, true, H5Z_FILTER_DEFLATE},
                                 {true, false, VEL_H5_LZF},
                                 {true, true, VEL_H5_LZF},
                                 {true, true, VEL_H5_ZSTD}};
enum { N_MAKINGS = sizeof makings / sizeof *makings };

/* Half of the rows and two of three columns, noise in some. */
static void fill(vel_pick *pick_rows, vel_pick *pick_cols) {
    unsigned seed = 11;
    pick_rows->k = pick_cols->k = 0;
    pick_rows->index = rows;
    pick_cols->index = cols;
    for (int i = 0; i < ROWS * COLS; i++) {
        seed = seed * 1664525 + 1013904223;
        memcpy(&whole[i], &(unsigned){i % 5 ? 0 : i % 11 ? seed >> 28 : seed}, 4);
        if (i < ROWS && seed >> 31) rows[pick_rows->k++] = i;
        if (i < COLS && i % 3) cols[pick_cols->k++] = i;
    }
    for (int64_t i = 0; i < pick_rows->k; i++)
        for (int64_t j = 0; j < pick_cols->k; j++) picked[i * pick_cols->k + j] = whole[rows[i] * COLS + cols[j]];
}

static hid_t make(hid_t file, const making *m) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(2, (hsize_t[]){ROWS, COLS}, NULL);
    if (m->is_chunked) H5Pset_chunk(list, 2, (hsize_t[]){TALL, BROAD});
    if (m->is_shuffled) H5Pset_shuffle(list);
    if (m->filter == H5Z_FILTER_DEFLATE) H5Pset_deflate(list, GZIP_LEVEL);
    if (m->filter == VEL_H5_LZF || m->filter == VEL_H5_ZSTD) H5Pset_filter(list, m->filter, H5Z_FLAG_OPTIONAL, 0, NULL);
    hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole) >= 0);
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
}

/* Cuts a dataset made so into a new file, and reads it there; returns its filters. */
static int cut_and_read(files *f, const making *m, const vel_pick *pick_rows, const vel_pick *pick_cols) {
    vel_h5_register_filters();
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), from = make(file, m);
    hid_t other = H5Fcreate(f->other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    char name[] = "it";
    const vel_h5ad store = {.file = file, .name = name};
    const vel_h5ad_output out = {.from = &store, .file = other, .name = "that"};
    OK(f, vel_h5ad_cut_dataset(&f->ctx, &out, from, pick_rows, pick_cols, other, "cut"));
    H5Dclose(from);
    H5Fclose(file);
    H5Fclose(other);
    other = H5Fopen(f->other, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t cut = H5Dopen2(other, "cut", H5P_DEFAULT), list = H5Dget_create_plist(cut);
    hsize_t dims[VEL_H5_DIMS];
    assert_int_equal(vel_h5_shape(cut, dims), 2);
    assert_int_equal(dims[0], pick_rows->k);
    assert_int_equal(dims[1], pick_cols->k);
    assert_true(H5Dread(cut, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
    int filters = H5Pget_nfilters(list);
    H5Pclose(list);
    H5Dclose(cut);
    H5Fclose(other);
    return filters;
}

static void what_is_picked_arrives_whatever_compresses_it(void **state) {
    files *f = *state;
    vel_pick some_rows, some_cols;
    const vel_pick all_rows = {NULL, ROWS}, all_cols = {NULL, COLS};
    fill(&some_rows, &some_cols);
    for (int k = 0; k < N_MAKINGS; k++) {
        int filters = makings[k].is_shuffled + (makings[k].filter != 0);
        assert_int_equal(cut_and_read(f, &makings[k], &some_rows, &some_cols), filters);
        assert_memory_equal(got, picked, (size_t)(some_rows.k * some_cols.k) * sizeof *got);
        assert_int_equal(cut_and_read(f, &makings[k], &some_rows, &all_cols), filters);
        for (int64_t i = 0; i < some_rows.k; i++)
            assert_memory_equal(got + i * COLS, whole + rows[i] * COLS, COLS * sizeof *got);
        assert_int_equal(cut_and_read(f, &makings[k], &all_rows, &all_cols), filters);
        assert_memory_equal(got, whole, sizeof whole);
    }
}

static size_t bytes_of(const char *path, char **bytes) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t n = (size_t)ftell(file);
    *bytes = malloc(n);
    rewind(file);
    assert_int_equal(fread(*bytes, 1, n, file), n);
    fclose(file);
    return n;
}

static void the_bytes_do_not_depend_on_threads(void **state) {
    files *f = *state;
    vel_pick some_rows, some_cols;
    fill(&some_rows, &some_cols);
    for (int k = 0; k < N_MAKINGS; k++) {
        char *bytes[2];
        size_t n[2];
        for (int i = 0; i < 2; i++) {
            f->ctx.threads = i ? 3 : 1;
            cut_and_read(f, &makings[k], &some_rows, &some_cols);
            n[i] = bytes_of(f->other, &bytes[i]);
        }
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(bytes[0], bytes[1], n[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(what_is_picked_arrives_whatever_compresses_it),
        FILES_CLAIM(the_bytes_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
