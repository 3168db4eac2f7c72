#include "pipelines/signals.h"

#include <stddef.h>
#include <unistd.h>

/* A handler is given nothing but the signal: this is the one variable of the program that has to be global. */
static volatile sig_atomic_t asked;

/* A second signal finds its default action back in place, which ends the process. */
static void ask(int signal_) {
    __atomic_store_n(&asked, signal_, __ATOMIC_RELAXED);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
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
