#include "bench/proc.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/made.h"

static void the_mark_follows_a_touch_and_falls_on_a_reset(void **state) {
    const size_t n = 48 << 20;
    const int64_t before = bench_proc_rss_kb(getpid());
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED);
    memset(p, 1, n);
    munmap(p, n);
    /* the kernel counts pages in batches: to 2 MiB */
    assert_true(bench_proc_peak_kb(getpid()) >= before + 46 * 1024);
    if (!bench_proc_reset_peak(getpid())) skip();
    assert_true(bench_proc_peak_kb(getpid()) <= bench_proc_rss_kb(getpid()) + 2048);
    (void)state;
}

static void a_process_and_those_below_it_are_found(void **state) {
    pid_t found[16];
    bench_proc_stat stat;
    const pid_t child = fork();
    if (child == 0) {
        for (;;) pause();
    }
    const int n = bench_proc_below(getpid(), found, 16);
    bool there = false;
    for (int i = 0; i < n; i++) there = there || found[i] == child;
    assert_true(bench_proc_stat_of(child, &stat));
    assert_int_equal(stat.parent, getpid());
    assert_true(bench_proc_cpu_ns(child) >= 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(there);
    assert_false(bench_proc_stat_of(child, &stat));
    assert_int_equal(bench_proc_rss_kb(child), 0);
    (void)state;
}

static void voluntary_switches_are_counted(void **state) {
    int64_t before, after, involuntary;
    bench_proc_switches(getpid(), &before, &involuntary);
    for (int i = 0; i < 5; i++) usleep(1000);
    bench_proc_switches(getpid(), &after, &involuntary);
    assert_true(after >= before + 5);
    (void)state;
}

static void a_file_longer_than_the_buffer_is_cut(void **state) {
    char text[8];
    assert_true(bench_read_text("/proc/self/status", text, sizeof text));
    assert_int_equal(strlen(text), 7);
    assert_false(bench_read_text("/nowhere", text, sizeof text));
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mark_follows_a_touch_and_falls_on_a_reset),
        cmocka_unit_test(a_process_and_those_below_it_are_found),
        cmocka_unit_test(voluntary_switches_are_counted),
        cmocka_unit_test(a_file_longer_than_the_buffer_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
