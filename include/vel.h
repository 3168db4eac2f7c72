/* vel.h - libvel: RNA velocity on annotated data matrices.
 *
 *     vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 4};
 *     vel_adata *ad = NULL;
 *     vel_err e = vel_h5ad_open(&ctx, "counts.h5ad", &ad);
 *     if (!e) e = vel_run_recipe(&ctx, "preprocess | velocity | velocity_graph", &ad);
 *     if (!e) e = vel_h5ad_write(&ctx, ad, "velocity.h5ad");
 *     if (e) fprintf(stderr, "%s\n", ctx.message);
 *     vel_adata_free(ad);
 *     vel_arena_free(ctx.scratch);
 *
 * Errors      Every function that can fail returns a vel_err; ctx.message names the field or file, what was expected and
 *             what was found. Set message[0] = 0 before going on after a failure.
 * Memory      The handle owns every array in it: what vel_get gives is borrowed. The library exits, prints and catches
 *             nothing; ctx.sink hears what it has to say.
 * Threads     ctx.threads workers inside a call. A context and a handle belong to one thread at a time.
 * Data        A handle comes from a file (vel_h5ad_open), is filled by hand (vel_adata_new, vel_put_dense, …), or reads
 *             from a vel_store of your own.
 * Bits        The same for any number of threads, and in a process that flushes subnormal numbers (-ffast-math). For
 *             PCA to give the same bits on every machine too, start the process with OPENBLAS_CORETYPE=Haswell and
 *             OPENBLAS_NUM_THREADS=1, as the program `vel` does.
 *
 * Files need libvel-io (and HDF5); all else is in libvel. */
#ifndef VEL_H
#define VEL_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/adata.h"        /* handles, fields, stores */
#include "core/ctx.h"          /* contexts, the sink, cancelling */
#include "core/err.h"          /* errors and their words */
#include "core/par.h"          /* vel_cores */
#include "io/h5ad.h"           /* .h5ad files (libvel-io) */
#include "pipelines/named.h"   /* the named recipes */
#include "pipelines/run.h"     /* vel_run_recipe */
#include "pipelines/step.h"    /* the steps, with their options, reads and writes */

#ifdef __cplusplus
}
#endif

#endif
