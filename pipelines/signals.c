#include "pipelines/signals.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 500 * 1000 * 1000 }; /* ns */

/* A handler is given nothing but the signal: these are the variables of the program that have to be global. */
static volatile sig_atomic_t asked;
static int64_t asked_at;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 * 1000 * 1000 + t.tv_nsec;
}

/* A second signal ends the process, by its default action. One that comes at once is the first again: timeout sends its
 * own to the process and to the group that this is in, and a terminal's Ctrl-C comes beside that of a parent. */
static void ask(int signal_) {
    if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&asked_at, now(), __ATOMIC_RELAXED);
        __atomic_store_n(&asked, signal_, __ATOMIC_RELEASE);
    } else if (now() - __atomic_load_n(&asked_at, __ATOMIC_RELAXED) >= AT_ONCE) {
        signal(signal_, SIG_DFL);
        raise(signal_);
    }
}

static void catch_one(int signal_) {
    struct sigaction old, new = {.sa_handler = ask, .sa_flags = SA_RESTART};
    if (sigaction(signal_, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
    sigemptyset(&new.sa_mask);
    sigaction(signal_, &new, NULL);
}

/* Says what nobody could say any more, and lets the signal have its way. */
static void fault(int signal_) {
    static const char words[] =
        "vel: a memory fault: a damaged input can bring the HDF5 library to this, or a scratch file that was cut\n";
    ssize_t told = write(STDERR_FILENO, words, sizeof words - 1);
    (void)told;
    signal(signal_, SIG_DFL);
    raise(signal_);
}

/* A handler that is there already, as a sanitizer's, stays. */
static void catch_fault(int signal_) {
    struct sigaction old, new = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
    if (sigaction(signal_, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return;
    sigemptyset(&new.sa_mask);
    sigaction(signal_, &new, NULL);
}

const volatile sig_atomic_t *vel_signals_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
    static char stack[1 << 14]; /* a stack that is at its end can hold no handler */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    catch_fault(SIGSEGV);
    catch_fault(SIGBUS);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return &asked;
}
