/* h5_room.h - room on the disk for what H5Ocopy is about to write: HDF5 1.10 crashes when a write fails inside it. */
#ifndef VEL_IO_H5_ROOM_H
#define VEL_IO_H5_ROOM_H

#include <hdf5.h>

#include "core/ctx.h"

/* Reserves the bytes that a copy of the object takes, beyond the end of the file. VEL_EWRITE: the disk is full, or the
 * file would be larger than the process may make it. File systems that cannot reserve are taken at their word. */
vel_err vel_h5_make_room(vel_ctx *ctx, hid_t file, const char *name, hid_t object) VEL_CHECKED;

#endif
