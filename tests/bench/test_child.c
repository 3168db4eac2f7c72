#include "bench/child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/clock.h"
#include "bench/wire.h"

/* ---- what this program does as a child: test_bench_child --child MODE */

enum { MIB = 1 << 20, KNOWN_MIB = 96 };

static void touch(size_t mib) {
    const size_t n = mib * MIB;
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fputs("Cannot allocate memory\n", stderr);
        _exit(5);
    }
    madvise(p, n, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < n; i += 4096) p[i] = 1;
    munmap(p, n);
}

static int64_t own_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Uses that much CPU, however busy the machine is. */
static void spin(int64_t ns) {
    const int64_t until = own_cpu_ns() + ns;
    while (own_cpu_ns() < until)
        ;
}

static int timed(int fd, void (*part)(void)) {
    if (!bench_tell_begin(fd)) return 1;
    const int64_t start = bench_now_ns();
    part();
    if (!bench_tell_end(fd, bench_now_ns() - start)) return 1;
    return bench_tell_frame(fd, "{\"versions\": {}}") ? 0 : 1;
}

static void known_amount(void) { touch(KNOWN_MIB); }
static void busy(void) { spin(120000000); }
/* A helper that outlives the timed part. */
static void helped(void) {
    int done[2];
    char byte = 0;
    if (pipe(done) != 0) _exit(1);
    if (fork() == 0) {
        touch(KNOWN_MIB);
        char *p = malloc(32 * (size_t)MIB);
        memset(p, 1, 32 * (size_t)MIB);
        spin(200000000);
        if (write(done[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    spin(200000000);
    if (read(done[0], &byte, 1) != 1) _exit(1);
}

static int child(const char *mode) {
    const int fd = bench_result_fd();
    if (!strcmp(mode, "known")) {
        touch(200); /* before the timed part: must not count */
        return timed(fd, known_amount);
    }
    if (!strcmp(mode, "busy")) return timed(fd, busy);
    if (!strcmp(mode, "helped")) return timed(fd, helped);
    if (!strcmp(mode, "untimed")) return bench_tell_frame(fd, "{}") ? 0 : 1;
    if (!strcmp(mode, "sleep")) return sleep(60) ? 1 : 0;
    if (!strcmp(mode, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
        for (;;) sleep(60);
    }
    if (!strcmp(mode, "crash")) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would answer it */
        raise(SIGSEGV);
    }
    if (!strcmp(mode, "fail")) {
        for (int i = 0; i < 2000; i++) fprintf(stderr, "line %d\n", i);
        fputs("the last words\n", stderr);
        return 3;
    }
    if (!strcmp(mode, "greedy"))
        for (char *p;;) {
            if (!(p = malloc(MIB))) {
                fputs("out of memory\n", stderr);
                return 5;
            }
            memset(p, 1, MIB);
        }
    if (!strcmp(mode, "garbage")) return write(fd, "garbage\n", 8) == 8 ? 0 : 1;
    if (!strcmp(mode, "bad-crc")) return write(fd, "frame 2 00000000\n{}", 19) == 19 ? 0 : 1;
    if (!strcmp(mode, "two-frames")) return bench_tell_frame(fd, "{}") && bench_tell_frame(fd, "{}") ? 0 : 1;
    if (!strcmp(mode, "environment")) return bench_tell_frame(fd, getenv("BENCH_WORD")) ? 0 : 1;
    return 0; /* "silent" */
}

/* ---- the tests */

static vel_ctx *new_ctx(void) {
    vel_ctx *ctx = calloc(1, sizeof *ctx);
    ctx->scratch = vel_arena_new();
    ctx->threads = 1;
    return ctx;
}

static void free_ctx(vel_ctx *ctx) {
    vel_arena_free(ctx->scratch);
    free(ctx);
}

static bench_child run_with(vel_ctx *ctx, const char *mode, bench_job job) {
    const char *const argv[] = {"/proc/self/exe", "--child", mode, NULL};
    bench_child c;
    job.argv = argv;
    if (job.limit_s <= 0) job.limit_s = 60;
    if (job.threads == 0) job.threads = 1;
    assert_int_equal(bench_child_run(ctx, &job, &c), VEL_OK);
    return c;
}

static void the_peak_of_a_known_allocation_is_right_to_2_mib(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "known", (bench_job){0});
    assert_int_equal(c.outcome, BENCH_OK);
    assert_true(c.timed && c.sample.exact);
    assert_true(llabs(c.sample.peak_added_kb - KNOWN_MIB * 1024) <= 2048);
    assert_true(c.sample.peak_rss_kb - c.sample.rss_before_kb == c.sample.peak_added_kb);
    assert_true(c.sample.sampled_added_kb <= c.sample.peak_added_kb + 2048);
    assert_true(c.sample.minflt >= KNOWN_MIB * 256 / 2);
    free_ctx(ctx);
    (void)state;
}

static void wall_and_cpu_are_those_of_the_timed_part(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "busy", (bench_job){0});
    assert_int_equal(c.outcome, BENCH_OK);
    assert_true(c.sample.wall_ns >= 120000000);
    assert_true(c.sample.cpu_ns > 0 && c.sample.cpu_ns <= c.sample.wall_ns + 20000000);
    assert_true(c.sample.peak_added_kb <= 2048);
    assert_string_equal(c.frame, "{\"versions\": {}}");
    free_ctx(ctx);
    (void)state;
}

static void the_memory_and_cpu_of_helpers_count(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "helped", (bench_job){.threads = 2});
    assert_int_equal(c.outcome, BENCH_OK);
    assert_int_equal(c.sample.helpers, 1);
    /* the helper's own mark, and the pages that it shares with its parent */
    assert_in_range(c.sample.peak_added_kb, KNOWN_MIB * 1024, (KNOWN_MIB + 32) * 1024);
    assert_true(c.sample.cpu_ns >= 400000000);
    free_ctx(ctx);
    (void)state;
}

static void a_job_without_a_timed_part_is_fine(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "untimed", (bench_job){0});
    assert_int_equal(c.outcome, BENCH_OK);
    assert_false(c.timed);
    assert_string_equal(c.frame, "{}");
    free_ctx(ctx);
    (void)state;
}

static void a_late_child_is_a_timeout(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "sleep", (bench_job){.limit_s = 0.2});
    assert_int_equal(c.outcome, BENCH_TIMEOUT);
    assert_true(c.took_s < 2);
    free_ctx(ctx);
    (void)state;
}

static void one_that_ignores_sigterm_is_killed_two_seconds_later(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "stubborn", (bench_job){.limit_s = 0.2});
    assert_int_equal(c.outcome, BENCH_TIMEOUT);
    assert_int_equal(c.code, SIGKILL);
    assert_true(c.took_s > 2 && c.took_s < 5);
    free_ctx(ctx);
    (void)state;
}

static void a_crash_names_its_signal(void **state) {
    vel_ctx *ctx = new_ctx();
    const char *story;
    bench_child c = run_with(ctx, "crash", (bench_job){0});
    assert_int_equal(c.outcome, BENCH_SIGNAL);
    assert_int_equal(c.code, SIGSEGV);
    assert_int_equal(bench_child_story(ctx, &c, &story), VEL_OK);
    assert_non_null(strstr(story, "signal 11"));
    free_ctx(ctx);
    (void)state;
}

static void a_failure_keeps_its_status_and_last_words(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "fail", (bench_job){0});
    assert_int_equal(c.outcome, BENCH_EXIT);
    assert_int_equal(c.code, 3);
    const size_t n = strlen(c.words);
    assert_true(n > 3000 && n < BENCH_WORDS);
    assert_string_equal(c.words + n - 15, "the last words\n");
    free_ctx(ctx);
    (void)state;
}

static void more_memory_than_the_limit_is_oom(void **state) {
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "greedy", (bench_job){.memory = 64 * (int64_t)MIB});
    assert_int_equal(c.outcome, BENCH_OOM);
    free_ctx(ctx);
    (void)state;
}

static void more_memory_than_the_limit_is_oom_without_control_groups(void **state) {
#ifdef __SANITIZE_ADDRESS__
    skip(); /* its shadow memory alone is over the limit */
#endif
    vel_ctx *ctx = new_ctx();
    bench_child c = run_with(ctx, "greedy", (bench_job){.memory = 64 * (int64_t)MIB, .without_groups = true});
    assert_int_equal(c.limit, BENCH_RLIMIT);
    assert_int_equal(c.outcome, BENCH_OOM);
    free_ctx(ctx);
    (void)state;
}

static void a_result_is_one_good_frame_or_none(void **state) {
    vel_ctx *ctx = new_ctx();
    assert_int_equal(run_with(ctx, "silent", (bench_job){0}).outcome, BENCH_NO_FRAME);
    assert_int_equal(run_with(ctx, "garbage", (bench_job){0}).outcome, BENCH_BAD_FRAME);
    assert_int_equal(run_with(ctx, "bad-crc", (bench_job){0}).outcome, BENCH_BAD_FRAME);
    assert_int_equal(run_with(ctx, "two-frames", (bench_job){0}).outcome, BENCH_BAD_FRAME);
    free_ctx(ctx);
    (void)state;
}

static void the_environment_of_a_job_beats_the_runners(void **state) {
    vel_ctx *ctx = new_ctx();
    const char *const env[] = {"BENCH_WORD=inner", NULL};
    setenv("BENCH_WORD", "outer", 1);
    assert_string_equal(run_with(ctx, "environment", (bench_job){.env = env}).frame, "inner");
    assert_string_equal(run_with(ctx, "environment", (bench_job){0}).frame, "outer");
    free_ctx(ctx);
    (void)state;
}

static void a_program_that_is_not_there_is_a_failure_that_says_so(void **state) {
    vel_ctx *ctx = new_ctx();
    const char *const argv[] = {"/nowhere/program", NULL};
    bench_child c;
    assert_int_equal(bench_child_run(ctx, &(bench_job){.argv = argv, .limit_s = 5, .threads = 1}, &c), VEL_OK);
    assert_int_equal(c.outcome, BENCH_EXIT);
    assert_non_null(strstr(c.words, "No such file"));
    free_ctx(ctx);
    (void)state;
}

static volatile sig_atomic_t stop;
static void on_alarm(int signal_number) { stop = signal_number == SIGALRM ? SIGINT : stop; }

static void a_stopped_run_takes_its_child_along(void **state) {
    vel_ctx *ctx = new_ctx();
    const char *const argv[] = {"/proc/self/exe", "--child", "sleep", NULL};
    bench_child c;
    ctx->cancel = &stop;
    signal(SIGALRM, on_alarm);
    alarm(1);
    assert_int_equal(bench_child_run(ctx, &(bench_job){.argv = argv, .limit_s = 30, .threads = 1}, &c), VEL_EINTR);
    assert_true(c.took_s < 4);
    stop = 0;
    free_ctx(ctx);
    (void)state;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--child")) return child(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_peak_of_a_known_allocation_is_right_to_2_mib),
        cmocka_unit_test(wall_and_cpu_are_those_of_the_timed_part),
        cmocka_unit_test(the_memory_and_cpu_of_helpers_count),
        cmocka_unit_test(a_job_without_a_timed_part_is_fine),
        cmocka_unit_test(a_late_child_is_a_timeout),
        cmocka_unit_test(one_that_ignores_sigterm_is_killed_two_seconds_later),
        cmocka_unit_test(a_crash_names_its_signal),
        cmocka_unit_test(a_failure_keeps_its_status_and_last_words),
        cmocka_unit_test(more_memory_than_the_limit_is_oom),
        cmocka_unit_test(more_memory_than_the_limit_is_oom_without_control_groups),
        cmocka_unit_test(a_result_is_one_good_frame_or_none),
        cmocka_unit_test(the_environment_of_a_job_beats_the_runners),
        cmocka_unit_test(a_program_that_is_not_there_is_a_failure_that_says_so),
        cmocka_unit_test(a_stopped_run_takes_its_child_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
