/* Datasets written compressed: HDF5, with the filters that it knows, reads what was given. */
#include "io/h5_pack.h"

#include "io/h5.h"
#include "io/h5_filters.h"
#include "tests/io/files.h"

enum { MOST = 600 * 300 };

static const vel_packing packings[] = {{VEL_GZIP, 4}, {VEL_GZIP, 0}, {VEL_GZIP, 9}, {VEL_LZF, 0}};
enum { N_PACKINGS = sizeof packings / sizeof *packings };

static double reals[MOST], got[MOST], turned[MOST];
static float narrow[MOST], got_narrow[MOST];

static void fill(void) {
    unsigned seed = 7;
    for (int i = 0; i < MOST; i++) {
        seed = seed * 1664525 + 1013904223;
        narrow[i] = i % 3 ? 0 : (float)(seed >> 28);
        memcpy((char *)&reals[i], &seed, 4); /* half of its bytes are noise */
    }
}

static hid_t packed(files *f, hid_t file, hid_t type, const vel_packing *packing, const vel_h5_array *a) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(a->ndim, (hsize_t[]){(hsize_t)a->rows, (hsize_t)a->cols}, NULL);
    H5Pset_obj_track_times(list, false);
    assert_true(vel_h5_pack_layout(list, packing, a));
    hid_t dataset = H5Dcreate2(file, a->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(dataset >= 0);
    OK(f, vel_h5_pack(&f->ctx, dataset, packing, a));
    H5Pclose(list);
    H5Sclose(space);
    H5Dclose(dataset); /* the open one has forgotten which filters its last chunk does without (HDF5 1.10) */
    return H5Dopen2(file, a->name, H5P_DEFAULT);
}

static hid_t new_file(const char *path) {
    vel_h5_register_filters();
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void hdf5_reads_what_was_packed(void **state) {
    files *f = *state;
    static const int64_t shapes[][2] = {{600, 300}, {599, 299}, {60000, 3}, {4, 40000}, {512, 128}};
    fill();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes * N_PACKINGS; k++) {
        int64_t rows = shapes[k / N_PACKINGS][0], cols = shapes[k / N_PACKINGS][1];
        hid_t file = new_file(f->path);
        vel_h5_array a = {narrow, 2, rows, cols, sizeof *narrow, false, NULL, "x", "it"};
        hid_t dataset = packed(f, file, H5T_IEEE_F32LE, &packings[k % N_PACKINGS], &a);
        memset(got_narrow, 1, sizeof got_narrow);
        assert_true(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got_narrow) >= 0);
        assert_memory_equal(got_narrow, narrow, (size_t)(rows * cols) * sizeof *narrow);
        H5Dclose(dataset);
        H5Fclose(file);
    }
}

static void of_layers_the_transpose_is_written(void **state) {
    files *f = *state;
    enum { CELLS_HERE = 601, GENES_HERE = 233 };
    fill();
    for (int c = 0; c < CELLS_HERE; c++)
        for (int g = 0; g < GENES_HERE; g++) turned[c * GENES_HERE + g] = reals[g * CELLS_HERE + c];
    for (int k = 0; k < N_PACKINGS; k++) {
        hid_t file = new_file(f->path);
        vel_h5_array a = {reals, 2, CELLS_HERE, GENES_HERE, sizeof *reals, true, NULL, "x", "it"};
        hid_t dataset = packed(f, file, H5T_IEEE_F64LE, &packings[k], &a);
        assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
        assert_memory_equal(got, turned, sizeof(double[CELLS_HERE * GENES_HERE]));
        H5Dclose(dataset);
        H5Fclose(file);
    }
}

static void vectors_of_any_size_of_element_are_written(void **state) {
    files *f = *state;
    const hid_t types[] = {H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE};
    fill();
    for (int k = 0; k < 4 * N_PACKINGS; k++) {
        size_t size = (size_t)1 << k / N_PACKINGS;
        hid_t file = new_file(f->path);
        vel_h5_array a = {reals, 1, 170001, 1, size, false, NULL, "x", "it"};
        hid_t dataset = packed(f, file, types[k / N_PACKINGS], &packings[k % N_PACKINGS], &a);
        assert_true(H5Dread(dataset, types[k / N_PACKINGS], H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
        assert_memory_equal(got, reals, 170001 * size);
        H5Dclose(dataset);
        H5Fclose(file);
    }
}

static void any_number_of_threads_writes_the_same_bytes(void **state) {
    files *f = *state;
    static char first[4 << 20], bytes[4 << 20];
    fill();
    for (int k = 0; k < N_PACKINGS; k++) {
        size_t length = 0;
        for (f->ctx.threads = 1; f->ctx.threads <= 4; f->ctx.threads++) {
            hid_t file = new_file(f->path);
            vel_h5_array a = {reals, 2, 300, 600, sizeof *reals, true, NULL, "x", "it"};
            H5Dclose(packed(f, file, H5T_IEEE_F64LE, &packings[k], &a));
            H5Fclose(file);
            FILE *back = fopen(f->path, "r");
            size_t n = fread(bytes, 1, sizeof bytes, back);
            fclose(back);
            assert_in_range(n, 1, sizeof bytes - 1);
            if (f->ctx.threads == 1) memcpy(first, bytes, length = n);
            assert_int_equal(n, length);
            assert_memory_equal(bytes, first, n);
        }
    }
}

static void what_is_small_or_not_to_be_packed_is_left(void **state) {
    (void)state;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const vel_h5_array small = {reals, 1, 511, 1, 8, false, NULL, "x", "it"};
    const vel_h5_array large = {reals, 1, 512, 1, 8, false, NULL, "x", "it"};
    const vel_h5_array none = {reals, 2, 0, 100000, 8, false, NULL, "x", "it"};
    assert_false(vel_h5_pack_layout(list, &packings[0], &small));
    assert_false(vel_h5_pack_layout(list, &packings[0], &none));
    assert_false(vel_h5_pack_layout(list, &(vel_packing){VEL_PLAIN, 0}, &large));
    assert_int_equal(H5Pget_nfilters(list), 0);
    assert_true(vel_h5_pack_layout(list, &packings[0], &large));
    assert_int_equal(H5Pget_nfilters(list), 2);
    H5Pclose(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(hdf5_reads_what_was_packed),
        FILES_CLAIM(of_layers_the_transpose_is_written),
        FILES_CLAIM(vectors_of_any_size_of_element_are_written),
        FILES_CLAIM(any_number_of_threads_writes_the_same_bytes),
        FILES_CLAIM(what_is_small_or_not_to_be_packed_is_left),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
