#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipelines/genes.h"
#include "tests/pipelines/memory.h"

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
    char file[32], said[256];
} fixture;

static void keep_said(void *user, vel_level level, const char *text) {
    (void)level;
    snprintf(user, 256, "%s", text);
}

static int setup(void **state) {
    static fixture f;
    static const char *const names[] = {"Actb", "Sox2", "Sox2", "Neurog3"};
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 1}, .file = "/tmp/vel-genes-XXXXXX"};
    f.ctx.sink = (vel_sink){.user = f.said, .say = keep_said};
    if (vel_adata_new(&f.ctx, 2, 4, &f.ad) || vel_put_names(&f.ctx, f.ad, true, names)) return 1;
    close(mkstemp(f.file));
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    unlink(f->file);
    vel_adata_free(f->ad);
    vel_arena_free(f->ctx.scratch);
    return 0;
}

static vel_err keep(fixture *f, const char *text) {
    FILE *file = fopen(f->file, "w");
    fputs(text, file);
    fclose(file);
    return vel_genes_keep(&f->ctx, f->ad, f->file);
}

static void listed_genes_stay_in_the_order_of_the_data(void **state) {
    fixture *f = *state;
    char **names;
    assert_int_equal(keep(f, "Neurog3\nActb\n"), VEL_OK);
    assert_int_equal(vel_n_vars(f->ad), 2);
    assert_int_equal(vel_var_names(&f->ctx, f->ad, &names), VEL_OK);
    assert_string_equal(names[0], "Actb");
    assert_string_equal(names[1], "Neurog3");
    assert_int_equal(strlen(f->said), 0);
}

static void every_gene_of_a_repeated_name_stays(void **state) {
    fixture *f = *state;
    assert_int_equal(keep(f, "Sox2"), VEL_OK);
    assert_int_equal(vel_n_vars(f->ad), 2);
}

static void white_space_and_blank_lines_do_not_count(void **state) {
    fixture *f = *state;
    assert_int_equal(keep(f, "\n  Actb\t\r\n\n\r\nActb\n"), VEL_OK);
    assert_int_equal(vel_n_vars(f->ad), 1);
    assert_int_equal(strlen(f->said), 0);
}

static void unknown_names_are_said(void **state) {
    fixture *f = *state;
    assert_int_equal(keep(f, "Actb\nGfp\n"), VEL_OK);
    assert_non_null(strstr(f->said, "1 of 2"));
    assert_non_null(strstr(f->said, "Gfp"));
}

static void no_gene_left_is_an_error_that_cuts_nothing(void **state) {
    fixture *f = *state;
    assert_int_equal(keep(f, "Gfp\n"), VEL_EKEY);
    f->ctx.message[0] = 0;
    assert_int_equal(keep(f, ""), VEL_EKEY);
    assert_int_equal(vel_n_vars(f->ad), 4);
}

static void an_unreadable_list_is_named(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_genes_keep(&f->ctx, f->ad, "/nowhere/genes.txt"), VEL_EREAD);
    assert_non_null(strstr(f->ctx.message, "/nowhere/genes.txt"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(listed_genes_stay_in_the_order_of_the_data), TEST(every_gene_of_a_repeated_name_stays),
        TEST(white_space_and_blank_lines_do_not_count),   TEST(unknown_names_are_said),
        TEST(no_gene_left_is_an_error_that_cuts_nothing), TEST(an_unreadable_list_is_named),
    };
    return cmocka_run_group_tests_name("pipelines/genes", tests, NULL, NULL);
}
