/* arena.h - scratch memory: taken piece by piece, given back all at once.
 *
 * Nothing from an arena is freed by hand, so an early return is always safe. An arena belongs to one thread. */
#ifndef VEL_CORE_ARENA_H
#define VEL_CORE_ARENA_H

#include <stddef.h>

typedef struct vel_arena vel_arena;

vel_arena *vel_arena_new(void);    /* NULL: out of memory */
void vel_arena_free(vel_arena *a); /* NULL is fine */

/* count elements of size bytes, 64-byte aligned, not zeroed. NULL: out of memory, or count * size overflows.
 * A count of 0 gives a pointer that may not be read. */
void *vel_arena_alloc(vel_arena *a, size_t count, size_t size);
void *vel_arena_zalloc(vel_arena *a, size_t count, size_t size); /* zeroed */
/* The same for a stack, which grows downwards: as many bytes before it cannot be touched, so that running out of it
 * ends the program, and spoils nothing. Bytes > 0. */
void *vel_arena_stack(vel_arena *a, size_t bytes);
char *vel_arena_strdup(vel_arena *a, const char *s); /* one after the other, not aligned */

/* The arena of a helper of this one's thread, such as worker i of a loop: made when it is first asked for, freed with
 * this one. NULL: out of memory. */
vel_arena *vel_arena_helper(vel_arena *a, int i);

/* Everything taken after the mark is given back (its memory is kept for the next piece). */
typedef struct {
    void *block;
    size_t used;
} vel_mark;
vel_mark vel_arena_mark(const vel_arena *a);
void vel_arena_release(vel_arena *a, vel_mark mark);

/* What releases have kept and helpers have goes back to the system, pages beyond what is in use too: where large pieces
 * are done with and something else grows. */
void vel_arena_trim(vel_arena *a);

/* Gives the memory of all but the first block back to the system. Everything taken is gone. */
void vel_arena_reset(vel_arena *a);

#endif
