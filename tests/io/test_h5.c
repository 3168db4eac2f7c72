#include "io/h5.h"

#include "io/files.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(a_failure_keeps_its_reason_while_others_close),
        FILES_CLAIM(a_failure_is_told_with_the_object_and_the_file),
    };
    return cmocka_run_group_tests_name("io/h5", tests, NULL, NULL);
}
