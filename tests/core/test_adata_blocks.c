#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/core/adata_store.h"

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
    assert_int_equal(vel_put_sparse(&ctx, ad, "layers/many", VEL_F32, vel_matrix(MANY, FEW), MANY * (FEW - 1), &made),
                     VEL_OK);
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
        assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/made", rows[k].out, vel_matrix(CELLS, GENES), &made),
                         VEL_OK);
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
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/out", VEL_F32, vel_matrix(CELLS, GENES), &out), VEL_OK);
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
    assert_int_equal(vel_put_dense(&f->ctx, f->ad, "layers/out", VEL_F32, vel_matrix(CELLS, GENES), &out), VEL_OK);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(sparse_blocks_equal_the_dense_matrix),
        CLAIM(several_threads_fill_sparse_blocks_of_many_cells),
        CLAIM(a_sparse_input_may_lie_in_the_output_of_its_type),
        CLAIM(selected_blocks_read_and_write_these_genes_only),
        CLAIM(a_column_of_a_dense_layer_lies_in_the_layer),
        CLAIM(a_part_goes_when_its_blocks_are_done),
        CLAIM(of_a_layer_in_the_store_only_the_selected_genes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
