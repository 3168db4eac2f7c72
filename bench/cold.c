#include "bench/cold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/files.h"

enum { KEPT_PERCENT = 1 };

static vel_err cannot(vel_ctx *ctx, const char *path) {
    return vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(errno));
}

/* Pages of the file in memory, of how many; looked at without touching one. */
static vel_err count_pages(vel_ctx *ctx, int fd, const char *path, size_t *kept, size_t *all) {
    struct stat st;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *kept = *all = 0;
    if (fstat(fd, &st) != 0) return cannot(ctx, path);
    if (st.st_size <= 0) return VEL_OK;
    const size_t size = (size_t)st.st_size;
    unsigned char *in_memory;
    *all = (size + page - 1) / page;
    VEL_TRY(VEL_ALLOC(ctx, in_memory, *all));
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) return cannot(ctx, path);
    const bool known = mincore(map, size, in_memory) == 0;
    munmap(map, size);
    if (!known) return cannot(ctx, path);
    for (size_t i = 0; i < *all; i++) *kept += in_memory[i] & 1;
    return VEL_OK;
}

vel_err bench_cool(vel_ctx *ctx, const char *path, bool *cold) {
    int fd;
    size_t kept, all;
    VEL_TRY(bench_open(ctx, path, &fd));
    fsync(fd); /* what is not yet written stays */
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    const vel_err e = count_pages(ctx, fd, path, &kept, &all);
    close(fd);
    *cold = e == VEL_OK && kept * 100 <= all * KEPT_PERCENT;
    return e;
}
