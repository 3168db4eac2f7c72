#include "core/cosine.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/nearly.h"
#include "tests/random.h"

enum { CELLS = 75 };

/* Random expression of CELLS cells, the last one a duplicate of the first; the padding is filled with NaN, since it may
 * not matter. */
typedef struct {
    vel_cosine_space space;
    float *x, *v, *work;
    int32_t cells[CELLS];
} world;

static float *floats(size_t n) {
    float *p = aligned_alloc(64, (n * sizeof *p + 63) / 64 * 64);
    assert_non_null(p);
    return p;
}

static world make_world(int64_t n_genes, bool sqrt_transform) {
    world w = {.space = {.n_genes = n_genes, .stride = vel_cosine_stride(n_genes), .sqrt_transform = sqrt_transform}};
    uint64_t seed = 11 + (uint64_t)n_genes;
    w.x = floats((size_t)(CELLS * w.space.stride));
    w.v = floats((size_t)w.space.stride);
    w.work = floats(vel_cosine_work(&w.space));
    for (int64_t i = 0; i < CELLS * w.space.stride; i++)
        w.x[i] = i % w.space.stride < n_genes ? (float)random_between(&seed, 0, 5) : NAN;
    memcpy(w.x + (CELLS - 1) * w.space.stride, w.x, (size_t)w.space.stride * sizeof *w.x);
    for (int64_t g = 0; g < n_genes; g++) w.v[g] = (float)random_between(&seed, -1, 1);
    for (int i = 0; i < CELLS; i++) w.cells[i] = i;
    w.space.x = w.x;
    return w;
}

static void free_world(world *w) {
    free(w->x);
    free(w->v);
    free(w->work);
}

/* The cosine in double, by its definition. */
static double by_definition(const world *w, int64_t from, int64_t to) {
    int64_t n = w->space.n_genes;
    double mean = 0, dv = 0, dd = 0, vv = 0;
    double *d = malloc((size_t)n * sizeof *d);
    for (int64_t g = 0; g < n; g++) {
        double x = (double)w->x[to * w->space.stride + g] - (double)w->x[from * w->space.stride + g];
        d[g] = w->space.sqrt_transform ? copysign(sqrt(fabs(x)), x) : x;
        mean += d[g] / (double)n;
    }
    for (int64_t g = 0; g < n; g++) {
        dv += (d[g] - mean) * (double)w->v[g];
        dd += (d[g] - mean) * (d[g] - mean);
        vv += (double)w->v[g] * (double)w->v[g];
    }
    free(d);
    return dv / sqrt(dd * vv);
}

static void cosines_are_those_of_the_definition(void **state) {
    (void)state;
    for (int root = 0; root < 2; root++) {
        world w = make_world(200, root);
        float norm = vel_cosine_center(&w.space, w.v), out[CELLS];
        vel_cosines_plain(&w.space, &(vel_cosine_query){3, w.v, norm, w.cells, CELLS}, w.work, out);
        for (int j = 0; j < CELLS; j++)
            if (j != 3) /* float32 sums of 200 terms: 2e-6 is what the reference itself is off by */
                assert_near(out[j], by_definition(&w, 3, j), 2e-6);
        free_world(&w);
    }
}

static void velocities_are_centred(void **state) {
    (void)state;
    world w = make_world(50, false);
    double sum = 0, squares = 0;
    float norm = vel_cosine_center(&w.space, w.v);
    for (int g = 0; g < 50; g++) {
        sum += (double)w.v[g];
        squares += (double)w.v[g] * (double)w.v[g];
    }
    assert_near(sum, 0, 1e-5); /* 50 float32 roundings of numbers below 1 */
    assert_near(norm, sqrt(squares), 1e-5);
    free_world(&w);
}

static void a_constant_velocity_has_no_direction(void **state) {
    (void)state;
    world w = make_world(16, false);
    for (int g = 0; g < 16; g++) w.v[g] = 0.5F;
    assert_true(vel_cosine_center(&w.space, w.v) == 0);
    free_world(&w);
}

static void a_cell_and_its_duplicate_get_zero(void **state) {
    (void)state;
    world w = make_world(30, false);
    float norm = vel_cosine_center(&w.space, w.v), out[CELLS];
    vel_cosines_plain(&w.space, &(vel_cosine_query){0, w.v, norm, w.cells, CELLS}, w.work, out);
    assert_true(out[0] == 0 && out[CELLS - 1] == 0);
    free_world(&w);
}

static void moving_along_the_velocity_gives_one(void **state) {
    (void)state;
    world w = make_world(64, false);
    float norm = vel_cosine_center(&w.space, w.v), out[2];
    for (int g = 0; g < 64; g++) {
        w.x[w.space.stride + g] = w.x[g] + w.v[g];
        w.x[2 * w.space.stride + g] = w.x[g] - w.v[g];
    }
    vel_cosines_plain(&w.space, &(vel_cosine_query){0, w.v, norm, (int32_t[]){1, 2}, 2}, w.work, out);
    assert_near(out[0], 1, 1e-6); /* float32: the step itself is rounded */
    assert_near(out[1], -1, 1e-6);
    free_world(&w);
}

static void compare_bodies(int64_t n_genes, bool root, int64_t m) {
    world w = make_world(n_genes, root);
    float norm = vel_cosine_center(&w.space, w.v), plain[CELLS], fast[CELLS];
    vel_cosine_query q = {0, w.v, norm, w.cells, m};
    vel_cosines_plain(&w.space, &q, w.work, plain);
    for (vel_cpu level = VEL_CPU_AVX2; level <= vel_cpu_level(); level++) {
        vel_cosine_body_for(level)(&w.space, &q, w.work, fast);
        assert_memory_equal(fast, plain, (size_t)m * sizeof *fast);
    }
    free_world(&w);
}

static void every_body_gives_the_bits_of_the_plain_one(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 40; n++) compare_bodies(n, n % 2, CELLS);
    const int64_t long_ones[] = {127, 128, 129, 136, 137, 255, 257, 300, 521};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) compare_bodies(long_ones[i], i % 2, CELLS);
    for (int64_t m = 0; m <= CELLS; m++) compare_bodies(33, false, m);
}

/* Rows in tiles of WIDTH cells whose pieces lie in memory of their own, and loose ones behind. */
enum { WIDTH = 64, TILED = CELLS / WIDTH * WIDTH, MOST_PIECES = 9 };

typedef struct {
    vel_pieces pieces;
    float *memory;
    const float *starts[(WIDTH + CELLS - TILED) * MOST_PIECES];
} scattered;

static void scatter(world *w, scattered *s) {
    int64_t n = (w->space.n_genes + WIDTH - 1) / WIDTH, places = WIDTH + CELLS - TILED;
    s->memory = floats((size_t)(places * n * WIDTH));
    s->pieces = (vel_pieces){n, WIDTH, vel_pieces_inverse(WIDTH), TILED, 0, s->starts};
    for (int64_t c = 0; c < CELLS; c++)
        for (int64_t p = 0; p < n; p++) {
            int64_t left = w->space.stride - p * WIDTH;
            float *piece = s->memory + ((n - 1 - p) * places + c) * WIDTH;
            memcpy(piece, w->x + c * w->space.stride + p * WIDTH,
                   (size_t)(left < WIDTH ? left : WIDTH) * sizeof *piece);
            s->starts[c * n + p] = piece;
        }
    w->space.pieces = &s->pieces;
}

static void rows_in_pieces_give_the_same_bits(void **state) {
    (void)state;
    const int64_t lengths[] = {1, 63, 64, 65, 80, 128, 200, 521};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        world w = make_world(lengths[i], i % 2);
        scattered s;
        float norm = vel_cosine_center(&w.space, w.v), whole[CELLS], pieces[CELLS], d[2][544];
        vel_cosine_query q = {CELLS - 2, w.v, norm, w.cells, CELLS};
        float length = vel_cosine_difference(&w.space, 1, CELLS - 1, d[0]);
        vel_cosines_plain(&w.space, &q, w.work, whole);
        scatter(&w, &s);
        for (vel_cpu level = VEL_CPU_PLAIN; level <= vel_cpu_level(); level++) {
            vel_cosine_body_for(level)(&w.space, &q, w.work, pieces);
            assert_memory_equal(pieces, whole, sizeof whole);
        }
        assert_true(vel_cosine_difference(&w.space, 1, CELLS - 1, d[1]) == length);
        assert_memory_equal(d[0], d[1], (size_t)lengths[i] * sizeof **d);
        free(s.memory);
        free_world(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosines_are_those_of_the_definition),
        cmocka_unit_test(velocities_are_centred),
        cmocka_unit_test(a_constant_velocity_has_no_direction),
        cmocka_unit_test(a_cell_and_its_duplicate_get_zero),
        cmocka_unit_test(moving_along_the_velocity_gives_one),
        cmocka_unit_test(every_body_gives_the_bits_of_the_plain_one),
        cmocka_unit_test(rows_in_pieces_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
