/* data.h - the data files of the vendor workflows: what they are called, where they come from, whether they are there.
 */
#ifndef VEL_BENCH_DATA_H
#define VEL_BENCH_DATA_H

#include <stdio.h>

#include "core/ctx.h"

/* Prints a paragraph a workflow, or with json one array. folder: where to look; NULL: nowhere. A file that is there is
 * opened, and its real shape said. */
vel_err bench_data_list(vel_ctx *ctx, FILE *out, const char *folder, bool json) VEL_CHECKED;

#endif
