#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/pages.h"

enum { ALIGN = 64, FIRST_BLOCK = 1 << 16 };

typedef struct block {
    struct block *next; /* the older one */
    size_t size, used;
    char *bytes;
    bool guarded; /* from vel_pages_guarded: all of it is one piece, and it is never kept */
} block;

struct vel_arena {
    block *top;
    block *spare; /* given back by a release, kept for the next piece that fits */
    vel_arena **helpers;
    int n_helpers;
};

static size_t rounded(size_t n, size_t align) { return (n + align - 1) / align * align; }

static block *block_new(size_t least) {
    size_t size = rounded(least, ALIGN);
    block *b = malloc(sizeof *b);
    if (!b) return NULL;
    b->bytes = aligned_alloc(ALIGN, size);
    if (!b->bytes) {
        free(b);
        return NULL;
    }
    *b = (block){.size = size, .bytes = b->bytes};
    return b;
}

static void block_free(block *b) {
    if (!b) return;
    if (b->guarded)
        vel_pages_unguard(b->bytes, b->size);
    else
        free(b->bytes);
    free(b);
}

vel_arena *vel_arena_new(void) {
    vel_arena *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->top = block_new(FIRST_BLOCK);
    if (!a->top) {
        free(a);
        return NULL;
    }
    return a;
}

static void pop(vel_arena *a) {
    block *b = a->top;
    a->top = b->next;
    if (b->guarded || (a->spare && a->spare->size >= b->size)) {
        block_free(b);
        return;
    }
    block_free(a->spare);
    b->used = 0;
    a->spare = b;
}

void vel_arena_free(vel_arena *a) {
    if (!a) return;
    while (a->top) {
        block *next = a->top->next;
        block_free(a->top);
        a->top = next;
    }
    vel_arena_trim(a);
    free(a);
}

/* Room for the pointer to helper i. */
static bool has_room(vel_arena *a, int i) {
    if (i < a->n_helpers) return true;
    vel_arena **more = realloc(a->helpers, (size_t)(i + 1) * sizeof *more);
    if (!more) return false;
    a->helpers = more;
    while (a->n_helpers <= i) more[a->n_helpers++] = NULL;
    return true;
}

vel_arena *vel_arena_helper(vel_arena *a, int i) {
    if (!has_room(a, i)) return NULL;
    if (!a->helpers[i]) a->helpers[i] = vel_arena_new();
    return a->helpers[i];
}

static block *fitting_block(vel_arena *a, size_t bytes) {
    if (a->spare && a->spare->size >= bytes) {
        block *b = a->spare;
        a->spare = NULL;
        return b;
    }
    size_t size = 2 * a->top->size;
    const size_t most = (size_t)1 << 26;
    if (size > most) size = most;
    return block_new(bytes > size ? bytes : size);
}

static void *take(vel_arena *a, size_t bytes, size_t align) {
    size_t at = rounded(a->top->used, align);
    if (at > a->top->size || a->top->size - at < bytes) {
        block *b = fitting_block(a, bytes);
        if (!b) return NULL;
        b->next = a->top;
        a->top = b;
        at = 0;
    }
    a->top->used = at + bytes;
    return a->top->bytes + at;
}

void *vel_arena_alloc(vel_arena *a, size_t count, size_t size) {
    if (size && count > (SIZE_MAX / 2) / size) return NULL;
    return take(a, count * size, ALIGN);
}

void *vel_arena_zalloc(vel_arena *a, size_t count, size_t size) {
    void *p = vel_arena_alloc(a, count, size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *vel_arena_stack(vel_arena *a, size_t bytes) {
    block *b = malloc(sizeof *b);
    if (!b) return NULL;
    *b = (block){a->top, bytes, bytes, vel_pages_guarded(bytes), true};
    if (!b->bytes) {
        free(b);
        return NULL;
    }
    a->top = b;
    return b->bytes;
}

char *vel_arena_strdup(vel_arena *a, const char *s) {
    size_t n = strlen(s) + 1;
    char *p = take(a, n, 1);
    return p ? memcpy(p, s, n) : NULL;
}

vel_mark vel_arena_mark(const vel_arena *a) { return (vel_mark){a->top, a->top->used}; }

void vel_arena_release(vel_arena *a, vel_mark mark) {
    while (a->top != mark.block) pop(a);
    a->top->used = mark.used;
}

void vel_arena_trim(vel_arena *a) {
    block *b = a->top;
    if (b) vel_pages_give_back(b->bytes + b->used, b->size - b->used);
    block_free(a->spare);
    a->spare = NULL;
    for (int i = 0; i < a->n_helpers; i++) vel_arena_free(a->helpers[i]);
    free(a->helpers);
    a->helpers = NULL;
    a->n_helpers = 0;
}

void vel_arena_reset(vel_arena *a) {
    while (a->top->next) pop(a);
    a->top->used = 0;
    vel_arena_trim(a);
}
