/* key.h - the field that a row of `reads` or `writes` means in a call: options filled into its braces, its condition
 * looked at. */
#ifndef VEL_PIPELINES_KEY_H
#define VEL_PIPELINES_KEY_H

#include "pipelines/step.h"

/* Whether the row counts: no condition, or its option is one of its words ("mode=stochastic|dynamical"); of several
 * conditions, with commas between them, all have to hold. */
bool vel_key_counts(const vel_key *key, const vel_opt *rows, const void *opts);

/* The path, "layers/{vkey}_u" filled in: "layers/velocity_u". NULL if an option in braces is none (the field is then
 * not one of this call). In the arena. */
vel_err vel_key_path(vel_ctx *ctx, vel_arena *arena, const vel_key *key, const vel_opt *rows, const void *opts,
                     const char **path) VEL_CHECKED;

/* Whether a field is the one a filled-in name means: itself, a member of it, or a match of its `*`. */
bool vel_key_covers(const char *name, const char *path);

/* Whether the braces and the condition of a row name options of the step: a law for tests. */
bool vel_key_is_sound(const vel_key *key, const vel_opt *rows);

#endif
