#include "bench/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/files.h"
#include "bench/format.h"
#include "core/field.h"
#include "core/least.h"

enum { PIECE = 1 << 20 };

static double since(int64_t start) { return (double)(bench_now_ns() - start) / 1e9; }

static vel_err cannot_read(vel_ctx *ctx, const char *path) {
    return vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(errno));
}

static ssize_t read_some(int fd, char *to, size_t most) {
    ssize_t got;
    do got = read(fd, to, most);
    while (got < 0 && errno == EINTR);
    return got;
}

static ssize_t read_piece(int fd, char *piece) { return read_some(fd, piece, PIECE); }

vel_err bench_plain_read(vel_ctx *ctx, const char *path, double *seconds) {
    char *piece;
    ssize_t got = 1;
    int fd;
    VEL_TRY(VEL_ALLOC(ctx, piece, PIECE));
    VEL_TRY(bench_open(ctx, path, &fd));
    const int64_t start = bench_now_ns();
    while (got > 0) got = read_piece(fd, piece);
    *seconds = since(start);
    const vel_err e = got < 0 ? cannot_read(ctx, path) : VEL_OK;
    close(fd);
    return e;
}

/* Reads on until the file ends, or room for `size` bytes does. */
static vel_err load(vel_ctx *ctx, int fd, const char *path, int64_t size, double *seconds) {
    char *memory;
    ssize_t got = 1;
    const int64_t start = bench_now_ns();
    VEL_TRY(vel_own(ctx, size, 1, &memory));
    for (int64_t n = 0; n < size && got > 0; n += got)
        got = read_some(fd, memory + n, (size_t)vel_least(size - n, PIECE));
    *seconds = since(start);
    free(memory);
    return got < 0 ? cannot_read(ctx, path) : VEL_OK;
}

vel_err bench_plain_load(vel_ctx *ctx, const char *path, double *seconds) {
    struct stat st;
    int fd;
    VEL_TRY(bench_open(ctx, path, &fd));
    const vel_err e = fstat(fd, &st) == 0 ? load(ctx, fd, path, (int64_t)st.st_size, seconds) : cannot_read(ctx, path);
    close(fd);
    return e;
}

/* Its first megabyte, and how many bytes it has. */
static vel_err look(vel_ctx *ctx, const char *path, char *piece, int64_t *size) {
    struct stat st;
    int fd;
    VEL_TRY(bench_open(ctx, path, &fd));
    const bool good = fstat(fd, &st) == 0 && read_piece(fd, piece) >= 0;
    const vel_err e = good ? VEL_OK : cannot_read(ctx, path);
    close(fd);
    *size = good ? st.st_size : 0;
    return e;
}

static bool write_synced(int fd, const char *piece, int64_t size) {
    while (size > 0) {
        const ssize_t done = write(fd, piece, (size_t)vel_least(size, PIECE));
        if (done < 0 && errno != EINTR) return false;
        if (done > 0) size -= done;
    }
    return fsync(fd) == 0;
}

vel_err bench_plain_write(vel_ctx *ctx, const char *path, double *seconds) {
    char *piece;
    const char *beside;
    int64_t size;
    VEL_TRY(VEL_ALLOC(ctx, piece, PIECE));
    VEL_TRY(bench_format(ctx, ctx->scratch, &beside, "%s.plain", path));
    VEL_TRY(look(ctx, path, piece, &size));
    const int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return vel_fail(ctx, VEL_EWRITE, "%s: %s", beside, strerror(errno));
    const int64_t start = bench_now_ns();
    const bool written = write_synced(fd, piece, size);
    *seconds = since(start);
    const vel_err e = written ? VEL_OK : vel_fail(ctx, VEL_EWRITE, "%s: %s", beside, strerror(errno));
    close(fd);
    unlink(beside);
    return e;
}
