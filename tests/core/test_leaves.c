#include "core/leaves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/knn_bodies.h"
#include "tests/context.h"
#include "tests/random.h"

enum { N = 1500, DIM = 3 };

static double points[N * DIM];
static int32_t order[N];
static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    uint64_t seed = 11;
    ctx = test_ctx(1);
    for (int i = 0; i < N * DIM; i++) points[i] = random_between(&seed, -1, 1) * (i % DIM == 1 ? 10 : 1);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_cmat of(int64_t n) { return (vel_cmat){points, VEL_F64, n, DIM, DIM, 1}; }

static void every_point_stands_in_the_order_once(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 64, 65, 256, 257, 512, 700, N};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint8_t seen[N] = {0};
        vel_cmat x = of(sizes[s]);
        assert_int_equal(vel_leaves_order(&ctx, &x, order), VEL_OK);
        for (int64_t i = 0; i < sizes[s]; i++) {
            assert_in_range(order[i], 0, sizes[s] - 1);
            assert_false(seen[order[i]]++);
        }
    }
}

static double span(const vel_cmat *x, int64_t first, int64_t count, int d) {
    double low[DIM], high[DIM];
    vel_box_around(x, count, order + first, &(vel_box){low, high});
    return high[d] - low[d];
}

/* Along the coordinate that varies ten times as much, six leaves are cut apart, and each into parts. */
static void leaves_and_their_parts_are_narrow(void **state) {
    (void)state;
    vel_cmat x = of(N);
    assert_int_equal(vel_leaves_order(&ctx, &x, order), VEL_OK);
    for (int64_t first = 0; first < N; first += VEL_LEAF)
        assert_true(span(&x, first, N - first < VEL_LEAF ? N - first : VEL_LEAF, 1) < 20 / 4.0);
    for (int64_t first = 0; first < N; first += VEL_LEAF_PART)
        assert_true(span(&x, first, N - first < VEL_LEAF_PART ? N - first : VEL_LEAF_PART, 1) < 20 / 8.0);
}

static void a_box_holds_its_points_and_no_more(void **state) {
    (void)state;
    static const int32_t some[] = {3, 700, 41, 8};
    double low[DIM], high[DIM];
    vel_cmat x = of(N);
    vel_box_around(&x, 4, some, &(vel_box){low, high});
    for (int d = 0; d < DIM; d++) {
        int touched = 0;
        for (int i = 0; i < 4; i++) {
            double at = points[some[i] * DIM + d];
            assert_true(low[d] <= at && at <= high[d]);
            touched |= (at == low[d]) | (at == high[d]) << 1;
        }
        assert_int_equal(touched, 3);
    }
}

static void no_pair_is_nearer_than_its_boxes_to_the_last_bit(void **state) {
    (void)state;
    static const double zeros[DIM];
    double low[2][DIM], high[2][DIM], gap[DIM];
    const vel_box a = {low[0], high[0]}, b = {low[1], high[1]};
    vel_cmat x = of(N);
    assert_int_equal(vel_leaves_order(&ctx, &x, order), VEL_OK);
    vel_box_around(&x, VEL_LEAF_PART, order, &a);
    for (int64_t first = 0; first + VEL_LEAF_PART <= N; first += VEL_LEAF_PART) {
        vel_box_around(&x, VEL_LEAF_PART, order + first, &b);
        vel_box_gaps(DIM, &a, &b, gap);
        double bound = vel_knn_plain.square_f64(DIM, gap, zeros);
        for (int i = 0; i < VEL_LEAF_PART; i++)
            for (int k = 0; k < VEL_LEAF_PART; k++)
                assert_true(vel_knn_plain.square_f64(DIM, points + order[i] * DIM, points + order[first + k] * DIM) >=
                            bound);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_stands_in_the_order_once),
        cmocka_unit_test(leaves_and_their_parts_are_narrow),
        cmocka_unit_test(a_box_holds_its_points_and_no_more),
        cmocka_unit_test(no_pair_is_nearer_than_its_boxes_to_the_last_bit),
    };
    return cmocka_run_group_tests_name("core/leaves", tests, setup, teardown);
}
