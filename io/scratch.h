/* scratch.h - a spill (core/spill.h) on disk: every array is a mapped file of its own, without a name, so that nothing
 * is left behind however the program ends. */
#ifndef VEL_IO_SCRATCH_H
#define VEL_IO_SCRATCH_H

#include "core/ctx.h"

typedef struct {
    char folder[4096];
    vel_spill spill; /* for ctx->spill; good while this struct is */
} vel_scratch;

/* Fields of at least `least` bytes will lie in files in the folder. Space is reserved on disk when an array is made, so
 * a full disk is an error of making it, not a crash later. VEL_EWRITE if the folder's name is too long. */
vel_err vel_scratch_open(vel_ctx *ctx, const char *folder, size_t least, vel_scratch *scratch) VEL_CHECKED;

#endif
