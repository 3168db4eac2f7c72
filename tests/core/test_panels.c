/* vel_panels: rows are those of the layer in float32, and every bit of the layer comes back. */
#include "core/panels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

typedef struct {
    vel_ctx ctx;
    volatile sig_atomic_t cancel;
    vel_mat layer;
    char *before;
    size_t bytes;
    int64_t *genes, n_genes;
    vel_panels *panels;
} world;

static double any_value(uint64_t *seed, int64_t i) {
    static const double odd[] = {0.0, -0.0, 1, -1, 1.0 / 3, 1e-30, -1e30, INFINITY, -INFINITY};
    return i % 7 == 0 ? odd[random_bits(seed) % (sizeof odd / sizeof *odd)] : random_between(seed, -5, 5);
}

/* `apart` genes of ten are not chosen. Columns begin wherever the number of cells puts them. */
static world *make_world(vel_type type, int64_t cells, int64_t genes, int apart, int threads) {
    world *w = calloc(1, sizeof *w);
    uint64_t seed = 17 + (uint64_t)(cells * genes);
    assert_non_null(w);
    w->bytes = (size_t)(cells * genes) * vel_type_size(type);
    w->layer = (vel_mat){malloc(w->bytes), type, cells, genes, 1, cells};
    w->before = malloc(w->bytes);
    w->genes = malloc((size_t)genes * sizeof *w->genes);
    assert_true(w->layer.data && w->before && w->genes);
    for (int64_t i = 0; i < cells * genes; i++) {
        double x = any_value(&seed, i);
        if (type == VEL_F32)
            ((float *)w->layer.data)[i] = (float)x;
        else
            ((double *)w->layer.data)[i] = x;
    }
    for (int64_t g = 0; g < genes; g++)
        if (g % 10 >= apart) w->genes[w->n_genes++] = g;
    w->ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = threads, .cancel = &w->cancel};
    return w;
}

static void free_world(world *w) {
    vel_arena_free(w->ctx.scratch);
    free(w->layer.data);
    free(w->before);
    free(w->genes);
    free(w);
}

static vel_err turn(world *w) {
    memcpy(w->before, w->layer.data, w->bytes);
    return vel_panels_turn(&w->ctx, &w->layer, w->genes, w->n_genes, &w->panels);
}

static bool is_as_before(const world *w) { return memcmp(w->before, w->layer.data, w->bytes) == 0; }

static float value_before(const world *w, int64_t cell, int64_t gene) {
    int64_t at = w->genes[gene] * w->layer.rows + cell;
    return w->layer.type == VEL_F32 ? ((const float *)w->before)[at] : (float)((const double *)w->before)[at];
}

static void check_rows(const world *w) {
    const vel_pieces *pieces = vel_panels_pieces(w->panels);
    assert_true(pieces->n * pieces->width >= w->n_genes && pieces->width % 16 == 0);
    for (int64_t c = 0; c < w->layer.rows; c++) {
        vel_pieces_row row = vel_pieces_of(pieces, c);
        for (int64_t p = 0; p < pieces->n; p++) assert_int_equal((uintptr_t)(row.starts[p] + row.at) % 64, 0);
        for (int64_t g = 0; g < w->n_genes; g++) {
            float x = (row.starts[g / pieces->width] + row.at)[g % pieces->width], y = value_before(w, c, g);
            if (memcmp(&x, &y, sizeof x) != 0) fail_msg("cell %d, gene %d: %g, not %g", (int)c, (int)g, x, y);
        }
    }
}

static void round_trip(vel_type type, int64_t cells, int64_t genes, int apart, int threads) {
    world *w = make_world(type, cells, genes, apart, threads);
    assert_int_equal(turn(w), VEL_OK);
    assert_non_null(w->panels);
    check_rows(w);
    vel_panels_restore(&w->ctx, w->panels);
    assert_true(is_as_before(w));
    free_world(w);
}

static void rows_are_the_values_and_every_bit_comes_back(void **state) {
    (void)state;
    static const struct {
        int64_t cells, genes;
        int apart;
    } shapes[] = {{400, 256, 0}, {401, 257, 0}, {799, 300, 1}, {1003, 500, 4}, {700, 1000, 2}, {1300, 1300, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            round_trip(VEL_F32, shapes[i].cells, shapes[i].genes, shapes[i].apart, threads);
            round_trip(VEL_F64, shapes[i].cells, shapes[i].genes, shapes[i].apart, threads);
        }
}

static void floats_may_be_anything(void **state) {
    (void)state;
    world *w = make_world(VEL_F32, 650, 320, 1, 2);
    uint64_t seed = 5;
    for (int64_t i = 0; i < 650 * 320; i++) ((float *)w->layer.data)[i] = random_float(&seed);
    assert_int_equal(turn(w), VEL_OK);
    check_rows(w);
    vel_panels_restore(&w->ctx, w->panels);
    assert_true(is_as_before(w));
    free_world(w);
}

/* One value in one place; the layer is as before in any case. Returns whether it could be turned. */
static bool takes(uint64_t bits, int64_t cell) {
    world *w = make_world(VEL_F64, 900, 300, 1, 2);
    memcpy((double *)w->layer.data + w->genes[w->n_genes / 2] * 900 + cell, &bits, sizeof bits);
    assert_int_equal(turn(w), VEL_OK);
    bool turned = w->panels != NULL;
    vel_panels_restore(&w->ctx, w->panels);
    assert_true(is_as_before(w));
    free_world(w);
    return turned;
}

static void a_double_without_room_leaves_the_layer_as_it_was(void **state) {
    (void)state;
    const uint64_t signalling = 0x7ff0000000000001, overflowing = 0x7e37e43c8800759c, below = 0x3690000000000001,
                   smallest = 1, greatest = 0x7fefffffffffffff;
    for (int64_t cell = 0; cell < 500; cell += 499) {
        assert_false(takes(signalling, cell));
        assert_false(takes(overflowing, cell));
        assert_false(takes(below, cell)); /* half of the smallest float: becomes 0 or that */
        (void)takes(smallest, cell);
        (void)takes(greatest, cell); /* next to infinity, which it becomes: -1 away */
    }
    assert_true(takes(0x7ff8000000000000, 3) && takes(0x8000000000000000, 3)); /* a quiet NaN, -0 */
    assert_true(takes(0x36a0000000000000, 3));                                 /* the smallest float */
}

static void any_double_comes_back(void **state) {
    (void)state;
    uint64_t seed = 99;
    for (int i = 0; i < 60; i++) (void)takes(random_bits(&seed), (int64_t)(random_bits(&seed) % 900));
}

static void copies_stay_where_they_are_better(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{900, 255}, {200, 300}, {1024, 300}, {0, 300}};
    for (int i = 0; i < 4; i++) {
        world *w = make_world(VEL_F64, shapes[i][0], shapes[i][1], 0, 1);
        assert_int_equal(turn(w), VEL_OK);
        assert_null(w->panels);
        assert_true(is_as_before(w));
        free_world(w);
    }
}

static void cancelling_puts_everything_back(void **state) {
    (void)state;
    world *w = make_world(VEL_F64, 900, 400, 2, 2);
    w->cancel = SIGINT;
    assert_int_equal(turn(w), VEL_EINTR);
    assert_null(w->panels);
    assert_true(is_as_before(w));
    w->cancel = 0;
    assert_int_equal(turn(w), VEL_OK);
    w->cancel = SIGINT;
    vel_panels_restore(&w->ctx, w->panels);
    assert_true(is_as_before(w));
    free_world(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_values_and_every_bit_comes_back),
        cmocka_unit_test(floats_may_be_anything),
        cmocka_unit_test(a_double_without_room_leaves_the_layer_as_it_was),
        cmocka_unit_test(any_double_comes_back),
        cmocka_unit_test(copies_stay_where_they_are_better),
        cmocka_unit_test(cancelling_puts_everything_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
