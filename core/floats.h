/* floats.h - arithmetic as the standard says, whatever the process has set: a library that was built with -ffast-math
 * makes the thread that loads it, and those that this one starts, flush subnormal numbers to zero.
 *
 *     VEL_PLAIN_FLOATS;  to the end of the scope: to nearest, subnormals kept, no traps; then as it was found
 *
 * Stands at the entries of vel_run and of vel_for's workers, and where a store is read; some hundred cycles. */
#ifndef VEL_CORE_FLOATS_H
#define VEL_CORE_FLOATS_H

#include <fenv.h>

static inline fenv_t vel_floats_set(void) {
    fenv_t found;
    fegetenv(&found);
    fesetenv(FE_DFL_ENV);
    return found;
}

static inline void vel_floats_restore(const fenv_t *found) { fesetenv(found); }

#define VEL_PLAIN_FLOATS \
    __attribute__((cleanup(vel_floats_restore), unused)) const fenv_t vel_floats_found = vel_floats_set()

#endif
