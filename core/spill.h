/* spill.h - memory for large arrays that need not stay in RAM: a scratch file, mapped.
 *
 * With a memory budget too small for a plan, layers live there. Kernels see plain pointers; the handle says which parts
 * it is done with for now, and those leave RAM. The bits of a result do not depend on it. Like vel_store a table of
 * functions: core knows no files, io/scratch.c is one such place. */
#ifndef VEL_CORE_SPILL_H
#define VEL_CORE_SPILL_H

#include <stddef.h>

typedef struct vel_spill {
    void *self;
    size_t least;                            /* bytes: fields this large and larger are spilled */
    void *(*take)(void *self, size_t bytes); /* zeroed, 64-byte aligned; NULL: no room, errno says why */
    void (*give)(void *self, void *array);   /* what take gave */
    void (*want)(void *array, size_t from,
                 size_t bytes); /* is gone through next: may be fetched; NULL: no need to say */
    void (*rest)(void *array, size_t from, size_t bytes); /* not needed for a while: may leave RAM */
    const char *folder;                                   /* where it lies, for messages; NULL: in none */
} vel_spill;

#endif
