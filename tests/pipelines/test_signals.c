#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
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

static void asks_twice(void) {
    vel_signals_catch();
    raise(SIGTERM);
    raise(SIGINT);
}

static void ignores(void) {
    signal(SIGINT, SIG_IGN);
    const volatile sig_atomic_t *asked = vel_signals_catch();
    raise(SIGINT);
    _exit(*asked ? 1 : 0);
}

static void the_first_signal_asks_to_stop(void **state) {
    (void)state;
    int status = end_of(asks_once);
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
        cmocka_unit_test(the_first_signal_asks_to_stop),
        cmocka_unit_test(the_second_stops_at_once),
        cmocka_unit_test(what_was_ignored_stays_ignored),
    };
    return cmocka_run_group_tests_name("pipelines/signals", tests, NULL, NULL);
}
