#include "bench/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/format.h"

vel_err bench_make_folder(vel_ctx *ctx, const char *path) {
    char part[4096];
    const size_t n = strlen(path);
    if (n >= sizeof part) return vel_fail(ctx, VEL_EWRITE, "%s: too long a path", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return vel_fail(ctx, VEL_EWRITE, "%s: cannot be made: %s", part, strerror(errno));
    }
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) return vel_fail(ctx, VEL_EWRITE, "%s: not a folder", path);
    return VEL_OK;
}

vel_err bench_open(vel_ctx *ctx, const char *path, int *fd) {
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    return *fd >= 0 ? VEL_OK : vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(errno));
}

static bool write_all(int fd, const char *text, size_t n) {
    while (n) {
        const ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        text += done;
        n -= (size_t)done;
    }
    return fsync(fd) == 0;
}

static void sync_folder_of(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

vel_err bench_write_whole(vel_ctx *ctx, const char *path, const char *text, size_t n) {
    const char *temporary;
    VEL_TRY(bench_format(ctx, ctx->scratch, &temporary, "%s.tmp.%d", path, (int)getpid()));
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return vel_fail(ctx, VEL_EWRITE, "%s: cannot be written: %s", temporary, strerror(errno));
    const bool written = write_all(fd, text, n);
    const int why = errno;
    close(fd);
    if (written && rename(temporary, path) == 0) {
        sync_folder_of(path);
        return VEL_OK;
    }
    const int reason = written ? errno : why;
    unlink(temporary);
    return vel_fail(ctx, VEL_EWRITE, "%s: cannot be written: %s", path, strerror(reason));
}

vel_err bench_read_whole(vel_ctx *ctx, vel_arena *arena, const char *path, const char **text, size_t *n) {
    *text = NULL;
    *n = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? VEL_OK : vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(errno));
    struct stat st;
    const size_t size = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
    char *bytes = vel_arena_alloc(arena, size + 1, 1);
    ssize_t got = 1;
    while (bytes && *n < size && got != 0) {
        got = read(fd, bytes + *n, size - *n);
        if (got < 0 && errno != EINTR) break;
        if (got > 0) *n += (size_t)got;
    }
    const int why = errno;
    close(fd);
    if (!bytes) return vel_no_memory(ctx, size, 1);
    if (got < 0) return vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(why));
    bytes[*n] = '\0';
    *text = bytes;
    return VEL_OK;
}

/* A file, and what of it is looked at. */
typedef struct {
    const char *path;
    FILE *file;
    char piece[1 << 16];
    size_t n;
} stream;

static vel_err open_stream(vel_ctx *ctx, const char *path, stream **made) {
    VEL_TRY(VEL_ALLOC(ctx, *made, 1));
    (*made)->path = path;
    (*made)->file = fopen(path, "rb");
    return (*made)->file ? VEL_OK : vel_fail(ctx, VEL_EREAD, "%s: %s", path, strerror(errno));
}

static vel_err next_piece(vel_ctx *ctx, stream *s) {
    s->n = fread(s->piece, 1, sizeof s->piece, s->file);
    return ferror(s->file) ? vel_fail(ctx, VEL_EREAD, "%s: %s", s->path, strerror(errno)) : VEL_OK;
}

static vel_err compare_streams(vel_ctx *ctx, stream *a, stream *b, bool *same) {
    do {
        VEL_TRY(next_piece(ctx, a));
        VEL_TRY(next_piece(ctx, b));
        *same = a->n == b->n && memcmp(a->piece, b->piece, a->n) == 0;
    } while (*same && a->n == sizeof a->piece);
    return VEL_OK;
}

vel_err bench_same_bytes(vel_ctx *ctx, const char *a, const char *b, bool *same) {
    stream *x = NULL, *y = NULL;
    vel_err e = open_stream(ctx, a, &x);
    if (e == VEL_OK) e = open_stream(ctx, b, &y);
    if (e == VEL_OK) e = compare_streams(ctx, x, y, same);
    if (x && x->file) fclose(x->file);
    if (y && y->file) fclose(y->file);
    return e;
}

void bench_remove_folder(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir));) unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
    rmdir(path);
}
