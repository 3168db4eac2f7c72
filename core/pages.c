#include "core/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LEAST = 4 << 20, LARGE = 2 << 20 };

/* Only pages that lie in the array altogether, so that it does not grow. */
void vel_pages_large(void *array, size_t bytes) {
    if (bytes < LEAST) return;
    char *first = (char *)array + (LARGE - (uintptr_t)array % LARGE) % LARGE;
    size_t inside = (bytes - (size_t)(first - (char *)array)) / LARGE * LARGE;
    (void)madvise(first, inside, MADV_HUGEPAGE);
}
