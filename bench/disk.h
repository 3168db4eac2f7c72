/* disk.h - what the disk gives: the seconds that a whole file takes from its first byte to its last, 1 MB at a time.
 * VEL_EREAD and VEL_EWRITE name the file. */
#ifndef VEL_BENCH_DISK_H
#define VEL_BENCH_DISK_H

#include "core/ctx.h"

/* Reading it, each piece over the one before. */
vel_err bench_plain_read(vel_ctx *ctx, const char *path, double *seconds) VEL_CHECKED;

/* Reading it and keeping it: into new memory of the file's size, as a handle's arrays lie. What this takes longer is
 * the system finding and clearing pages, which every program pays that keeps what it reads. */
vel_err bench_plain_load(vel_ctx *ctx, const char *path, double *seconds) VEL_CHECKED;

/* Writing a new file of as many bytes beside it, and bringing it to the disk; it is removed again. Its bytes are the
 * first megabyte over and over. */
vel_err bench_plain_write(vel_ctx *ctx, const char *path, double *seconds) VEL_CHECKED;

#endif
