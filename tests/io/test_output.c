#include "io/output.h"

#include <sys/stat.h>

#include "tests/io/files.h"

static void fill(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_holds(const char *path, const char *text) {
    char line[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(line, text);
}

static void nothing_appears_before_the_commit(void **state) {
    files *f = *state;
    vel_output out;
    OK(f, vel_output_begin(&f->ctx, f->path, &out));
    fill(out.temporary, "new");
    assert_int_not_equal(access(f->path, F_OK), 0);
    OK(f, vel_output_commit(&f->ctx, &out));
    vel_output_end(&out);
    assert_holds(f->path, "new");
}

static void without_a_commit_the_old_file_stays(void **state) {
    files *f = *state;
    vel_output out;
    fill(f->path, "old");
    OK(f, vel_output_begin(&f->ctx, f->path, &out));
    char *temporary = strdup(out.temporary);
    fill(temporary, "new");
    vel_output_end(&out);
    assert_holds(f->path, "old");
    assert_int_not_equal(access(temporary, F_OK), 0);
    free(temporary);
}

static void two_outputs_at_once_do_not_meet(void **state) {
    files *f = *state;
    vel_output a, b;
    OK(f, vel_output_begin(&f->ctx, f->path, &a));
    OK(f, vel_output_begin(&f->ctx, f->path, &b));
    assert_string_not_equal(a.temporary, b.temporary);
    vel_output_end(&a);
    vel_output_end(&b);
}

static void the_mode_is_kept_and_links_are_followed(void **state) {
    files *f = *state;
    vel_output out;
    struct stat st;
    char chain[112];
    snprintf(chain, sizeof chain, "%s/c", f->directory);
    fill(f->path, "old");
    assert_int_equal(chmod(f->path, 0604), 0);
    assert_int_equal(symlink("a.h5ad", f->other), 0);
    assert_int_equal(symlink(f->other, chain), 0);
    OK(f, vel_output_begin(&f->ctx, chain, &out));
    fill(out.temporary, "new");
    OK(f, vel_output_commit(&f->ctx, &out));
    vel_output_end(&out);
    assert_holds(f->path, "new");
    assert_int_equal(stat(f->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0604);
    assert_int_equal(lstat(chain, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void links_in_a_circle_stay(void **state) {
    files *f = *state;
    vel_output out;
    struct stat st;
    assert_int_equal(symlink(f->other, f->path), 0);
    assert_int_equal(symlink(f->path, f->other), 0);
    assert_int_equal(vel_output_begin(&f->ctx, f->path, &out), VEL_EWRITE);
    assert_non_null(strstr(f->ctx.message, f->path));
    vel_output_end(&out);
    assert_int_equal(lstat(f->path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void a_write_protected_file_stays_also_before_root(void **state) {
    files *f = *state;
    vel_output out;
    fill(f->path, "old");
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(vel_output_begin(&f->ctx, f->path, &out), VEL_EWRITE);
    vel_output_end(&out);
    assert_non_null(strstr(f->ctx.message, "write-protected"));
    assert_holds(f->path, "old");
}

static void a_link_to_what_is_not_there_yet_stays_one(void **state) {
    files *f = *state;
    vel_output out;
    assert_int_equal(symlink("a.h5ad", f->other), 0);
    OK(f, vel_output_begin(&f->ctx, f->other, &out));
    fill(out.temporary, "new");
    OK(f, vel_output_commit(&f->ctx, &out));
    vel_output_end(&out);
    assert_holds(f->path, "new");
}

static void what_is_no_file_is_refused(void **state) {
    files *f = *state;
    vel_output out;
    FAILS(f, vel_output_begin(&f->ctx, f->directory, &out), VEL_EWRITE, "directory");
    vel_output_end(&out);
    FAILS(f, vel_output_begin(&f->ctx, "/dev/null", &out), VEL_EWRITE, "/dev/null");
    vel_output_end(&out);
    FAILS(f, vel_output_begin(&f->ctx, "/no/such/place", &out), VEL_EWRITE, "No such file");
    vel_output_end(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(nothing_appears_before_the_commit),
        FILES_CLAIM(without_a_commit_the_old_file_stays),
        FILES_CLAIM(a_write_protected_file_stays_also_before_root),
        FILES_CLAIM(two_outputs_at_once_do_not_meet),
        FILES_CLAIM(the_mode_is_kept_and_links_are_followed),
        FILES_CLAIM(links_in_a_circle_stay),
        FILES_CLAIM(a_link_to_what_is_not_there_yet_stays_one),
        FILES_CLAIM(what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
