/* h5_lengths.h - lengths of strings and sequences of variable length, looked at before HDF5 believes them: for one that
 * is damaged it takes up to 4 GB. */
#ifndef VEL_IO_H5_LENGTHS_H
#define VEL_IO_H5_LENGTHS_H

#include <hdf5.h>

#include "core/ctx.h"

/* A dataset or an attribute. VEL_EREAD: a string or sequence of it does not fit into the file; both are named. Nothing
 * is read of the strings themselves, and of sequences of sequences only the outer ones are looked at. */
vel_err vel_h5_check_lengths(vel_ctx *ctx, hid_t object) VEL_CHECKED;

/* The same of every attribute of an object. */
vel_err vel_h5_check_attributes(vel_ctx *ctx, hid_t object) VEL_CHECKED;

#endif
