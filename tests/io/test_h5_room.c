/* Room on the disk is reserved before it is written to, and what is refused is said by the system's word. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "io/h5.h"
#include "io/h5_room.h"
#include "tests/io/files.h"

/* The process may make no file larger than that. */
static struct rlimit hold_to(rlim_t bytes) {
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return before;
}

static void what_is_reserved_does_not_make_the_file_longer(void **state) {
    files *f = *state;
    struct stat st;
    int fd = open(f->path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && write(fd, "abc", 3) == 3);
    assert_int_equal(vel_h5_reserve(fd, 3, 1 << 20), 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, 3);
    close(fd);
}

static void more_than_a_file_may_hold_is_refused(void **state) {
    files *f = *state;
    int fd = open(f->path, O_RDWR | O_CREAT, 0600);
    struct rlimit before = hold_to(1 << 20);
    int within = vel_h5_reserve(fd, 0, 1 << 20), beyond = vel_h5_reserve(fd, 1, 1 << 20);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(within, 0);
    assert_int_equal(beyond, EFBIG);
    close(fd);
}

static void a_copy_that_has_no_room_is_refused_by_the_name_of_the_file(void **state) {
    files *f = *state;
    enum { N = 1 << 18 };
    hsize_t n = N;
    hid_t file = -1;
    OK(f, vel_h5_create(&f->ctx, f->path, &file));
    H5_OWNED hid_t space = H5Screate_simple(1, &n, NULL);
    H5_OWNED hid_t data = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    double *zeros = calloc(N, sizeof *zeros);
    assert_non_null(zeros);
    assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
    free(zeros);
    assert_true(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    OK(f, vel_h5_make_room(&f->ctx, file, f->path, data));
    struct rlimit before = hold_to(3 << 20); /* the 2 MiB that are there once more are too many */
    vel_err e = vel_h5_make_room(&f->ctx, file, f->path, data);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    FAILS(f, e, VEL_EWRITE, f->path);
    vel_h5_send_off_all(file);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(what_is_reserved_does_not_make_the_file_longer),
        FILES_CLAIM(more_than_a_file_may_hold_is_refused),
        FILES_CLAIM(a_copy_that_has_no_room_is_refused_by_the_name_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
