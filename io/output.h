/* output.h - a file that appears whole or not at all: written beside its place, synced, renamed.
 *
 * A symbolic link stays one (its target is replaced); an existing file's mode is kept. */
#ifndef VEL_IO_OUTPUT_H
#define VEL_IO_OUTPUT_H

#include "core/ctx.h"

typedef struct {
    char *target;    /* where the file belongs, links followed */
    char *temporary; /* beside it; NULL once it is gone */
} vel_output;

/* Makes the empty temporary file. VEL_EWRITE names the file and the system's reason. */
vel_err vel_output_begin(vel_ctx *ctx, const char *file, vel_output *out) VEL_CHECKED;

/* Syncs the temporary file and puts it in its place. */
vel_err vel_output_commit(vel_ctx *ctx, vel_output *out) VEL_CHECKED;

/* Removes the temporary file if it is still there and gives the memory back. To be called in any case. */
void vel_output_end(vel_output *out);

#endif
