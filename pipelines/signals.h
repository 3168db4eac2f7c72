/* signals.h - Ctrl-C and SIGTERM ask to stop; a second one stops at once. */
#ifndef VEL_PIPELINES_SIGNALS_H
#define VEL_PIPELINES_SIGNALS_H

#include <signal.h>

/* Catches SIGINT, SIGTERM and SIGHUP from now on (one that is ignored stays ignored); SIGPIPE and SIGXFSZ become errors
 * of writing. Returns what vel_ctx.cancel is to point to: 0, or the signal that has come. */
const volatile sig_atomic_t *vel_signals_catch(void);

#endif
