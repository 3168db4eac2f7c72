/* pages.h - large arrays on large pages.
 *
 * The first touch of an array costs a page fault every 4 KiB, and a random read of one that the TLB does not reach a
 * walk through page tables, twice as long in a virtual machine. Pages of 2 MiB make both rare. */
#ifndef VEL_CORE_PAGES_H
#define VEL_CORE_PAGES_H

#include <stddef.h>

enum { VEL_LARGE_PAGE = 2 << 20 };

/* Bytes of the system's own pages: 4,096 on x86-64, up to 65,536 elsewhere. */
size_t vel_page_size(void);

/* What to ask aligned_alloc for: whole large pages. What is beyond the array is not touched, and takes no memory. */
static inline size_t vel_pages_room(size_t bytes) {
    return (bytes + VEL_LARGE_PAGE - 1) / VEL_LARGE_PAGE * VEL_LARGE_PAGE;
}

/* Zeros an array that begins at a large page and was not touched since it was allocated, and asks the system for large
 * pages, as many as it fills, so that it takes no more memory than with small ones. On Linux new memory stays
 * untouched, and memory that was used before becomes new. */
void vel_pages_clear(void *array, size_t bytes);

/* Of an array that begins at a large page, and is room for more than will be used: small pages again, so that the last
 * one takes no more memory than is touched. Nothing for other arrays. */
void vel_pages_small(void *array, size_t bytes);

/* Large pages for those that end by `to`, from that of `from` on. Likewise. */
void vel_pages_large(void *array, size_t from, size_t to);

/* New memory, zeros, with as many bytes before it that nobody can touch: whoever runs out of a stack there is stopped
 * by the system. NULL: out of memory. Given back by vel_pages_unguard, of as many bytes. */
void *vel_pages_guarded(size_t bytes);
void vel_pages_unguard(void *array, size_t bytes);

/* Gives the whole pages of memory that is kept, but whose content is not, back to the system until they are touched
 * again. On Linux; elsewhere it does nothing. */
void vel_pages_give_back(void *array, size_t bytes);

#endif
