/* signals.h - Ctrl-C and SIGTERM ask to stop; a second one, half a second later or more, stops at once. A memory fault
 * says where it may come from. */
#ifndef VEL_PIPELINES_SIGNALS_H
#define VEL_PIPELINES_SIGNALS_H

#include <signal.h>

/* Catches SIGINT, SIGTERM and SIGHUP from now on (one that is ignored stays ignored); SIGPIPE and SIGXFSZ become errors
 * of writing; SIGSEGV and SIGBUS say a word and end the program as ever. Returns what vel_ctx.cancel is to point to: 0,
 * or the signal that has come. */
const volatile sig_atomic_t *vel_signals_catch(void);

#endif
