/* info.h - what is in a file, for people or as JSON: its shape, every field, what has been computed and with what. */
#ifndef VEL_IO_INFO_H
#define VEL_IO_INFO_H

#include <stdio.h>

#include "core/adata.h"

/* Reads only the small parameters under uns (uns/…_params, uns/neighbors/params, uns/recover_dynamics, uns/vel).
 *
 * JSON: {"file", "n_obs", "n_vars", "fields": [{"path", "kind", "dtype", "encoding", "shape", "stored"}],
 * "computed": {"neighbors/params": {"n_neighbors": 30, …}, …}}. VEL_EWRITE if `out` fails. */
vel_err vel_info(vel_ctx *ctx, vel_adata *ad, bool json, FILE *out) VEL_CHECKED;

#endif
