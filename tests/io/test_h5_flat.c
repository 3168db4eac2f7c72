#include "io/h5_flat.h"

#include <sys/resource.h>

#include "tests/io/files.h"

enum { VALUES = 1200000 }; /* more than what is sent to the disk at once */

static double written[VALUES], read_back[VALUES];

static hid_t file_of_values(files *f, hid_t type, hid_t creation, hid_t *file) {
    hsize_t n = VALUES;
    for (int i = 0; i < VALUES; i++) written[i] = i * 0.5;
    *file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t dataset = H5Dcreate2(*file, "x", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, written) >= 0);
    assert_true(H5Fflush(*file, H5F_SCOPE_GLOBAL) >= 0);
    H5Sclose(space);
    return dataset;
}

static void close_values(hid_t dataset, hid_t file) {
    H5Dclose(dataset);
    H5Fclose(file);
}

static void what_lies_in_one_piece_is_read_where_it_lies(void **state) {
    files *f = *state;
    hid_t file, dataset = file_of_values(f, H5T_IEEE_F64LE, H5P_DEFAULT, &file);
    vel_h5_flat flat;
    assert_true(vel_h5_flat_of(dataset, VEL_F64, "x", &flat));
    assert_int_equal(flat.n, VALUES);
    for (f->ctx.threads = 1; f->ctx.threads <= 3; f->ctx.threads++) {
        memset(read_back, 0, sizeof read_back);
        OK(f, vel_h5_flat_read_wide(&f->ctx, &flat, 0, VALUES, read_back));
        assert_memory_equal(read_back, written, sizeof written);
    }
    OK(f, vel_h5_flat_read(&f->ctx, &flat, 12345, 2, read_back));
    assert_memory_equal(read_back, written + 12345, 2 * sizeof *written);
    close_values(dataset, file);
}

static void what_lies_otherwise_is_left_to_hdf5(void **state) {
    files *f = *state;
    hid_t chunks = H5Pcreate(H5P_DATASET_CREATE), file, dataset;
    vel_h5_flat flat;
    H5Pset_chunk(chunks, 1, (hsize_t[]){1000});
    const struct {
        hid_t type, creation;
        vel_type as;
    } rows[] = {{H5T_IEEE_F64BE, H5P_DEFAULT, VEL_F64},
                {H5T_IEEE_F64LE, H5P_DEFAULT, VEL_F32},
                {H5T_STD_I8LE, H5P_DEFAULT, VEL_BOOL},
                {H5T_IEEE_F64LE, chunks, VEL_F64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dataset = file_of_values(f, rows[i].type, rows[i].creation, &file);
        assert_false(vel_h5_flat_of(dataset, rows[i].as, "x", &flat));
        close_values(dataset, file);
    }
    H5Pclose(chunks);
}

static void what_was_never_written_is_left_to_hdf5(void **state) {
    files *f = *state;
    vel_h5_flat flat;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    vector(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 10, NULL);
    hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    assert_false(vel_h5_flat_of(dataset, VEL_F64, "x", &flat));
    close_values(dataset, file);
}

static void a_user_block_before_the_file_is_counted(void **state) {
    files *f = *state;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, 1024);
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    vector(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, (double[]){1, 2, 3});
    assert_true(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    vel_h5_flat flat;
    assert_true(vel_h5_flat_of(dataset, VEL_F64, "x", &flat));
    OK(f, vel_h5_flat_read(&f->ctx, &flat, 0, 3, read_back));
    assert_memory_equal(read_back, ((double[]){1, 2, 3}), sizeof(double[3]));
    close_values(dataset, file);
    H5Pclose(creation);
}

static void a_file_that_became_shorter_is_said_to_have(void **state) {
    files *f = *state;
    hid_t file, dataset = file_of_values(f, H5T_IEEE_F64LE, H5P_DEFAULT, &file);
    vel_h5_flat flat;
    assert_true(vel_h5_flat_of(dataset, VEL_F64, "x of it", &flat));
    assert_int_equal(truncate(f->path, flat.offset + 80), 0);
    OK(f, vel_h5_flat_read(&f->ctx, &flat, 0, 10, read_back));
    FAILS(f, vel_h5_flat_read(&f->ctx, &flat, 0, 11, read_back), VEL_EREAD, "x of it cannot be read");
    FAILS(f, vel_h5_flat_read_wide(&f->ctx, &flat, 0, VALUES, read_back), VEL_EREAD, "has become shorter");
    assert_false(vel_h5_flat_of(dataset, VEL_F64, "x", &flat));
    close_values(dataset, file);
}

static void what_is_written_behind_hdf5_is_there(void **state) {
    files *f = *state;
    const hsize_t n = VALUES, first = VEL_H5_FIRST / sizeof *written;
    for (int i = 0; i < VALUES; i++) written[i] = i * 0.5;
    hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    vector(file, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, NULL);
    hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT), space = H5Screate_simple(1, &n, NULL);
    hid_t start = H5Screate_simple(1, &first, NULL);
    vel_h5_flat flat;
    assert_false(vel_h5_flat_made(dataset, VEL_F64, "x", &flat));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){0}, NULL, &first, NULL);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, start, space, H5P_DEFAULT, written) >= 0);
    assert_true(vel_h5_flat_made(dataset, VEL_F64, "x", &flat));
    OK(f, vel_h5_flat_reserve(&f->ctx, &flat));
    OK(f, vel_h5_flat_write(&f->ctx, &flat, (int64_t)first, VALUES - (int64_t)first, written + first));
    vector(file, "y", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, (double[]){1, 2, 3});
    H5Sclose(start);
    H5Sclose(space);
    close_values(dataset, file);
    file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read_back) >= 0);
    assert_memory_equal(read_back, written, sizeof written);
    close_values(dataset, file);
}

static void room_that_cannot_be_had_is_said_before_anything_is_written(void **state) {
    files *f = *state;
    struct rlimit before, small;
    hid_t file, dataset = file_of_values(f, H5T_IEEE_F64LE, H5P_DEFAULT, &file);
    vel_h5_flat flat;
    assert_true(vel_h5_flat_made(dataset, VEL_F64, "x of it", &flat));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){(rlim_t)flat.offset + 1000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vel_err e = vel_h5_flat_reserve(&f->ctx, &flat);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    FAILS(f, e, VEL_EWRITE, "x of it cannot be written (File too large)");
    close_values(dataset, file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(what_lies_in_one_piece_is_read_where_it_lies),
        FILES_CLAIM(what_lies_otherwise_is_left_to_hdf5),
        FILES_CLAIM(what_was_never_written_is_left_to_hdf5),
        FILES_CLAIM(a_user_block_before_the_file_is_counted),
        FILES_CLAIM(room_that_cannot_be_had_is_said_before_anything_is_written),
        FILES_CLAIM(a_file_that_became_shorter_is_said_to_have),
        FILES_CLAIM(what_is_written_behind_hdf5_is_there),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
