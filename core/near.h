/* near.h - the known name nearest to a mistyped one, for "did you mean". */
#ifndef VEL_CORE_NEAR_H
#define VEL_CORE_NEAR_H

#include <stdbool.h>

/* Whether two names are the same, '-' and '_' being alike. */
bool vel_same_name(const char *a, const char *b);

/* Edits that lead from a to b: insertions, deletions, substitutions and swaps of neighbours, '-' and '_' being alike.
 * Names longer than 63 count as cut there. */
int vel_edits(const char *a, const char *b);

/* Offer every candidate in turn; best is the nearest so far, NULL while none is near (at most a third of the name's
 * letters are edits, or one begins with the other). The first of equally near ones wins. */
typedef struct {
    const char *name, *best;
    int edits;
} vel_near;
void vel_near_offer(vel_near *near, const char *candidate);

#endif
