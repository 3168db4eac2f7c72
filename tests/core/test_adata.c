#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/core/adata_store.h"

static void reads_nothing_until_asked(void **state) {
    fixture *f = *state;
    assert_true(vel_has(f->ad, "X"));
    assert_int_equal(vel_entry_of(f->ad, "layers/counts").stored, 7);
    assert_int_equal(f->memory.reads, 0);
}

static void reads_a_field_once(void **state) {
    fixture *f = *state;
    const vel_field *a, *b;
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_OK);
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &b), VEL_OK);
    assert_ptr_equal(a, b);
    assert_int_equal(f->memory.reads, 1);
}

static void a_missing_field_names_itself_and_its_neighbours(void **state) {
    fixture *f = *state;
    const vel_field *a;
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/spliced", &a), VEL_EKEY);
    assert_non_null(strstr(f->ctx.message, "layers/spliced"));
    assert_non_null(strstr(f->ctx.message, "counts"));
    assert_non_null(strstr(f->ctx.message, "test.h5ad"));
}

static void a_failed_read_leaves_the_field_readable_again(void **state) {
    fixture *f = *state;
    const vel_field *a;
    f->memory.failing = true;
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_EREAD);
    f->memory.failing = false;
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_OK);
}

static void groups_and_the_unknown_are_no_arrays(void **state) {
    fixture *f = *state;
    const vel_field *a;
    assert_int_equal(vel_get(&f->ctx, f->ad, "uns/params", &a), VEL_ETYPE);
    assert_int_equal(vel_get(&f->ctx, f->ad, "obsm/odd", &a), VEL_ETYPE);
}

static void an_alias_leads_to_the_users_layer(void **state) {
    fixture *f = *state;
    const vel_field *a, *b;
    assert_int_equal(vel_alias(&f->ctx, f->ad, "spliced", "counts"), VEL_OK);
    assert_true(vel_has(f->ad, "layers/spliced"));
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/spliced", &a), VEL_OK);
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &b), VEL_OK);
    assert_ptr_equal(a, b);
}

static void layers_are_put_gene_major_and_zeroed(void **state) {
    fixture *f = *state;
    vel_field *a;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/Ms", VEL_F64, vel_matrix(CELLS, GENES), &a), VEL_OK);
    assert_true(a->gene_major);
    for (int i = 0; i < CELLS * GENES; i++) assert_true(((double *)a->data)[i] == 0);
    assert_true(vel_is_changed(f->ad, "layers/Ms"));
    assert_true(vel_is_changed(f->ad, "layers"));
    assert_false(vel_is_changed(f->ad, "layers/counts"));
}

static void a_put_of_equal_shape_keeps_the_memory(void **state) {
    fixture *f = *state;
    vel_field *a, *b;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/x", VEL_F64, vel_vector(GENES), &a), VEL_OK);
    void *data = a->data;
    ((double *)data)[2] = 7;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/x", VEL_F64, vel_vector(GENES), &b), VEL_OK);
    assert_ptr_equal(b->data, data);
    assert_true(((double *)data)[2] == 0);
}

static void what_is_known_of_values_is_forgotten_when_they_may_change(void **state) {
    fixture *f = *state;
    vel_field *a;
    const vel_field *same;
    const char *path = "layers/Ms";
    vel_note_free_of(f->ad, path, 5); /* not there */
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, vel_matrix(CELLS, GENES), &a), VEL_OK);
    vel_note_free_of(f->ad, path, 1);
    vel_note_free_of(f->ad, path, 4);
    assert_int_equal(vel_get(&f->ctx, f->ad, path, &same), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 5);
    assert_int_equal(vel_edit(&f->ctx, f->ad, path, &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
    vel_note_free_of(f->ad, path, 1);
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, vel_matrix(CELLS, GENES), &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
    vel_note_free_of(f->ad, path, 1);
    assert_int_equal(vel_drop(&f->ctx, f->ad, path), VEL_OK);
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, vel_matrix(CELLS, GENES), &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
}

static void a_wrong_shape_is_refused(void **state) {
    fixture *f = *state;
    vel_field *a;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/Ms", VEL_F64, vel_matrix(CELLS, GENES + 1), &a), VEL_ESHAPE);
    assert_non_null(strstr(f->ctx.message, "layers/Ms"));
}

static void parents_under_uns_are_made(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_put_text(&f->ctx, f->ad, "uns/a/b/c", "deep"), VEL_OK);
    assert_int_equal(vel_entry_of(f->ad, "uns/a/b").kind, VEL_DICT);
    const char *text;
    assert_int_equal(vel_get_text(&f->ctx, f->ad, "uns/a/b/c", &text), VEL_OK);
    assert_string_equal(text, "deep");
    assert_int_equal(vel_put_int(&f->ctx, f->ad, "uns/a/b/c", 3), VEL_OK);
    double x;
    assert_int_equal(vel_get_real(&f->ctx, f->ad, "uns/a/b/c", &x), VEL_OK);
    assert_true(x == 3);
}

static void a_column_name_may_hold_a_slash(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_put_bools(&f->ctx, f->ad, "obs/a/b", (uint8_t[CELLS]){1}, CELLS), VEL_OK);
    assert_true(vel_has(f->ad, "obs/a/b"));
    assert_false(vel_has(f->ad, "obs/a"));
}

static void dropping_a_group_drops_its_members(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_drop(&f->ctx, f->ad, "uns/params"), VEL_OK);
    assert_false(vel_has(f->ad, "uns/params/mode"));
    assert_true(vel_is_changed(f->ad, "uns/params"));
    assert_int_equal(vel_put_text(&f->ctx, f->ad, "uns/params/kind", "new"), VEL_OK);
    assert_true(vel_has(f->ad, "uns/params"));
    assert_false(vel_has(f->ad, "uns/params/mode"));
}

static void texts_come_from_strings_and_categories(void **state) {
    fixture *f = *state;
    const char **x;
    assert_int_equal(vel_get_texts(&f->ctx, f->ad, "obs/group", CELLS, &x), VEL_OK);
    assert_string_equal(x[1], "odd");
    assert_null(x[4]);
    char **names;
    assert_int_equal(vel_obs_names(&f->ctx, f->ad, &names), VEL_OK);
    assert_string_equal(names[4], "e");
}

static void genes_without_names_are_numbered(void **state) {
    fixture *f = *state;
    char **names;
    assert_int_equal(vel_var_names(&f->ctx, f->ad, &names), VEL_OK);
    assert_string_equal(names[3], "3");
}

static void missing_numbers_are_nan_and_false(void **state) {
    fixture *f = *state;
    vel_field *a;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/n", VEL_I32, vel_vector(GENES), &a), VEL_OK);
    memcpy(a->data, (int32_t[]){1, 2, 0, 4}, sizeof(int32_t[GENES]));
    assert_int_equal(vel_own(&f->ctx, GENES, 1, &a->mask), VEL_OK);
    a->mask[1] = 1;
    double *x;
    uint8_t *b;
    assert_int_equal(vel_get_reals(&f->ctx, f->ad, "var/n", GENES, &x), VEL_OK);
    assert_true(x[0] == 1 && isnan(x[1]) && x[3] == 4);
    assert_int_equal(vel_get_bools(&f->ctx, f->ad, "var/n", GENES, &b), VEL_OK);
    assert_true(b[0] && !b[1] && !b[2] && b[3]);
}

/* ---- cutting */

static void check_cut(fixture *f) {
    const vel_field *x, *s, *group;
    char **names;
    assert_int_equal(vel_n_obs(f->ad), 3);
    assert_int_equal(vel_n_vars(f->ad), 2);
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &x), VEL_OK);
    const float expected[] = {1, 21, 41, 3, 23, 43}; /* genes 1, 3 of cells 0, 2, 4 */
    assert_memory_equal(x->data, expected, sizeof expected);
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &s), VEL_OK);
    assert_memory_equal(s->indptr, ((int64_t[]){0, 1, 2, 3}), 4 * sizeof(int64_t));
    assert_memory_equal(s->indices, ((int32_t[]){1, 0, 0}), 3 * sizeof(int32_t));
    assert_memory_equal(s->data, ((double[]){2, 3, 7}), 3 * sizeof(double));
    assert_int_equal(vel_get(&f->ctx, f->ad, "obs/group", &group), VEL_OK);
    assert_memory_equal(group->codes, ((int32_t[]){0, 0, -1}), 3 * sizeof(int32_t));
    assert_int_equal(vel_obs_names(&f->ctx, f->ad, &names), VEL_OK);
    assert_string_equal(names[2], "e");
}

static void cut(fixture *f) {
    assert_int_equal(vel_drop(&f->ctx, f->ad, "obsm/odd"), VEL_OK);
    assert_int_equal(vel_keep_obs(&f->ctx, f->ad, (uint8_t[]){1, 1, 1, 0, 1}), VEL_OK);
    assert_int_equal(vel_keep_vars(&f->ctx, f->ad, (uint8_t[]){0, 1, 0, 1}), VEL_OK);
    assert_int_equal(vel_keep_obs(&f->ctx, f->ad, (uint8_t[]){1, 0, 1, 1}), VEL_OK);
}

static void cuts_what_is_resident_at_once(void **state) {
    fixture *f = *state;
    const vel_field *a;
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_OK);
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &a), VEL_OK);
    assert_int_equal(vel_get(&f->ctx, f->ad, "obs/group", &a), VEL_OK);
    char **names;
    assert_int_equal(vel_obs_names(&f->ctx, f->ad, &names), VEL_OK);
    cut(f);
    check_cut(f);
}

static void cuts_what_is_in_the_store_when_it_is_read(void **state) {
    fixture *f = *state;
    cut(f);
    assert_int_equal(vel_entry_of(f->ad, "X").rows, 3);
    assert_int_equal(vel_entry_of(f->ad, "X").cols, 2);
    assert_int_equal(vel_entry_of(f->ad, "layers/counts").stored, 7 * (CELLS - 2) * 2 / (CELLS * GENES));
    assert_int_equal(vel_stored_in_file(f->ad, "layers/counts"), 7);
    assert_int_equal(vel_stored_in_file(f->ad, "layers/spliced"), 0);
    assert_int_equal(f->memory.reads, 0);
    check_cut(f);
}

static void what_cannot_be_cut_is_named_and_nothing_changes(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_keep_obs(&f->ctx, f->ad, (uint8_t[]){1, 0, 1, 0, 1}), VEL_ETYPE);
    assert_non_null(strstr(f->ctx.message, "obsm/odd"));
    assert_int_equal(vel_n_obs(f->ad), CELLS);
}

static void what_is_let_go_is_read_again_and_what_was_edited_stays(void **state) {
    fixture *f = *state;
    const vel_field *x;
    vel_field *edited;
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &x), VEL_OK);
    int reads = f->memory.reads;
    vel_let_go(f->ad, "layers/counts");
    vel_let_go(f->ad, "layers/nowhere");
    assert_true(vel_has(f->ad, "layers/counts"));
    assert_false(vel_is_changed(f->ad, "layers/counts"));
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &x), VEL_OK);
    assert_int_equal(f->memory.reads, reads + 1);
    assert_int_equal(vel_edit(&f->ctx, f->ad, "layers/counts", &edited), VEL_OK);
    vel_let_go(f->ad, "layers/counts");
    assert_int_equal(vel_get(&f->ctx, f->ad, "layers/counts", &x), VEL_OK);
    assert_int_equal(f->memory.reads, reads + 1);
    assert_ptr_equal(x, edited);
}

/* ---- provenance */

static uint64_t hash_after_reading(fixture *f, const char *path, int64_t n_expected) {
    const vel_field *a;
    const char *const *paths;
    int64_t n;
    uint64_t hash;
    assert_int_equal(vel_get(&f->ctx, f->ad, path, &a), VEL_OK);
    assert_int_equal(vel_reads_of(&f->ctx, f->ad, &paths, &n, &hash), VEL_OK);
    assert_int_equal(n, n_expected);
    assert_string_equal(paths[n - 1], path);
    return hash;
}

static void reads_are_listed_and_hashed(void **state) {
    fixture *f = *state;
    uint64_t one = hash_after_reading(f, "X", 1);
    uint64_t two = hash_after_reading(f, "obs/group", 2);
    assert_true(one != two);
    const vel_field *a;
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_OK);
    assert_true(two == hash_after_reading(f, "obs/group", 2));
}

static uint64_t hash_now(fixture *f) {
    const char *const *paths;
    int64_t n;
    uint64_t hash;
    assert_int_equal(vel_reads_of(&f->ctx, f->ad, &paths, &n, &hash), VEL_OK);
    return hash;
}

/* A handle of the same store of which X was read, and has changed since. */
static uint64_t hash_after_change(void **state, int change) {
    assert_int_equal(teardown(state), 0);
    assert_int_equal(setup(state), 0);
    fixture *f = *state;
    const vel_field *a;
    vel_field *x;
    uint8_t keep[CELLS] = {1};
    assert_int_equal(vel_get(&f->ctx, f->ad, "X", &a), VEL_OK);
    if (change == 1) {
        assert_int_equal(vel_edit(&f->ctx, f->ad, "X", &x), VEL_OK);
        memset(x->data, 1, (size_t)(x->rows * x->cols) * vel_type_size(x->type));
    } else if (change == 2) {
        assert_int_equal(vel_put_dense(&f->ctx, f->ad, "X", a->type, vel_matrix(a->rows, a->cols), &x), VEL_OK);
    } else if (change == 3) {
        assert_int_equal(vel_drop(&f->ctx, f->ad, "obsm/odd"), VEL_OK); /* which nobody can cut */
        assert_int_equal(vel_keep_obs(&f->ctx, f->ad, keep), VEL_OK);
    } else if (change == 4) {
        assert_int_equal(vel_drop(&f->ctx, f->ad, "X"), VEL_OK);
    }
    return hash_now(f);
}

static void the_hash_is_of_what_was_read_whatever_became_of_it(void **state) {
    uint64_t unchanged = hash_after_change(state, 0);
    for (int change = 1; change <= 4; change++) assert_true(hash_after_change(state, change) == unchanged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(reads_nothing_until_asked),
        CLAIM(reads_a_field_once),
        CLAIM(a_missing_field_names_itself_and_its_neighbours),
        CLAIM(a_failed_read_leaves_the_field_readable_again),
        CLAIM(groups_and_the_unknown_are_no_arrays),
        CLAIM(an_alias_leads_to_the_users_layer),
        CLAIM(layers_are_put_gene_major_and_zeroed),
        CLAIM(a_put_of_equal_shape_keeps_the_memory),
        CLAIM(what_is_known_of_values_is_forgotten_when_they_may_change),
        CLAIM(a_wrong_shape_is_refused),
        CLAIM(parents_under_uns_are_made),
        CLAIM(a_column_name_may_hold_a_slash),
        CLAIM(dropping_a_group_drops_its_members),
        CLAIM(texts_come_from_strings_and_categories),
        CLAIM(genes_without_names_are_numbered),
        CLAIM(missing_numbers_are_nan_and_false),
        CLAIM(cuts_what_is_resident_at_once),
        CLAIM(cuts_what_is_in_the_store_when_it_is_read),
        CLAIM(what_cannot_be_cut_is_named_and_nothing_changes),
        CLAIM(what_is_let_go_is_read_again_and_what_was_edited_stays),
        CLAIM(reads_are_listed_and_hashed),
        CLAIM(the_hash_is_of_what_was_read_whatever_became_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
