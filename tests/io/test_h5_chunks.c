#include "io/h5_chunks.h"

#include "io/h5_filters.h"
#include "tests/io/files.h"

enum { ROWS = 37, COLS = 11 };

typedef struct {
    const char *name;
    void (*filter)(hid_t list);
} compression;

static void deflate(hid_t list) { H5Pset_deflate(list, 5); }

static void shuffled_deflate(hid_t list) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
}

static void lzf(hid_t list) {
    H5Pset_shuffle(list);
    H5Pset_filter(list, VEL_H5_LZF, H5Z_FLAG_OPTIONAL, 0, NULL);
}

static void zstd(hid_t list) { H5Pset_filter(list, VEL_H5_ZSTD, H5Z_FLAG_MANDATORY, 1, (unsigned[]){3}); }

static const compression compressions[] = {
    {"deflate", deflate}, {"shuffle and deflate", shuffled_deflate}, {"lzf", lzf}, {"zstd", zstd}};

static hid_t compressed(hid_t file, const char *name, hid_t type, void (*filter)(hid_t list), const void *values,
                        hid_t memory) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, (hsize_t[]){ROWS, COLS}, NULL);
    H5Pset_chunk(list, 2, (hsize_t[]){8, 4});
    if (filter) filter(list);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(dataset >= 0);
    if (values) assert_true(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Pclose(list);
    H5Sclose(space);
    return dataset;
}

typedef struct {
    double at[ROWS][COLS];
    int seen[ROWS][COLS];
} grid;

static void note(const vel_h5_chunk *chunk, void *arg) {
    grid *g = arg;
    for (int64_t i = 0; i < chunk->rows; i++)
        for (int64_t j = 0; j < chunk->cols; j++) {
            g->at[chunk->row + i][chunk->col + j] = ((const double *)chunk->elements)[i * chunk->stride + j];
            g->seen[chunk->row + i][chunk->col + j]++;
        }
}

static hid_t new_file(files *f) {
    vel_h5_register_filters();
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void every_compression_gives_every_element_once(void **state) {
    files *f = *state;
    double x[ROWS][COLS];
    for (int i = 0; i < ROWS * COLS; i++) ((double *)x)[i] = i / 3 * 0.25;
    hid_t file = new_file(f);
    for (size_t k = 0; k < sizeof compressions / sizeof *compressions; k++) {
        hid_t dataset =
            compressed(file, compressions[k].name, H5T_NATIVE_DOUBLE, compressions[k].filter, x, H5T_NATIVE_DOUBLE);
        vel_h5_chunks c;
        grid g = {0};
        assert_true(vel_h5_chunks_of(dataset, &c));
        OK(f, vel_h5_chunks_each(&f->ctx, &c, VEL_F64, &(vel_h5_part){0, 0, ROWS, COLS}, note, &g));
        assert_memory_equal(g.at, x, sizeof x);
        for (int i = 0; i < ROWS * COLS; i++) assert_int_equal(((int *)g.seen)[i], 1);
        H5Dclose(dataset);
    }
    H5Fclose(file);
}

static void a_part_brings_the_chunks_that_it_touches(void **state) {
    files *f = *state;
    double x[ROWS][COLS] = {{0}};
    grid g = {0};
    vel_h5_chunks c;
    hid_t file = new_file(f), dataset = compressed(file, "x", H5T_NATIVE_DOUBLE, deflate, x, H5T_NATIVE_DOUBLE);
    assert_true(vel_h5_chunks_of(dataset, &c));
    OK(f, vel_h5_chunks_each(&f->ctx, &c, VEL_F64, &(vel_h5_part){9, 5, 7, 2}, note, &g));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) assert_int_equal(g.seen[i][j], i >= 8 && i < 16 && j >= 4 && j < 8);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void numbers_are_widened_as_by_hdf5(void **state) {
    files *f = *state;
    const hid_t types[] = {H5T_NATIVE_INT8,   H5T_NATIVE_UINT8, H5T_NATIVE_INT16,  H5T_NATIVE_UINT16, H5T_NATIVE_INT32,
                           H5T_NATIVE_UINT32, H5T_NATIVE_INT64, H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT};
    double x[ROWS][COLS], back[ROWS][COLS];
    for (int i = 0; i < ROWS * COLS; i++) ((double *)x)[i] = (i * 2654435761u % 1000003) * 4.5e12 - 9e17;
    hid_t file = new_file(f);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", k);
        hid_t dataset = compressed(file, name, types[k], deflate, x, H5T_NATIVE_DOUBLE); /* clamped to the type */
        vel_h5_chunks c;
        grid g = {0};
        assert_true(vel_h5_chunks_of(dataset, &c));
        OK(f, vel_h5_chunks_each(&f->ctx, &c, VEL_F64, &(vel_h5_part){0, 0, ROWS, COLS}, note, &g));
        assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
        assert_memory_equal(g.at, back, sizeof back);
        H5Dclose(dataset);
    }
    H5Fclose(file);
}

static void note_index(const vel_h5_chunk *chunk, void *arg) {
    if (chunk->row == 0 && chunk->col == 0) memcpy(arg, chunk->elements, 4 * sizeof(int32_t));
}

static void indices_beyond_int32_are_its_limits(void **state) {
    files *f = *state;
    int64_t x[ROWS][COLS] = {{INT64_MIN, INT64_MAX, -7, (int64_t)INT32_MAX + 1}};
    int32_t got[4];
    vel_h5_chunks c;
    hid_t file = new_file(f), dataset = compressed(file, "x", H5T_NATIVE_INT64, deflate, x, H5T_NATIVE_INT64);
    assert_true(vel_h5_chunks_of(dataset, &c));
    OK(f, vel_h5_chunks_each(&f->ctx, &c, VEL_I32, &(vel_h5_part){0, 0, ROWS, COLS}, note_index, got));
    assert_memory_equal(got, ((int32_t[]){INT32_MIN, INT32_MAX, -7, INT32_MAX}), sizeof got);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void what_was_never_written_is_left_out(void **state) {
    files *f = *state;
    grid g = {0};
    vel_h5_chunks c;
    hid_t file = new_file(f), dataset = compressed(file, "x", H5T_NATIVE_DOUBLE, deflate, NULL, -1);
    hid_t space = H5Dget_space(dataset), one = H5Screate_simple(1, (hsize_t[]){1}, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){20, 6}, NULL, (hsize_t[]){1, 1}, NULL);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &(double){5}) >= 0);
    assert_true(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
    assert_true(vel_h5_chunks_of(dataset, &c));
    OK(f, vel_h5_chunks_each(&f->ctx, &c, VEL_F64, &(vel_h5_part){0, 0, ROWS, COLS}, note, &g));
    assert_true(g.at[20][6] == 5);
    int seen = 0;
    for (int i = 0; i < ROWS * COLS; i++) seen += ((int *)g.seen)[i];
    assert_int_equal(seen, 8 * 4);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void what_is_not_for_us_is_left_to_hdf5(void **state) {
    files *f = *state;
    vel_h5_chunks c;
    hid_t file = new_file(f);
    hid_t plain = compressed(file, "plain", H5T_NATIVE_DOUBLE, NULL, NULL, -1);
    hid_t foreign = compressed(file, "foreign", H5T_IEEE_F64BE, deflate, NULL, -1);
    assert_false(vel_h5_chunks_of(plain, &c));
    assert_false(vel_h5_chunks_of(foreign, &c));
    H5Dclose(plain);
    H5Dclose(foreign);
    H5Fclose(file);
}

static void a_damaged_chunk_is_refused_by_field_and_file(void **state) {
    files *f = *state;
    grid g = {0};
    hid_t file = new_file(f);
    for (size_t k = 0; k < sizeof compressions / sizeof *compressions; k++) {
        hid_t dataset = compressed(file, compressions[k].name, H5T_NATIVE_DOUBLE, compressions[k].filter, NULL, -1);
        vel_h5_chunks c;
        const char nonsense[] = "this was never compressed by anything at all";
        assert_true(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, (hsize_t[]){8, 4}, sizeof nonsense, nonsense) >= 0);
        char words[192];
        snprintf(words, sizeof words, "%s of %s: the compressed chunk at (8, 4) is", compressions[k].name, f->path);
        assert_true(vel_h5_chunks_of(dataset, &c));
        FAILS(f, vel_h5_chunks_each(&f->ctx, &c, VEL_F64, &(vel_h5_part){0, 0, ROWS, COLS}, note, &g), VEL_EFORMAT,
              words);
        H5Dclose(dataset);
    }
    H5Fclose(file);
}

static void copies_stay_compressed_and_equal(void **state) {
    files *f = *state;
    double x[ROWS][COLS], back[ROWS][COLS];
    for (int i = 0; i < ROWS * COLS; i++) ((double *)x)[i] = i / 7;
    hid_t file = new_file(f), from = compressed(file, "a", H5T_NATIVE_DOUBLE, shuffled_deflate, x, H5T_NATIVE_DOUBLE);
    hid_t to = compressed(file, "b", H5T_NATIVE_DOUBLE, shuffled_deflate, NULL, -1);
    hid_t unlike = compressed(file, "c", H5T_NATIVE_FLOAT, shuffled_deflate, NULL, -1);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    assert_true(vel_h5_chunks_copy(&f->ctx, from, to));
    assert_false(vel_h5_chunks_copy(&f->ctx, from, unlike));
    assert_int_equal(H5Dget_storage_size(from), H5Dget_storage_size(to));
    assert_true(H5Dread(to, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
    assert_memory_equal(back, x, sizeof x);
    H5Dclose(from);
    H5Dclose(to);
    H5Dclose(unlike);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(every_compression_gives_every_element_once),
        FILES_CLAIM(a_part_brings_the_chunks_that_it_touches),
        FILES_CLAIM(numbers_are_widened_as_by_hdf5),
        FILES_CLAIM(indices_beyond_int32_are_its_limits),
        FILES_CLAIM(what_was_never_written_is_left_out),
        FILES_CLAIM(what_is_not_for_us_is_left_to_hdf5),
        FILES_CLAIM(a_damaged_chunk_is_refused_by_field_and_file),
        FILES_CLAIM(copies_stay_compressed_and_equal),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
