#include "pipelines/signals.h"

#include <stddef.h>

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

const volatile sig_atomic_t *vel_signals_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return &asked;
}
