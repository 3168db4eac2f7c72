/* names.h - names of cells and genes that stand for more than one. */
#ifndef VEL_PIPELINES_NAMES_H
#define VEL_PIPELINES_NAMES_H

#include "core/adata.h"

/* Warns of names that several cells, or several genes, have: the steps go by place, results are one a row, but whoever
 * looks a result up by its name finds the first. Nothing is said of unique names. O(n), or O(n log n) where names are
 * shared; scratch: up to 40 bytes a name. Names that are read from the file for this are no part of uns/vel/input_hash
 * and go again. */
vel_err vel_say_repeated(vel_ctx *ctx, vel_adata *ad) VEL_CHECKED;

#endif
