#include "io/h5.h"

#include <sys/stat.h>

#include "tests/io/files.h"

/* As an early return does it, on which what is open closes. */
static bool find_nothing(hid_t file) {
    H5_OWNED hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_NATIVE_INT);
    H5_OWNED hid_t found = H5Dopen2(file, "layers/nothing", H5P_DEFAULT);
    return found >= 0 && space >= 0 && type >= 0;
}

static void a_failure_keeps_its_reason_while_others_close(void **state) {
    files *f = *state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = bare_file(f->path);
    assert_false(find_nothing(file));
    FAILS(f, vel_h5_fail(&f->ctx, VEL_EREAD, "nothing"), VEL_EREAD, "nothing (HDF5: ");
    H5Fclose(file);
}

static void a_failure_is_told_with_the_object_and_the_file(void **state) {
    files *f = *state;
    char words[160];
    hid_t file = bare_file(f->path), group = H5Gopen2(file, "layers", H5P_DEFAULT);
    assert_int_equal(vel_fail(&f->ctx, VEL_EFORMAT, "it is damaged"), VEL_EFORMAT);
    snprintf(words, sizeof words, "layers of %s: it is damaged", f->path);
    FAILS(f, vel_h5_at(&f->ctx, VEL_EFORMAT, group), VEL_EFORMAT, words);
    H5Gclose(group);
    H5Fclose(file);
}

/* A family's handle is a file's, but not that of all of it; what lies in memory has none. */
static void only_an_ordinary_file_has_a_descriptor(void **state) {
    files *f = *state;
    struct stat found, meant;
    hid_t file = bare_file(f->path), access = H5Pcreate(H5P_FILE_ACCESS);
    assert_int_equal(fstat(vel_h5_descriptor(file), &found), 0);
    assert_int_equal(stat(f->path, &meant), 0);
    assert_int_equal(found.st_ino, meant.st_ino);
    H5Fclose(file);
    for (int i = 0; i < 2; i++) {
        snprintf(f->other, sizeof f->other, "%s/%s", f->directory, i ? "part-%d" : "core");
        assert_true((i ? H5Pset_fapl_family(access, 1 << 20, H5P_DEFAULT) : H5Pset_fapl_core(access, 1 << 16, 0)) >= 0);
        file = H5Fcreate(f->other, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        assert_true(file >= 0);
        assert_int_equal(vel_h5_descriptor(file), -1);
        H5Fclose(file);
    }
    H5Pclose(access);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(a_failure_keeps_its_reason_while_others_close),
        FILES_CLAIM(a_failure_is_told_with_the_object_and_the_file),
        FILES_CLAIM(only_an_ordinary_file_has_a_descriptor),
    };
    return cmocka_run_group_tests_name("io/h5", tests, NULL, NULL);
}
