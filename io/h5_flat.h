/* h5_flat.h - datasets that lie in the file as they lie in memory, in one piece: read and written where they lie, by
 * any number of threads. HDF5 itself lets one thread work at a time. */
#ifndef VEL_IO_H5_FLAT_H
#define VEL_IO_H5_FLAT_H

#include <hdf5.h>

#include "core/ctx.h"
#include "core/mat.h"

typedef struct {
    int fd;
    int64_t offset, n; /* of the first byte in the file; elements */
    size_t size;       /* of an element */
    const char *name;  /* for messages */
} vel_h5_flat;

/* Whether a dataset can be read so: numbers of that type in our byte order, contiguous, written, inside an ordinary
 * file. If not, HDF5 reads it, or says what is wrong. name lives as long as *flat. */
bool vel_h5_flat_of(hid_t dataset, vel_type type, const char *name, vel_h5_flat *flat);

/* Elements first .. first + n - 1, copied to `to`. Safe on any thread. VEL_EREAD: the system's word, or that the file
 * ends too early. */
vel_err vel_h5_flat_read(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n, void *to) VEL_CHECKED;

/* The same by all threads. */
vel_err vel_h5_flat_read_wide(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n, void *to) VEL_CHECKED;

/* As vel_h5_flat_of, of a dataset that is being written: its place is known once HDF5 has written a part of it. That
 * must be VEL_H5_FIRST bytes or more: of less HDF5 keeps a copy with what lies around it, and writes that again. */
enum { VEL_H5_FIRST = 1 << 16 };
bool vel_h5_flat_made(hid_t dataset, vel_type type, const char *name, vel_h5_flat *flat);

/* Reserves its room on the disk, where that is possible: what has a place there already goes there at once.
 * VEL_EWRITE: there is not enough. */
vel_err vel_h5_flat_reserve(vel_ctx *ctx, const vel_h5_flat *flat) VEL_CHECKED;

/* Writes elements first .. first + n - 1, and has the system bring them to the disk meanwhile. Safe on any thread.
 * VEL_EWRITE: the system's word. */
vel_err vel_h5_flat_write(vel_ctx *ctx, const vel_h5_flat *flat, int64_t first, int64_t n,
                          const void *from) VEL_CHECKED;

#endif
