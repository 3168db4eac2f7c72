/* cold.h - files out of the page cache, so that reading them means reading the disk. */
#ifndef VEL_BENCH_COLD_H
#define VEL_BENCH_COLD_H

#include "core/ctx.h"

/* Writes the file back and lets the kernel forget its pages. *cold: false if it keeps more than a hundredth of them, as
 * a file system does that lives in memory. What the disk itself, or a machine around a virtual one, remembers is out of
 * reach. VEL_EREAD names the file. */
vel_err bench_cool(vel_ctx *ctx, const char *path, bool *cold) VEL_CHECKED;

#endif
