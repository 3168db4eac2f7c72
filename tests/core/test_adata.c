#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/adata.h"
#include "core/field.h"

enum { CELLS = 5, GENES = 4 };

/* ---- a store in memory: a few fields of 5 cells and 4 genes */

static const vel_entry entries[] = {
    {"X", VEL_DENSE, VEL_F32, 2, CELLS, GENES, CELLS *GENES, "array"},
    {"layers", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, "dict"},
    {"layers/counts", VEL_SPARSE, VEL_I64, 2, CELLS, GENES, 7, "csr_matrix"},
    {"obs", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, "dataframe"},
    {"obs/_index", VEL_TEXTS, VEL_NOTYPE, 1, CELLS, 1, CELLS, "string-array"},
    {"obs/group", VEL_CATEGORICAL, VEL_NOTYPE, 1, CELLS, 1, CELLS, "categorical"},
    {"obsm/odd", VEL_OTHER, VEL_NOTYPE, 0, 0, 0, 0, "awkward-array"},
    {"uns", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, "dict"},
    {"uns/params", VEL_DICT, VEL_NOTYPE, 0, 1, 1, 1, "dict"},
    {"uns/params/mode", VEL_TEXTS, VEL_NOTYPE, 0, 1, 1, 1, "string"},
};

typedef struct {
    int reads, closed;
    bool failing;
} memory;

static vel_err read_whole(vel_ctx *ctx, const char *path, vel_field *out) {
    static const char *const names[] = {"a", "b", "c", "d", "e"}, *const groups[] = {"even", "odd"}, *mode = "fast";
    if (!strcmp(path, "X")) {
        VEL_TRY(vel_field_dense(ctx, VEL_F32, 2, CELLS, GENES, out));
        out->gene_major = true;
        for (int c = 0; c < CELLS; c++)
            for (int g = 0; g < GENES; g++) ((float *)out->data)[g * CELLS + c] = (float)(10 * c + g);
        return VEL_OK;
    }
    if (!strcmp(path, "layers/counts")) {
        VEL_TRY(vel_field_sparse(ctx, VEL_F64, CELLS, GENES, 7, out));
        memcpy(out->indptr, (int64_t[]){0, 2, 2, 4, 5, 7}, (CELLS + 1) * sizeof *out->indptr);
        memcpy(out->indices, (int32_t[]){0, 3, 1, 2, 3, 0, 1}, 7 * sizeof *out->indices);
        for (int e = 0; e < 7; e++) ((double *)out->data)[e] = e + 1;
        return VEL_OK;
    }
    if (!strcmp(path, "obs/_index")) return vel_field_texts(ctx, names, CELLS, out);
    if (!strcmp(path, "obs/group")) {
        VEL_TRY(vel_field_categorical(ctx, CELLS, groups, 2, out));
        for (int c = 0; c < CELLS; c++) out->codes[c] = c == 4 ? -1 : c % 2;
        return VEL_OK;
    }
    return vel_field_texts(ctx, &mode, -1, out);
}

static void flags(const int64_t *selection, int64_t n_selected, int64_t n, uint8_t *keep) {
    memset(keep, selection ? 0 : 1, (size_t)n);
    for (int64_t i = 0; selection && i < n_selected; i++) keep[selection[i]] = 1;
}

static vel_err memory_read(vel_ctx *ctx, void *self, const char *path, const vel_selection *sel, vel_field *out) {
    memory *m = self;
    m->reads++;
    if (m->failing) return vel_fail(ctx, VEL_EREAD, "the disk is gone");
    VEL_TRY(read_whole(ctx, path, out));
    uint8_t obs[CELLS], var[GENES];
    flags(sel->obs, sel->n_obs, CELLS, obs);
    flags(sel->var, sel->n_vars, GENES, var);
    int32_t places[GENES];
    vel_field_places(var, GENES, places);
    if (out->ndim >= 1) vel_field_cut(out, obs, places);
    return VEL_OK;
}

static void memory_close(void *self) { ((memory *)self)->closed++; }

/* ---- fixture */

typedef struct {
    vel_ctx ctx;
    memory memory;
    vel_adata *ad;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){.ctx = {.scratch = vel_arena_new(), .threads = 2}};
    vel_store store = {&f.memory,   "test.h5ad", CELLS, GENES, entries, sizeof entries / sizeof *entries,
                       memory_read, memory_close};
    assert_int_equal(vel_adata_open(&f.ctx, &store, &f.ad), VEL_OK);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    vel_adata_free(f->ad);
    assert_int_equal(f->memory.closed, 1);
    vel_arena_free(f->ctx.scratch);
    return 0;
}

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
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/Ms", VEL_F64, 2, CELLS, GENES, &a), VEL_OK);
    assert_true(a->gene_major);
    for (int i = 0; i < CELLS * GENES; i++) assert_true(((double *)a->data)[i] == 0);
    assert_true(vel_is_changed(f->ad, "layers/Ms"));
    assert_true(vel_is_changed(f->ad, "layers"));
    assert_false(vel_is_changed(f->ad, "layers/counts"));
}

static void a_put_of_equal_shape_keeps_the_memory(void **state) {
    fixture *f = *state;
    vel_field *a, *b;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/x", VEL_F64, 1, GENES, 1, &a), VEL_OK);
    void *data = a->data;
    ((double *)data)[2] = 7;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/x", VEL_F64, 1, GENES, 1, &b), VEL_OK);
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
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, 2, CELLS, GENES, &a), VEL_OK);
    vel_note_free_of(f->ad, path, 1);
    vel_note_free_of(f->ad, path, 4);
    assert_int_equal(vel_get(&f->ctx, f->ad, path, &same), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 5);
    assert_int_equal(vel_edit(&f->ctx, f->ad, path, &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
    vel_note_free_of(f->ad, path, 1);
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, 2, CELLS, GENES, &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
    vel_note_free_of(f->ad, path, 1);
    assert_int_equal(vel_drop(&f->ctx, f->ad, path), VEL_OK);
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, path, VEL_F64, 2, CELLS, GENES, &a), VEL_OK);
    assert_int_equal(vel_known_free_of(f->ad, path), 0);
}

static void a_wrong_shape_is_refused(void **state) {
    fixture *f = *state;
    vel_field *a;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/Ms", VEL_F64, 2, CELLS, GENES + 1, &a), VEL_ESHAPE);
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
    assert_true(vel_is_dropped(f->ad, "uns/params/mode"));
    assert_int_equal(vel_put_text(&f->ctx, f->ad, "uns/params/kind", "new"), VEL_OK);
    assert_false(vel_is_dropped(f->ad, "uns/params"));
    assert_true(vel_is_dropped(f->ad, "uns/params/mode"));
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
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "var/n", VEL_I32, 1, GENES, 1, &a), VEL_OK);
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
    assert_int_equal(f->memory.reads, 0);
    check_cut(f);
}

static void what_cannot_be_cut_is_named_and_nothing_changes(void **state) {
    fixture *f = *state;
    assert_int_equal(vel_keep_obs(&f->ctx, f->ad, (uint8_t[]){1, 0, 1, 0, 1}), VEL_ETYPE);
    assert_non_null(strstr(f->ctx.message, "obsm/odd"));
    assert_int_equal(vel_n_obs(f->ad), CELLS);
}

/* ---- blocks */

static void sparse_blocks_equal_the_dense_matrix(void **state) {
    fixture *f = *state;
    const double expected[GENES][CELLS] = {{1, 0, 0, 0, 6}, {0, 0, 3, 0, 7}, {0, 0, 4, 0, 0}, {2, 0, 0, 5, 0}};
    vel_block_field fields[] = {{"layers/counts", VEL_F64, false}, {"X", VEL_F64, false}};
    for (int64_t block = 0; block <= GENES; block++) {
        vel_blocks *it;
        assert_int_equal(vel_blocks_open(&f->ctx, f->ad, fields, 2, block, &it), VEL_OK);
        int64_t seen = 0;
        for (;;) {
            assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
            if (!it->count) break;
            assert_int_equal(it->first, seen);
            for (int64_t g = 0; g < it->count; g++, seen++)
                for (int64_t c = 0; c < CELLS; c++) {
                    assert_true(((const double *)it->in[0].data)[g * it->in[0].col_stride + c] == expected[seen][c]);
                    assert_true(((const double *)it->in[1].data)[g * it->in[1].col_stride + c] ==
                                (double)(10 * c + seen));
                }
        }
        assert_int_equal(seen, GENES);
    }
}

/* Cell c has an entry in each gene but gene c % 7: more cells than a thread takes at once. */
static void several_threads_fill_sparse_blocks_of_many_cells(void **state) {
    enum { MANY = 5000, FEW = 7 };
    fixture *f = *state;
    vel_adata *ad;
    vel_field *made;
    vel_ctx ctx = {.scratch = f->ctx.scratch, .threads = 4};
    assert_int_equal(vel_adata_new(&ctx, MANY, FEW, &ad), VEL_OK);
    assert_int_equal(vel_put_sparse(&ctx, ad, "layers/many", VEL_F32, MANY, FEW, MANY * (FEW - 1), &made), VEL_OK);
    for (int64_t c = 0, e = 0; c < MANY; c++) {
        for (int32_t g = 0; g < FEW; g++) {
            if (g == c % FEW) continue;
            made->indices[e] = g;
            ((float *)made->data)[e++] = (float)(c * FEW + g + 1);
        }
        made->indptr[c + 1] = e;
    }
    const vel_block_field field = {"layers/many", VEL_F64, false};
    for (int64_t block = 1; block <= FEW; block++) {
        vel_blocks *it;
        assert_int_equal(vel_blocks_open(&ctx, ad, &field, 1, block, &it), VEL_OK);
        for (assert_int_equal(vel_blocks_next(&ctx, it), VEL_OK); it->count;) {
            for (int64_t g = 0; g < it->count; g++)
                for (int64_t c = 0; c < MANY; c++) {
                    double there = (double)(it->first + g == c % FEW ? 0 : c * FEW + it->first + g + 1);
                    assert_true(vel_cmat_at(&it->in[0], c, g) == there);
                }
            assert_int_equal(vel_blocks_next(&ctx, it), VEL_OK);
        }
    }
    vel_adata_free(ad);
}

static void a_sparse_input_may_lie_in_the_output_of_its_type(void **state) {
    fixture *f = *state;
    const double expected[GENES][CELLS] = {{1, 0, 0, 0, 6}, {0, 0, 3, 0, 7}, {0, 0, 4, 0, 0}, {2, 0, 0, 5, 0}};
    static const struct {
        const char *input;
        vel_type in, out;
        bool laid;
    } rows[] = {{"layers/counts", VEL_F64, VEL_F64, true},
                {"layers/counts", VEL_F64, VEL_F32, false},
                {"X", VEL_NOTYPE, VEL_F32, false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        vel_field *made;
        vel_blocks *it;
        vel_block_field fields[] = {{rows[k].input, rows[k].in, false}, {"layers/made", rows[k].out, true}};
        assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/made", rows[k].out, 2, CELLS, GENES, &made), VEL_OK);
        assert_int_equal(vel_blocks_open(&f->ctx, f->ad, fields, 2, 3, &it), VEL_OK);
        vel_blocks_lay_into(it, 0, 1);
        for (;;) {
            assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
            if (!it->count) break;
            assert_true((it->in[0].data == it->out[1].data) == rows[k].laid);
            for (int64_t g = 0; g < it->count && rows[k].laid; g++)
                assert_memory_equal((const double *)it->in[0].data + g * CELLS, expected[it->first + g],
                                    CELLS * sizeof(double));
        }
        assert_int_equal(vel_drop(&f->ctx, f->ad, "layers/made"), VEL_OK);
    }
}

static void selected_blocks_read_and_write_these_genes_only(void **state) {
    fixture *f = *state;
    vel_field *out;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/out", VEL_F32, 2, CELLS, GENES, &out), VEL_OK);
    vel_block_field fields[] = {{"layers/counts", VEL_F32, false}, {"layers/out", VEL_F32, true}};
    vel_blocks *it;
    const int64_t genes[] = {0, 3};
    assert_int_equal(vel_blocks_open(&f->ctx, f->ad, fields, 2, 0, &it), VEL_OK);
    assert_int_equal(vel_blocks_select(&f->ctx, it, genes, 2), VEL_OK);
    for (;;) {
        assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
        if (!it->count) break;
        for (int64_t g = 0; g < it->count; g++)
            for (int64_t c = 0; c < CELLS; c++)
                ((float *)it->out[1].data)[g * it->out[1].col_stride + c] =
                    1 + ((const float *)it->in[0].data)[g * it->in[0].col_stride + c];
    }
    const float expected[] = {2, 1, 1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 1, 6, 1};
    assert_memory_equal(out->data, expected, sizeof expected);
}

static void a_column_of_a_dense_layer_lies_in_the_layer(void **state) {
    fixture *f = *state;
    vel_field *out;
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/out", VEL_F32, 2, CELLS, GENES, &out), VEL_OK);
    vel_block_field fields[] = {{"layers/counts", VEL_F32, false}, {"layers/out", VEL_F32, true}};
    vel_blocks *it;
    const int64_t genes[] = {0, 3};
    assert_int_equal(vel_blocks_open(&f->ctx, f->ad, fields, 2, 0, &it), VEL_OK);
    assert_int_equal(vel_blocks_select(&f->ctx, it, genes, 2), VEL_OK);
    for (int k = 0; k < 2; k++) vel_blocks_by_column(it, k);
    assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
    assert_int_equal(it->count, 2);
    for (int64_t g = 0; g < 2; g++) {
        float *y = vel_blocks_column(it, 1, g);
        assert_ptr_equal(y, (float *)out->data + genes[g] * CELLS);
        for (int64_t c = 0; c < CELLS; c++) y[c] = 1 + ((const float *)vel_blocks_column(it, 0, g))[c];
    }
    const float expected[] = {2, 1, 1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 1, 6, 1};
    assert_memory_equal(out->data, expected, sizeof expected);
}

/* The columns genes[n] of a layer, one after the other. */
static void read_blocks(fixture *f, const char *path, const int64_t *genes, int64_t n, float *x) {
    vel_block_field field = {path, VEL_F32, false};
    vel_blocks *it;
    assert_int_equal(vel_blocks_open(&f->ctx, f->ad, &field, 1, 1, &it), VEL_OK);
    assert_int_equal(vel_blocks_select(&f->ctx, it, genes, n), VEL_OK);
    for (;;) {
        assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
        if (!it->count) break;
        memcpy(x + it->first * CELLS, vel_blocks_column(it, 0, 0), CELLS * sizeof *x);
    }
}

static void a_part_goes_when_its_blocks_are_done(void **state) {
    fixture *f = *state;
    vel_block_field field = {"X", VEL_F32, false};
    vel_blocks *it;
    const int64_t genes[] = {1};
    float x[CELLS];
    assert_int_equal(vel_blocks_open(&f->ctx, f->ad, &field, 1, 0, &it), VEL_OK);
    assert_int_equal(vel_blocks_select(&f->ctx, it, genes, 1), VEL_OK);
    assert_int_equal(vel_blocks_next(&f->ctx, it), VEL_OK);
    vel_blocks_done(it);
    read_blocks(f, "X", genes, 1, x);
    assert_int_equal(f->memory.reads, 2);
}

static void of_a_layer_in_the_store_only_the_selected_genes_are_read(void **state) {
    fixture *f = *state;
    static const char *const paths[] = {"X", "layers/counts"};
    const uint8_t keep[GENES] = {0, 1, 1, 1};
    const int64_t genes[] = {0, 2};
    const vel_field *whole;
    assert_int_equal(vel_keep_vars(&f->ctx, f->ad, keep), VEL_OK);
    for (int k = 0; k < 2; k++) {
        float away[2 * CELLS], again[2 * CELLS], here[2 * CELLS];
        int reads = f->memory.reads;
        read_blocks(f, paths[k], genes, 2, away);
        read_blocks(f, paths[k], genes, 2, again);
        assert_int_equal(f->memory.reads, reads + 1);
        vel_adata_rest(f->ad);
        read_blocks(f, paths[k], genes, 2, again);
        assert_int_equal(f->memory.reads, reads + 2);
        assert_int_equal(vel_get(&f->ctx, f->ad, paths[k], &whole), VEL_OK);
        assert_int_equal(whole->cols, GENES - 1);
        read_blocks(f, paths[k], genes, 2, here);
        assert_int_equal(f->memory.reads, reads + 3);
        assert_memory_equal(away, here, sizeof here);
        assert_memory_equal(again, here, sizeof here);
    }
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
        assert_int_equal(vel_put_dense(&f->ctx, f->ad, "X", a->type, 2, a->rows, a->cols, &x), VEL_OK);
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
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
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
        CLAIM(sparse_blocks_equal_the_dense_matrix),
        CLAIM(several_threads_fill_sparse_blocks_of_many_cells),
        CLAIM(a_sparse_input_may_lie_in_the_output_of_its_type),
        CLAIM(selected_blocks_read_and_write_these_genes_only),
        CLAIM(a_column_of_a_dense_layer_lies_in_the_layer),
        CLAIM(a_part_goes_when_its_blocks_are_done),
        CLAIM(of_a_layer_in_the_store_only_the_selected_genes_are_read),
        CLAIM(what_is_let_go_is_read_again_and_what_was_edited_stays),
        CLAIM(reads_are_listed_and_hashed),
        CLAIM(the_hash_is_of_what_was_read_whatever_became_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
