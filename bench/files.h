/* files.h - files that are there whole or not at all. */
#ifndef VEL_BENCH_FILES_H
#define VEL_BENCH_FILES_H

#include "core/ctx.h"

/* Makes the folder and those above it. VEL_EWRITE names it. */
vel_err bench_make_folder(vel_ctx *ctx, const char *path) VEL_CHECKED;

/* Writes PATH.tmp.PID beside the file, syncs, renames, syncs the folder. On failure the file is as it was, and the
 * message names it (VEL_EWRITE). */
vel_err bench_write_whole(vel_ctx *ctx, const char *path, const char *text, size_t n) VEL_CHECKED;

/* Opens it for reading. VEL_EREAD names it. */
vel_err bench_open(vel_ctx *ctx, const char *path, int *fd) VEL_CHECKED;

/* The whole file in the arena, ended by '\0'; *text NULL if it is not there. VEL_EREAD names one that cannot be read.
 */
vel_err bench_read_whole(vel_ctx *ctx, vel_arena *arena, const char *path, const char **text, size_t *n) VEL_CHECKED;

/* Whether two files hold the same bytes. VEL_EREAD names one that cannot be read. */
vel_err bench_same_bytes(vel_ctx *ctx, const char *a, const char *b, bool *same) VEL_CHECKED;

/* Removes a folder and the files in it; folders in it stay. Nothing is said. */
void bench_remove_folder(const char *path);

#endif
