#include "core/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Gives whole pages back, which Linux promises to be zeros when they are touched again; nothing to do for new ones. */
static bool given_back(char *array, size_t bytes) {
#ifdef __linux__
    return madvise(array, bytes, MADV_DONTNEED) == 0;
#else
    (void)array, (void)bytes;
    return false;
#endif
}

size_t vel_page_size(void) {
    const long size = sysconf(_SC_PAGESIZE);
    return size > 0 ? (size_t)size : VEL_LARGE_PAGE;
}

static size_t whole_pages(size_t bytes) {
    const size_t page = vel_page_size();
    return (bytes + page - 1) / page * page;
}

void *vel_pages_guarded(size_t bytes) {
    const size_t half = whole_pages(bytes);
    char *base = mmap(NULL, 2 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return NULL;
    if (!mprotect(base + half, half, PROT_READ | PROT_WRITE)) return base + half;
    munmap(base, 2 * half);
    return NULL;
}

void vel_pages_unguard(void *array, size_t bytes) {
    const size_t half = whole_pages(bytes);
    if (array) munmap((char *)array - half, 2 * half);
}

void vel_pages_give_back(void *array, size_t bytes) {
    const size_t page = vel_page_size(), before = (page - (uintptr_t)array % page) % page;
    if (bytes >= before + page) (void)given_back((char *)array + before, (bytes - before) / page * page);
}

void vel_pages_clear(void *array, size_t bytes) {
    const size_t page = vel_page_size(), pages = bytes / page * page, large = bytes / VEL_LARGE_PAGE * VEL_LARGE_PAGE;
    const size_t clear = pages && given_back(array, pages) ? pages : 0;
#ifdef __linux__
    if (large) (void)madvise(array, large, MADV_HUGEPAGE); /* a hint */
#endif
    memset((char *)array + clear, 0, bytes - clear);
}

#ifdef __linux__
static void advise(void *array, size_t from, size_t to, int advice) {
    if ((uintptr_t)array % VEL_LARGE_PAGE || to <= from) return;
    (void)madvise((char *)array + from, to - from, advice); /* a hint */
}
#endif

void vel_pages_small(void *array, size_t bytes) {
#ifdef __linux__
    advise(array, 0, bytes / VEL_LARGE_PAGE * VEL_LARGE_PAGE, MADV_NOHUGEPAGE);
#else
    (void)array, (void)bytes;
#endif
}

void vel_pages_large(void *array, size_t from, size_t to) {
#ifdef __linux__
    advise(array, from / VEL_LARGE_PAGE * VEL_LARGE_PAGE, to / VEL_LARGE_PAGE * VEL_LARGE_PAGE, MADV_HUGEPAGE);
#else
    (void)array, (void)from, (void)to;
#endif
}
