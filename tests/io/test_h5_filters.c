#include "io/h5_filters.h"

#include "tests/io/files.h"

enum { N = 5000 };

static hid_t filtered(hid_t file, const char *name, int filter, const int16_t *values) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, (hsize_t[]){N}, NULL);
    H5Pset_chunk(list, 1, (hsize_t[]){700});
    H5Pset_filter(list, filter, H5Z_FLAG_OPTIONAL, 0, NULL);
    hid_t dataset = H5Dcreate2(file, name, H5T_STD_I16LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(dataset >= 0);
    if (values) assert_true(H5Dwrite(dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
}

static void zstd_and_lzf_give_back_what_they_took(void **state) {
    files *f = *state;
    const int filters[] = {VEL_H5_ZSTD, VEL_H5_LZF};
    static int16_t runs[N], noise[N], back[N];
    for (int i = 0; i < N; i++) {
        runs[i] = (int16_t)(i / 100);
        noise[i] = (int16_t)(i * 2654435761u >> 7); /* does not shrink: stored as it is */
    }
    vel_h5_register_filters();
    vel_h5_register_filters(); /* once is enough, twice is fine */
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int k = 0; k < 4; k++) {
        char name[16];
        const int16_t *values = k < 2 ? runs : noise;
        snprintf(name, sizeof name, "%d", k);
        hid_t dataset = filtered(file, name, filters[k % 2], values);
        assert_true(H5Dflush(dataset) >= 0);
        if (k < 2) assert_true(H5Dget_storage_size(dataset) < N);
        H5Dclose(dataset);
        H5Fflush(file, H5F_SCOPE_LOCAL);
        dataset = H5Dopen2(file, name, H5P_DEFAULT);
        OK(f, vel_h5_check_readable(&f->ctx, dataset, name));
        assert_true(H5Dread(dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
        assert_memory_equal(back, values, sizeof back);
        H5Dclose(dataset);
    }
    H5Fclose(file);
}

static void a_compression_that_is_not_there_is_named(void **state) {
    files *f = *state;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dataset = filtered(file, "x", VEL_H5_BLOSC, NULL);
    FAILS(f, vel_h5_check_readable(&f->ctx, dataset, "layers/x"), VEL_EFORMAT, "32001");
    FAILS(f, vel_h5_check_readable(&f->ctx, dataset, "layers/x"), VEL_EFORMAT, "blosc");
    FAILS(f, vel_h5_check_readable(&f->ctx, dataset, "layers/x"), VEL_EFORMAT, "layers/x");
    H5Dclose(dataset);
    H5Fclose(file);
}

static void what_claims_much_and_holds_nothing_is_refused(void **state) {
    files *f = *state;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, (hsize_t[]){(hsize_t)1 << 40}, NULL);
    H5Pset_chunk(list, 1, (hsize_t[]){64});
    hid_t dataset = H5Dcreate2(file, "x", H5T_STD_I8LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    FAILS(f, vel_h5_check_readable(&f->ctx, dataset, "layers/x"), VEL_EFORMAT, "holds nothing");
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
}

static void damaged_bytes_are_refused(void **state) {
    (void)state;
    const char nonsense[32] = "nothing that was ever compressed";
    char out[64];
    assert_false(vel_h5_decompress(VEL_H5_ZSTD, nonsense, sizeof nonsense, out, sizeof out));
    assert_false(vel_h5_decompress(VEL_H5_LZF, nonsense, sizeof nonsense, out, sizeof out));
    assert_false(vel_h5_decompress(VEL_H5_LZF, nonsense, 0, out, sizeof out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(zstd_and_lzf_give_back_what_they_took),
        FILES_CLAIM(a_compression_that_is_not_there_is_named),
        FILES_CLAIM(what_claims_much_and_holds_nothing_is_refused),
        FILES_CLAIM(damaged_bytes_are_refused),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
