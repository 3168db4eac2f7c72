#include "io/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/pages.h"

enum { FETCHED_AT_ONCE = 1 << 17 }; /* Linux reads no more ahead than this, whatever it is asked for */

static int nameless_file(const char *folder) {
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    char name[4200]; /* a file system without O_TMPFILE */
    snprintf(name, sizeof name, "%s/.vel-scratch-XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) unlink(name);
    return fd;
}

/* A program that was stopped and goes on is told EINTR, and nothing is reserved. */
static bool reserved(int fd, size_t size) {
    int failure;
    do failure = posix_fallocate(fd, 0, (off_t)size);
    while (failure == EINTR);
    if (failure) errno = failure; /* it is returned, not set */
    return failure == 0;
}

static void *take(void *self, size_t bytes) {
    const vel_scratch *s = self;
    if (bytes > SIZE_MAX / 2) return NULL;
    const size_t page = vel_page_size(), size = page + (bytes + page - 1) / page * page;
    int fd = nameless_file(s->folder);
    if (fd < 0) return NULL;
    char *base = MAP_FAILED;
    if (reserved(fd, size)) base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const int why = errno;
    close(fd);
    errno = why;
    if (base == MAP_FAILED) return NULL;
    (void)madvise(base, size, MADV_RANDOM); /* else what is cached in large pieces is mapped so, to 2 MiB a touch */
    memcpy(base, &size, sizeof size);
    return base + page; /* the page before the array holds the size of the mapping */
}

static void give(void *self, void *array) {
    (void)self;
    char *base = (char *)array - vel_page_size();
    size_t size;
    memcpy(&size, base, sizeof size);
    munmap(base, size);
}

static void want(void *array, size_t from, size_t bytes) {
    const uintptr_t page = vel_page_size();
    uintptr_t at = ((uintptr_t)array + from) / page * page, end = (uintptr_t)array + from + bytes;
    for (; at < end; at += FETCHED_AT_ONCE)
        (void)madvise((void *)at, end - at < FETCHED_AT_ONCE ? end - at : FETCHED_AT_ONCE, MADV_WILLNEED);
}

/* The page that it begins in goes, that which it ends in stays: so that of pieces smaller than a page that rest one
 * after the other all pages go. The content is in the file: nothing is lost of what lies beside. */
static void rest(void *array, size_t from, size_t bytes) {
    const uintptr_t page = vel_page_size();
    uintptr_t first = ((uintptr_t)array + from) / page * page;
    uintptr_t end = ((uintptr_t)array + from + bytes) / page * page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}

vel_err vel_scratch_open(vel_ctx *ctx, const char *folder, size_t least, vel_scratch *scratch) {
    if (strlen(folder) >= sizeof scratch->folder)
        return vel_fail(ctx, VEL_EWRITE, "%s: the name is too long for a scratch folder", folder);
    strcpy(scratch->folder, folder);
    scratch->spill = (vel_spill){
        scratch, least > vel_page_size() ? least : vel_page_size(), take, give, want, rest, scratch->folder};
    return VEL_OK;
}
