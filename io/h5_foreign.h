/* h5_foreign.h - files that are taken for AnnData and are something else: what they are, and what to do. */
#ifndef VEL_IO_H5_FOREIGN_H
#define VEL_IO_H5_FOREIGN_H

#include <hdf5.h>

/* Of a file that is no HDF5, by its first bytes and its name: "; it is gzipped: …", to end a message with; "" if
 * nothing is known of such a file. */
const char *vel_foreign_file(const char *path);

/* The same of an HDF5 file without obs and var, by what is in it. */
const char *vel_foreign_hdf5(hid_t file);

#endif
