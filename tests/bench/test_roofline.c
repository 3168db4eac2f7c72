#include "bench/roofline.h"

#include <math.h>

#include "tests/bench/made_roofline.h"

static bench_work made_work;

static bench_work work_of(const bench_shape *s) {
    (void)s;
    return made_work;
}

static bench_placed place(bench_work w) {
    static const bench_kernel kernel = {.name = "k", .what = "w", .arithmetic = BENCH_APART_F32, .work = work_of};
    const bench_speeds s = made_speeds(1);
    made_work = w;
    return bench_place(&kernel, &s, &bench_shape_default, 1);
}

static void few_operations_a_byte_are_limited_by_bandwidth_and_many_by_arithmetic(void **state) {
    const bench_placed thin = place((bench_work){.bytes = 110e9, .set = 500000, .flops = 1e9});
    assert_int_equal(thin.limit, BENCH_BY_BANDWIDTH);
    assert_true(fabs(thin.roof_s - 1) < 1e-12);
    const bench_placed dense = place((bench_work){.bytes = 1e9, .set = 500000, .flops = 200e9});
    assert_int_equal(dense.limit, BENCH_BY_ARITHMETIC);
    assert_true(fabs(dense.roof_s - 2) < 1e-12);
    (void)state;
}

static void each_need_can_be_the_limit(void **state) {
    assert_int_equal(place((bench_work){.gathers = 1e12}).limit, BENCH_BY_GATHER);
    assert_int_equal(place((bench_work){.exps = 1e12}).limit, BENCH_BY_TRANSCENDENTAL);
    assert_int_equal(place((bench_work){.logs = 1e12}).limit, BENCH_BY_TRANSCENDENTAL);
    assert_int_equal(place((bench_work){.divides = 1e12}).limit, BENCH_BY_DIVISION);
    assert_int_equal(place((bench_work){.chain = 1e12}).limit, BENCH_BY_CHAIN);
    (void)state;
}

/* A larger working set lies in slower memory: the roof takes longer. */
static void the_roof_falls_with_the_working_set(void **state) {
    double before = 0;
    for (double set = 1e3; set < 1e10; set *= 10) {
        const bench_placed p = place((bench_work){.bytes = 1e9, .set = set, .gathers = 1e7, .jumps = set});
        assert_true(p.roof_s >= before);
        before = p.roof_s;
    }
    (void)state;
}

static void every_kernel_of_the_table_has_a_roof(void **state) {
    bench_roofline *r = made_roofline();
    for (int i = 0; i < r->n; i++) {
        const bench_placed *p = &r->placed[i];
        assert_true(isfinite(p->roof_s) && p->roof_s > 0);
        for (int k = 0; k < BENCH_LIMITS; k++) assert_true(p->need_s[k] <= p->roof_s);
    }
    made_roofline_free(r);
    (void)state;
}

static void a_name_that_no_kernel_has_is_refused(void **state) {
    vel_ctx *ctx = made_ctx();
    bench_roofline *r = made_roofline();
    r->run->request.only = "nothing*";
    assert_int_equal(bench_roofline_measure(ctx, r, NULL), VEL_EUSAGE);
    made_roofline_free(r);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_operations_a_byte_are_limited_by_bandwidth_and_many_by_arithmetic),
        cmocka_unit_test(each_need_can_be_the_limit),
        cmocka_unit_test(the_roof_falls_with_the_working_set),
        cmocka_unit_test(every_kernel_of_the_table_has_a_roof),
        cmocka_unit_test(a_name_that_no_kernel_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
