#include "bench/probe.h"

#include <math.h>
#include <unistd.h>

#include "bench/probe_bodies.h"
#include "tests/bench/made.h"
#include "tests/bench/made_roofline.h"

enum { N = 4 * BENCH_PROBE_BLOCK };

/* What the loops compute does not depend on the instruction set, but for the rounding of a fused operation. */
static void every_body_computes_what_it_says(void **state) {
    static double x[N] __attribute__((aligned(64))), y[N] __attribute__((aligned(64))),
        z[N] __attribute__((aligned(64)));
    for (vel_cpu level = VEL_CPU_PLAIN; level <= vel_cpu_level(); level++) {
        const bench_probe_body *body = bench_probe_body_at(level);
        for (int i = 0; i < N; i++) x[i] = i, y[i] = 1;
        assert_true(body->read(N, x) > 0);
        body->copy(N, x, z);
        assert_memory_equal(x, z, sizeof x);
        body->triad(N, x, y, z);
        for (int i = 0; i < N; i++) assert_true(z[i] == i + 3);
        /* x = x / 2 + 1 goes to 2, and the result has 1 more a chain; 2 / x goes to and fro */
        assert_true(fabs(body->fused_f64(200) - 3 * BENCH_PROBE_CHAINS) < 1e-9);
        assert_true(fabs(body->apart_f64(200) - 3 * BENCH_PROBE_CHAINS) < 1e-9);
        assert_true(fabs(body->fused_f32(200) - 3 * BENCH_PROBE_CHAINS) < 1e-3);
        assert_true(fabs(body->apart_f32(200) - 3 * BENCH_PROBE_CHAINS) < 1e-3);
        assert_true(body->divide_f64(2) > BENCH_PROBE_CHAINS);
    }
    (void)state;
}

static void a_working_set_lies_in_the_smallest_level_that_holds_it(void **state) {
    const bench_speeds s = made_speeds(1);
    assert_string_equal(bench_level_of(&s, 0)->name, "L1");
    assert_string_equal(bench_level_of(&s, 32000)->name, "L1");
    assert_string_equal(bench_level_of(&s, 33000)->name, "L2");
    assert_string_equal(bench_level_of(&s, 1.1e6)->name, "L3");
    assert_string_equal(bench_level_of(&s, 1e12)->name, "memory");
    assert_true(bench_bandwidth(&s.level[0]) == 250e9);
    (void)state;
}

static void a_disk_has_a_rate_and_no_file_stays(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[] = "/tmp/velbench-probe-XXXXXX";
    double written = 0, read = 0;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(bench_probe_disk(ctx, folder, 100001, &written, &read), VEL_OK);
    assert_true(written > 0 && read > 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(bench_probe_disk(ctx, folder, 1, &written, &read), VEL_EWRITE);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_computes_what_it_says),
        cmocka_unit_test(a_working_set_lies_in_the_smallest_level_that_holds_it),
        cmocka_unit_test(a_disk_has_a_rate_and_no_file_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
