/* names.h - names of cells and genes that stand for more than one. */
#ifndef VEL_PIPELINES_NAMES_H
#define VEL_PIPELINES_NAMES_H

#include "core/adata.h"

/* Warns of names that several cells, or several genes, have: the steps go by place, results are one a row, but whoever
 * looks a result up by its name finds the first. Nothing is said of unique names. O(n log n), scratch: n pointers. */
vel_err vel_say_repeated(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

#endif
