#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipelines/signals.h"

/* Runs in a child: what its end was. */
static int end_of(void (*child)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        child();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void asks_once(void) {
    const volatile sig_atomic_t *asked = vel_signals_catch();
    if (*asked) _exit(1);
    raise(SIGTERM);
    _exit(*asked == SIGTERM ? 0 : 2);
}

/* As timeout does. */
static void asks_twice_at_once(void) {
    const volatile sig_atomic_t *asked = vel_signals_catch();
    raise(SIGTERM);
    raise(SIGTERM);
    raise(SIGINT);
    _exit(*asked == SIGTERM ? 0 : 2);
}

static void asks_twice(void) {
    vel_signals_catch();
    raise(SIGTERM);
    nanosleep(&(struct timespec){0, 600 * 1000 * 1000}, NULL);
    raise(SIGINT);
}

static void ignores(void) {
    signal(SIGINT, SIG_IGN);
    const volatile sig_atomic_t *asked = vel_signals_catch();
    raise(SIGINT);
    _exit(*asked ? 1 : 0);
}

static int words; /* where a fault's go */

static void faults(void) {
    dup2(words, STDERR_FILENO);
    signal(SIGBUS, SIG_DFL); /* of a sanitizer */
    vel_signals_catch();
    raise(SIGBUS);
}

static void a_fault_says_a_word_and_ends_the_program(void **state) {
    (void)state;
    char said[256] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    words = ends[1];
    int status = end_of(faults);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    assert_non_null(strstr(said, "damaged input"));
    close(ends[0]);
    close(ends[1]);
}

static void the_first_signal_asks_to_stop(void **state) {
    (void)state;
    int status = end_of(asks_once);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_same_sent_twice_asks_once(void **state) {
    (void)state;
    int status = end_of(asks_twice_at_once);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_second_stops_at_once(void **state) {
    (void)state;
    int status = end_of(asks_twice);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void what_was_ignored_stays_ignored(void **state) {
    (void)state;
    int status = end_of(ignores);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_signal_asks_to_stop),  cmocka_unit_test(the_same_sent_twice_asks_once),
        cmocka_unit_test(the_second_stops_at_once),       cmocka_unit_test(a_fault_says_a_word_and_ends_the_program),
        cmocka_unit_test(what_was_ignored_stays_ignored),
    };
    return cmocka_run_group_tests_name("pipelines/signals", tests, NULL, NULL);
}
