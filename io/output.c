#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static vel_err failed(vel_ctx *ctx, const char *what, const char *file) {
    return vel_fail(ctx, VEL_EWRITE, "%s %s: %s", file, what, strerror(errno));
}

/* Where a chain of links ends, whether there is a file or not. */
static char *follow(const char *file) {
    char *at = strdup(file);
    for (int hops = 0; at && hops < 40; hops++) {
        char target[PATH_MAX];
        ssize_t n = readlink(at, target, sizeof target - 1);
        if (n < 0) return at;
        target[n] = 0;
        char *slash = strrchr(at, '/'), *next = NULL;
        if (target[0] == '/' || !slash)
            next = strdup(target);
        else if (asprintf(&next, "%.*s/%s", (int)(slash - at), at, target) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    return at;
}

static int directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

static vel_err make_temporary(vel_ctx *ctx, const char *file, vel_output *out) {
    struct stat old;
    bool replaces = stat(out->target, &old) == 0;
    if (!replaces && errno != ENOENT) return failed(ctx, "cannot be written", file); /* links in a circle, say */
    if (replaces && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        return failed(ctx, "is no regular file", file);
    }
    if (replaces && !(old.st_mode & 0222)) { /* root may write it all the same, but somebody protects it */
        errno = EACCES;
        return failed(ctx, "is write-protected", file);
    }
    if (replaces && access(out->target, W_OK) != 0) return failed(ctx, "cannot be written", file);
    for (int i = 0; i < 1000; i++) {
        char *name;
        if (asprintf(&name, "%.*s.vel-%ld-%d.tmp", directory_length(out->target), out->target, (long)getpid(), i) < 0)
            return vel_no_memory(ctx, strlen(out->target), 1);
        int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0) {
            out->temporary = name;
            bool good = !replaces || fchmod(fd, old.st_mode & 07777) == 0;
            if (close(fd) != 0) good = false;
            return good ? VEL_OK : failed(ctx, "cannot be created", name);
        }
        free(name);
        if (errno != EEXIST) break;
    }
    return failed(ctx, "cannot be written", file);
}

vel_err vel_output_begin(vel_ctx *ctx, const char *file, vel_output *out) {
    *out = (vel_output){.target = follow(file)};
    if (!out->target) return vel_no_memory(ctx, strlen(file) + 1, 1);
    return make_temporary(ctx, file, out);
}

static int sync_path(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0) return -1;
    int failure = fsync(fd);
    if (close(fd) != 0) failure = -1;
    return failure;
}

/* A file system that cannot sync a directory says EINVAL: the rename is as safe as it gets. */
static void sync_directory(const char *file) {
    char *directory = NULL;
    int n = directory_length(file);
    if (asprintf(&directory, "%.*s", n ? n : 1, n ? file : ".") < 0) return;
    sync_path(directory, O_RDONLY | O_DIRECTORY);
    free(directory);
}

/* Room that was reserved beyond the end goes back. */
static void trim(const char *path) {
    struct stat st;
    if (stat(path, &st) == 0 && truncate(path, st.st_size) != 0) errno = 0; /* the file is whole all the same */
}

vel_err vel_output_commit(vel_ctx *ctx, vel_output *out) {
    trim(out->temporary);
    if (sync_path(out->temporary, O_RDONLY) != 0) return failed(ctx, "cannot be written to the disk", out->target);
    if (rename(out->temporary, out->target) != 0) return failed(ctx, "cannot be put in its place", out->target);
    free(out->temporary);
    out->temporary = NULL;
    sync_directory(out->target);
    return VEL_OK;
}

void vel_output_end(vel_output *out) {
    if (out->temporary) unlink(out->temporary);
    free(out->temporary);
    free(out->target);
    *out = (vel_output){0};
}
