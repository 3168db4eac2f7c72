/* rivals.h - `velbench rivals`: which rivals there are, and the virtual environment that they run in. */
#ifndef VEL_BENCH_RIVALS_H
#define VEL_BENCH_RIVALS_H

#include <stdio.h>

#include "core/ctx.h"

/* Prints each rival with its version or what it lacks; with json one array. */
vel_err bench_rivals_list(vel_ctx *ctx, FILE *out, bool json) VEL_CHECKED;

/* Makes the virtual environment with the pinned reference and rivals (the two lists of requirements), by pip; again at
 * little cost. python: the interpreter that makes it; NULL: the first that is there of python3.11, 3.12, 3.13, 3.10,
 * python3. The tools' own words go to this program's stdout and stderr. VEL_EREAD if a command fails. */
vel_err bench_rivals_setup(vel_ctx *ctx, FILE *out, const char *python) VEL_CHECKED;

#endif
