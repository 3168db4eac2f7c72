#include "io/h5_room.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "io/h5.h"

enum { HEADERS = 1 << 18 }; /* object headers, B-trees and attributes that go with the data */

int vel_h5_reserve(int fd, off_t from, off_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (rlim_t)(from + bytes) > limit.rlim_cur)
        return EFBIG;
    int failure;
    do failure = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, bytes) == 0 ? 0 : errno;
    while (failure == EINTR);
    return failure == EOPNOTSUPP || failure == ENOSYS || failure == EINVAL ? 0 : failure;
}

vel_err vel_h5_make_room(vel_ctx *ctx, hid_t file, const char *name, hid_t object) {
    int fd = vel_h5_descriptor(file);
    hsize_t data = H5Iget_type(object) == H5I_DATASET ? H5Dget_storage_size(object) : 0;
    struct stat st;
    if (fd < 0) return VEL_OK;
    int failure = fstat(fd, &st) == 0 ? vel_h5_reserve(fd, st.st_size, (off_t)data + HEADERS) : errno;
    return failure ? vel_fail(ctx, VEL_EWRITE, "%s cannot be written: %s", name, strerror(failure)) : VEL_OK;
}

void vel_h5_send_off(int fd, off_t from, off_t bytes) { (void)sync_file_range(fd, from, bytes, SYNC_FILE_RANGE_WRITE); }

void vel_h5_send_off_all(hid_t file) {
    int fd = vel_h5_descriptor(file);
    if (fd >= 0) vel_h5_send_off(fd, 0, 0);
}
