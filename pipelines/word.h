/* word.h - a word of a recipe or of a command line as a value.
 *
 *     none, None, null        nothing
 *     true, True, false, …    bool
 *     30   -2   1e-3   inf    number; its text is kept as written
 *     [5, 95]                 JSON array
 *     "two words"             JSON string
 *     'two words'             the same without the quotes
 *     anything else           text
 */
#ifndef VEL_PIPELINES_WORD_H
#define VEL_PIPELINES_WORD_H

#include "core/ctx.h"
#include "core/value.h"

/* Everything that the value points to is copied into the arena. VEL_EUSAGE, with the name of the option, if JSON is
 * malformed. */
vel_err vel_word_value(vel_ctx *ctx, vel_arena *arena, const char *option, const char *word,
                       vel_value *value) VEL_CHECKED;

#endif
