/* alloc.h - allocations that fail on request. The program is linked with --wrap for each of these functions (see
 * contracts.cmake). */
#ifndef VEL_TESTS_PIPELINES_ALLOC_H
#define VEL_TESTS_PIPELINES_ALLOC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_long alloc_live;    /* blocks not yet given back */
static atomic_long alloc_count;   /* allocations since alloc_arm */
static atomic_long alloc_failing; /* which of them fails, 1 the first; 0: none */

/* The k-th allocation from now on fails, once; 0: none. */
static inline void alloc_arm(long k) {
    alloc_count = 0;
    alloc_failing = k;
}

static inline bool alloc_refused(void) { return atomic_fetch_add(&alloc_count, 1) + 1 == alloc_failing; }

static inline void *alloc_note(void *p) {
    if (p) atomic_fetch_add(&alloc_live, 1);
    return p;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
char *__wrap_strdup(const char *s);
void __wrap_free(void *p);

void *__wrap_malloc(size_t n) { return alloc_refused() ? NULL : alloc_note(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t size) { return alloc_refused() ? NULL : alloc_note(__real_calloc(n, size)); }
void *__wrap_aligned_alloc(size_t align, size_t n) {
    return alloc_refused() ? NULL : alloc_note(__real_aligned_alloc(align, n));
}
void *__wrap_realloc(void *p, size_t n) {
    if (alloc_refused()) return NULL;
    void *q = __real_realloc(p, n);
    if (!p && q) atomic_fetch_add(&alloc_live, 1);
    return q;
}
char *__wrap_strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = __wrap_malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}
void __wrap_free(void *p) {
    if (p) atomic_fetch_sub(&alloc_live, 1);
    __real_free(p);
}

#endif
