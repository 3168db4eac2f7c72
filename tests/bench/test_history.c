#include "bench/history.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/files.h"
#include "tests/bench/made.h"

static void new_folder(char *folder, char *path) {
    strcpy(folder, "/tmp/velbench-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, 96, "%s/benchmark_history.jsonl", folder);
}

static void the_last_hundred_are_kept_in_order(void **state) {
    char folder[64], path[96], time[32];
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *lines;
    new_folder(folder, path);
    for (int i = 0; i < BENCH_HISTORY + 7; i++) {
        snprintf(time, sizeof time, "run %d", i);
        run->started = time;
        assert_int_equal(bench_history_write(ctx, run, path), VEL_OK);
    }
    assert_int_equal(bench_history_read(ctx, path, &lines), VEL_OK);
    assert_int_equal(json_array_size(lines), BENCH_HISTORY);
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 0), "time")), "run 7");
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, BENCH_HISTORY - 1), "time")),
                        "run 106");
    json_decref(lines);
    bench_remove_folder(folder);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_run_that_writes_after_each_bench_has_one_line(void **state) {
    char folder[64], path[96];
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *lines;
    new_folder(folder, path);
    for (int i = 0; i < 3; i++) assert_int_equal(bench_history_write(ctx, run, path), VEL_OK);
    assert_int_equal(bench_history_read(ctx, path, &lines), VEL_OK);
    assert_int_equal(json_array_size(lines), 1);
    json_decref(lines);
    bench_remove_folder(folder);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_damaged_line_is_dropped(void **state) {
    char folder[64], path[96];
    static const char old[] = "{\"time\": \"a\"}\n{\"time\": \"b\n[1]\n";
    vel_ctx *ctx = made_ctx();
    bench_run *run = made_run();
    json_t *lines;
    new_folder(folder, path);
    assert_int_equal(bench_write_whole(ctx, path, old, sizeof old - 1), VEL_OK);
    assert_int_equal(bench_history_write(ctx, run, path), VEL_OK);
    assert_int_equal(bench_history_read(ctx, path, &lines), VEL_OK);
    assert_int_equal(json_array_size(lines), 2);
    json_decref(lines);
    bench_remove_folder(folder);
    made_run_free(run);
    made_ctx_free(ctx);
    (void)state;
}

static void a_line_has_the_ratio_of_each_bench(void **state) {
    bench_run *run = made_run();
    json_t *line = bench_history_line(run);
    const json_t *ratios = json_object_get(json_object_get(line, "ratios"), "scvelo");
    assert_true(json_number_value(json_object_get(ratios, "speed_recover_dynamics_5k")) > 10);
    assert_true(json_number_value(json_object_get(ratios, "mem_recover_dynamics_5k")) > 1);
    assert_null(json_object_get(ratios, "mem_oom_crash_100k")); /* one that failed has none */
    assert_string_equal(json_string_value(json_object_get(line, "commit")), "abc");
    json_decref(line);
    made_run_free(run);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_hundred_are_kept_in_order),
        cmocka_unit_test(a_run_that_writes_after_each_bench_has_one_line),
        cmocka_unit_test(a_damaged_line_is_dropped),
        cmocka_unit_test(a_line_has_the_ratio_of_each_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
