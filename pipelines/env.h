/* env.h - the environment that equal bits on every machine need, and the one re-exec that brings it about.
 *
 *     OPENBLAS_CORETYPE=Haswell   OpenBLAS' bits follow its kernel set; only on a CPU with AVX2
 *     OPENBLAS_NUM_THREADS=1      and its number of threads
 *     OMP_WAIT_POLICY=PASSIVE     spinning threads collapse on a shared machine
 *
 * What the user has set stays. Beside that: large arrays go back to the system when they are freed, in any program that
 * is settled. */
#ifndef VEL_PIPELINES_ENV_H
#define VEL_PIPELINES_ENV_H

#include <stdbool.h>

/* Starts this program again with what is missing set; returns if nothing is missing or the system refuses. Call first
 * in main. */
void vel_env_settle(char **argv);

/* Whether OpenBLAS is held to the one kernel set. */
bool vel_env_holds_blas(void);

#endif
