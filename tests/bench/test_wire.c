#include "bench/wire.h"

#include "tests/bench/made.h"

static bench_wire *fed(const char *bytes, size_t n) {
    bench_wire *w = calloc(1, sizeof *w);
    assert_true(bench_wire_feed(w, bytes, n));
    return w;
}

static void a_whole_talk_is_understood_byte_by_byte(void **state) {
    static const char talk[] = "begin\nend 123\nframe 2 a3a6bf43\n{}"; /* zlib.crc32(b"{}") */
    bench_wire *w = calloc(1, sizeof *w);
    int seen[5] = {0};
    for (size_t i = 0; i + 1 < sizeof talk; i++) {
        assert_true(bench_wire_feed(w, talk + i, 1));
        for (bench_wire_event e; (e = bench_wire_next(w)) != BENCH_WIRE_MORE;) {
            seen[e]++;
            assert_int_not_equal(e, BENCH_WIRE_BAD);
        }
    }
    assert_true(seen[BENCH_WIRE_BEGIN] == 1 && seen[BENCH_WIRE_END] == 1 && seen[BENCH_WIRE_FRAME] == 1);
    assert_int_equal(w->wall_ns, 123);
    assert_string_equal(w->bytes, "{}");
    free(w);
    (void)state;
}

static void what_is_no_message_is_bad(void **state) {
    const char *const talks[] = {"hello\n",
                                 "end 5\n",
                                 "begin\nbegin\n",
                                 "begin\nend -1\n",
                                 "begin\nend 5 6\n",
                                 "begin\nframe 2 a3a6bf43\n{}",
                                 "frame 2 00000000\n{}",
                                 "frame 2 a3a6bf43\n{}x",
                                 "frame 99999999 00000000\n",
                                 "frame x y\n",
                                 "0123456789012345678901234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof talks / sizeof talks[0]; i++) {
        bench_wire *w = fed(talks[i], strlen(talks[i]));
        bench_wire_event e = BENCH_WIRE_MORE;
        for (int k = 0; k < 4 && e != BENCH_WIRE_BAD; k++) e = bench_wire_next(w);
        if (e != BENCH_WIRE_BAD) fail_msg("\"%s\" was taken", talks[i]);
        assert_non_null(w->wrong);
        assert_int_equal(bench_wire_next(w), BENCH_WIRE_BAD); /* and stays so */
        free(w);
    }
    (void)state;
}

static void more_than_it_holds_is_refused(void **state) {
    bench_wire *w = calloc(1, sizeof *w);
    char *bytes = calloc(1, BENCH_WIRE_SIZE);
    assert_false(bench_wire_feed(w, bytes, BENCH_WIRE_SIZE));
    free(bytes);
    free(w);
    (void)state;
}

static void without_a_runner_the_child_says_nothing(void **state) {
    assert_true(bench_tell_begin(-1) && bench_tell_end(-1, 1) && bench_tell_frame(-1, "{}"));
    unsetenv("VELBENCH_RESULT_FD");
    assert_int_equal(bench_result_fd(), -1);
    setenv("VELBENCH_RESULT_FD", "3", 1);
    assert_int_equal(bench_result_fd(), 3);
    setenv("VELBENCH_RESULT_FD", "three", 1);
    assert_int_equal(bench_result_fd(), -1);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_talk_is_understood_byte_by_byte),
        cmocka_unit_test(what_is_no_message_is_bad),
        cmocka_unit_test(more_than_it_holds_is_refused),
        cmocka_unit_test(without_a_runner_the_child_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
