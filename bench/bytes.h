/* bytes.h - how many bytes the fields of a handle take. */
#ifndef VEL_BENCH_BYTES_H
#define VEL_BENCH_BYTES_H

#include "core/adata.h"

/* Of the arrays of one field; texts without their pointers. */
int64_t bench_field_bytes(const vel_field *f);

/* Of every field; one that was not read yet is read. */
vel_err bench_all_bytes(vel_ctx *ctx, vel_adata *ad, int64_t *bytes) VEL_CHECKED;

/* Of the fields that were made or changed since the file was opened. */
vel_err bench_changed_bytes(vel_ctx *ctx, vel_adata *ad, int64_t *bytes) VEL_CHECKED;

#endif
