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
    while (bytes && *n < size) {
        const ssize_t got = read(fd, bytes + *n, size - *n);
        if (got <= 0) break;
        *n += (size_t)got;
    }
    close(fd);
    if (!bytes) return vel_no_memory(ctx, size, 1);
    bytes[*n] = '\0';
    *text = bytes;
    return VEL_OK;
}

static bool same_streams(FILE *a, FILE *b) {
    char x[1 << 16], y[sizeof x];
    for (;;) {
        const size_t n = fread(x, 1, sizeof x, a), m = fread(y, 1, sizeof y, b);
        if (n != m || memcmp(x, y, n) != 0) return false;
        if (n < sizeof x) return true;
    }
}

vel_err bench_same_bytes(vel_ctx *ctx, const char *a, const char *b, bool *same) {
    FILE *x = fopen(a, "rb");
    if (!x) return vel_fail(ctx, VEL_EREAD, "%s: %s", a, strerror(errno));
    FILE *y = fopen(b, "rb");
    const int why = errno;
    *same = y && same_streams(x, y);
    fclose(x);
    if (!y) return vel_fail(ctx, VEL_EREAD, "%s: %s", b, strerror(why));
    fclose(y);
    return VEL_OK;
}

void bench_remove_folder(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir));) unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
    rmdir(path);
}
