/* match.h - which cell or gene of the result is which of the reference. */
#ifndef VEL_VERIFY_MATCH_H
#define VEL_VERIFY_MATCH_H

#include "core/adata.h"

typedef struct {
    int64_t n;
    const int64_t *to;   /* index in the result of each of the reference's n; NULL: the same */
    const int64_t *from; /* the other way round; NULL: the same */
    char **names;        /* the reference's; borrowed from its handle */
    bool differ;         /* the sets differ: nothing can be compared */
    char why[160];       /* in words, if they do */
} vel_match;

/* Matches names[n] with others[m]: by name if both are unique, else by position. Memory from ctx->scratch.
 * O(n log n). */
vel_err vel_match_names(vel_ctx *ctx, char **names, int64_t n, char **others, int64_t m, vel_match *match) VEL_CHECKED;

#endif
