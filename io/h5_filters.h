/* h5_filters.h - compressions that HDF5 itself does not have, built in: zstd (32015) and lzf (32000, as h5py). */
#ifndef VEL_IO_H5_FILTERS_H
#define VEL_IO_H5_FILTERS_H

#include <hdf5.h>

#include "core/ctx.h"

enum { VEL_H5_LZF = 32000, VEL_H5_BLOSC = 32001, VEL_H5_ZSTD = 32015 };

/* Idempotent. */
void vel_h5_register_filters(void);

/* One chunk of lzf or zstd into exactly `size` bytes; false: damaged. Safe on any thread. */
bool vel_h5_decompress(int filter, const void *in, size_t n, void *out, size_t size);

/* Whether a dataset can be read at all. VEL_EFORMAT: it is compressed by a filter that is not there (which is named),
 * or it claims to be huge and holds nothing, so that reading it would never end, or to hold more than is stored.
 * VEL_EREAD: what a virtual one is made of is missing (h5_virtual.h), the length of a text is damaged (h5_lengths.h).
 */
vel_err vel_h5_check_readable(vel_ctx *ctx, hid_t dataset, const char *name) VEL_CHECKED;

#endif
