#include "io/h5_flat.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/par.h"
#include "io/h5.h"
#include "io/h5_room.h"

bool vel_h5_flat_made(hid_t dataset, vel_type type, const char *name, vel_h5_flat *flat) {
    H5_OWNED hid_t list = H5Dget_create_plist(dataset), of = H5Dget_type(dataset), space = H5Dget_space(dataset);
    *flat = (vel_h5_flat){.size = vel_type_size(type), .name = name};
    if (!type || type == VEL_BOOL || H5Tequal(of, vel_h5_native(type)) <= 0) return false;
    if (H5Pget_layout(list) != H5D_CONTIGUOUS || H5Pget_external_count(list) != 0) return false;
    haddr_t offset = H5Dget_offset(dataset);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    H5_OWNED hid_t file = H5Iget_file_id(dataset);
    flat->fd = vel_h5_descriptor(file);
    if (offset == HADDR_UNDEF || n < 1 || flat->fd < 0) return false;
    flat->offset = (int64_t)offset;
    flat->n = n;
    return true;
}

bool vel_h5_flat_of(hid_t dataset, vel_type type, const char *name, vel_h5_flat *flat) {
    struct stat st;
    int64_t end;
    if (!vel_h5_flat_made(dataset, type, name, flat) || fstat(flat->fd, &st) != 0) return false;
    return !__builtin_mul_overflow(flat->n, (int64_t)flat->size, &end) &&
           !__builtin_add_overflow(end, flat->offset, &end) && end <= st.st_size;
}

/* No more at once: of larger pieces Linux reads less ahead from a cold disk. */
enum { READ_BYTES = 1 << 18 };

vel_err vel_h5_flat_read(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n, void *to) {
    char *next = to;
    size_t left = (size_t)n * flat->size;
    off_t at = (off_t)(flat->offset + first * (int64_t)flat->size);
    while (left) {
        ssize_t got = pread(flat->fd, next, left < READ_BYTES ? left : READ_BYTES, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return vel_fail(ctx, VEL_EREAD, "%s cannot be read (%s)", flat->name,
                            got ? strerror(errno) : "the file has become shorter");
        next += got;
        at += got;
        left -= (size_t)got;
    }
    return VEL_OK;
}

static vel_err cannot_write(vel_ctx *ctx, const vel_h5_flat *flat, int failure) {
    return vel_fail(ctx, VEL_EWRITE, "%s cannot be written (%s)", flat->name, strerror(failure));
}

vel_err vel_h5_flat_reserve(vel_ctx *ctx, const vel_h5_flat *flat) {
    int failure = vel_h5_reserve(flat->fd, (off_t)flat->offset, (off_t)(flat->n * (int64_t)flat->size));
    return failure ? cannot_write(ctx, flat, failure) : VEL_OK;
}

/* What has been filled up to a block's end. */
static void send_blocks_off(int fd, off_t from, off_t to) {
    enum { BLOCK = 8 << 20 };
    const off_t first = from / BLOCK * BLOCK, end = to / BLOCK * BLOCK;
    if (end > first) vel_h5_send_off(fd, first, end - first);
}

vel_err vel_h5_flat_write(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n, const void *from) {
    const char *next = from;
    size_t left = (size_t)n * flat->size;
    off_t at = (off_t)(flat->offset + first * (int64_t)flat->size);
    while (left) {
        ssize_t done = pwrite(flat->fd, next, left, at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return cannot_write(ctx, flat, errno);
        next += done;
        at += done;
        left -= (size_t)done;
    }
    send_blocks_off(flat->fd, at - (off_t)((size_t)n * flat->size), at);
    return VEL_OK;
}

typedef struct {
    const vel_h5_flat *flat;
    int64_t first, n, piece;
    char *to;
} wide;

static vel_err read_piece(vel_ctx *ctx, int64_t i, void *arg) {
    const wide *w = arg;
    int64_t from = i * w->piece, n = w->n - from < w->piece ? w->n - from : w->piece;
    return vel_h5_flat_read(ctx, w->flat, w->first + from, n, w->to + (size_t)from * w->flat->size);
}

vel_err vel_h5_flat_read_wide(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n, void *to) {
    enum { PIECE_BYTES = 1 << 19 };
    wide w = {flat, first, n, PIECE_BYTES / (int64_t)flat->size, to};
    return vel_for(ctx, NULL, (n + w.piece - 1) / w.piece, read_piece, &w);
}
