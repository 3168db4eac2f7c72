/* record.h - uns/vel: how a file came to be. No time stamps, no thread counts: same input and recipe, same bytes.
 *
 *     uns/vel/version         of the program
 *     uns/vel/recipe          canonical: every option of every step that was run, those put in included
 *     uns/vel/optional_reads  fields of the input that were read because they happened to be there
 *     uns/vel/input_hash      xxh3-64 of the input's fields that were read, in hexadecimal
 *     uns/vel/linear_algebra  only where the bits of PCA and eigenproblems depend on the machine: why
 *     uns/vel/history         the recipes of earlier runs on the way to this file, the oldest first
 */
#ifndef VEL_PIPELINES_RECORD_H
#define VEL_PIPELINES_RECORD_H

#include "pipelines/plan.h"

vel_err vel_record_write(vel_ctx *ctx, vel_adata *ad, const vel_plan *plan) VEL_CHECKED;

#endif
