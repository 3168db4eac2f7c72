#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipelines/mark_genes.h"

enum { GENES = 4 };

typedef struct {
    vel_ctx ctx;
    vel_adata *ad;
    uint8_t marks[GENES];
    char said[256];
    int n_said;
} fixture;

static void keep_said(void *user, vel_level level, const char *text) {
    fixture *f = user;
    (void)level;
    snprintf(f->said, sizeof f->said, "%s", text);
    f->n_said++;
}

static int setup(void **state) {
    static fixture f;
    static const char *const names[GENES] = {"Actb", "Sox2", "Sox2", "1"};
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 1}};
    f.ctx.sink = (vel_sink){.user = &f, .say = keep_said};
    *state = &f;
    return vel_adata_new(&f.ctx, 2, GENES, &f.ad) || vel_put_names(&f.ctx, f.ad, true, names);
}

static int teardown(void **state) {
    fixture *f = *state;
    vel_adata_free(f->ad);
    vel_arena_free(f->ctx.scratch);
    return 0;
}

static vel_value text(const char *s) { return (vel_value){.kind = VEL_VTEXT, .text = s}; }

static void mark(fixture *f, const vel_value *names, int n, bool every) {
    vel_value list = {.kind = VEL_VLIST, .items = names, .n_items = n};
    assert_int_equal(vel_mark_genes(&f->ctx, f->ad, "var_names", n ? &list : names, every, f->marks), VEL_OK);
}

static void one_gene_or_a_list_of_them_is_marked(void **state) {
    fixture *f = *state;
    vel_value both[] = {text("Actb"), text("1")}, one = text("Sox2");
    mark(f, both, 2, true);
    assert_memory_equal(f->marks, ((uint8_t[]){1, 0, 0, 1}), GENES);
    mark(f, &one, 0, true);
    assert_memory_equal(f->marks, ((uint8_t[]){1, 1, 1, 1}), GENES);
    assert_int_equal(f->n_said, 0);
}

static void of_genes_that_share_a_name_the_first_may_be_meant(void **state) {
    fixture *f = *state;
    vel_value one = text("Sox2");
    mark(f, &one, 0, false);
    assert_memory_equal(f->marks, ((uint8_t[]){0, 1, 0, 0}), GENES);
}

static void a_number_as_it_was_written_is_a_name(void **state) {
    fixture *f = *state;
    vel_value one = {.kind = VEL_VINT, .integer = 1, .real = 1, .text = "1"};
    mark(f, &one, 0, true);
    assert_memory_equal(f->marks, ((uint8_t[]){0, 0, 0, 1}), GENES);
}

static void names_of_no_gene_are_told_in_one_line(void **state) {
    fixture *f = *state;
    vel_value few[] = {text("Actb"), text("actb"), text("Sox3")};
    mark(f, few, 3, true);
    assert_memory_equal(f->marks, ((uint8_t[]){1, 0, 0, 0}), GENES);
    assert_int_equal(f->n_said, 1);
    assert_non_null(strstr(f->said, "var_names: 2 of 3 names are no genes of"));
    assert_non_null(strstr(f->said, "actb, Sox3"));
    vel_value many[] = {text("a"), text("b"), text("c"), text("d"), text("e"), text("f")};
    mark(f, many, 6, true);
    assert_non_null(strstr(f->said, "a, b, c, d, e, …"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_gene_or_a_list_of_them_is_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(of_genes_that_share_a_name_the_first_may_be_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(a_number_as_it_was_written_is_a_name, setup, teardown),
        cmocka_unit_test_setup_teardown(names_of_no_gene_are_told_in_one_line, setup, teardown),
    };
    return cmocka_run_group_tests_name("pipelines/mark_genes", tests, NULL, NULL);
}
