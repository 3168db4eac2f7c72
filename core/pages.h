/* pages.h - large arrays on large pages.
 *
 * The first touch of an array costs a page fault every 4 KiB, and a random read of one that the TLB does not reach a
 * walk through page tables, twice as long in a virtual machine. Pages of 2 MiB make both rare. */
#ifndef VEL_CORE_PAGES_H
#define VEL_CORE_PAGES_H

#include <stddef.h>

/* Asks the system for large pages, if the array is large enough to be worth it; a hint, which cannot fail. To be called
 * before the array is touched. */
void vel_pages_large(void *array, size_t bytes);

#endif
