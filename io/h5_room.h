/* h5_room.h - room on the disk for what is about to be written, and its way there. File systems that cannot reserve it
 * are taken at their word. */
#ifndef VEL_IO_H5_ROOM_H
#define VEL_IO_H5_ROOM_H

#include <hdf5.h>
#include <sys/types.h>

#include "core/ctx.h"

/* Reserves bytes of a file, which does not become longer by that. 0, or errno's word: the disk is full, or the file
 * would be larger than the process may make it. */
int vel_h5_reserve(int fd, off_t from, off_t bytes);

/* Reserves what H5Ocopy of the object takes, beyond the end of the file: HDF5 1.10 crashes when a write fails inside
 * it. VEL_EWRITE. */
vel_err vel_h5_make_room(vel_ctx *ctx, hid_t file, const char *name, hid_t object) VEL_CHECKED;

/* What has been written of these bytes goes to the disk while we go on; else the disk would do nothing until the sync
 * at the end. 0 bytes: to the end of the file. A hint, as to what it says of errors: the sync says them too. */
void vel_h5_send_off(int fd, off_t from, off_t bytes);
/* The same of all of a file. */
void vel_h5_send_off_all(hid_t file);

#endif
