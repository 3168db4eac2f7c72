/* h5_virtual.h - virtual datasets, whose elements lie in datasets of other files. */
#ifndef VEL_IO_H5_VIRTUAL_H
#define VEL_IO_H5_VIRTUAL_H

#include <hdf5.h>

#include "core/ctx.h"

/* VEL_EREAD names the first file or dataset that is missing: HDF5 would read zeros in its place. Sources of a numbered
 * series (%b) and those under HDF5_VDS_PREFIX are not looked for. name is the dataset's, for messages. */
vel_err vel_h5_check_sources(vel_ctx *ctx, hid_t dataset, const char *name) VEL_CHECKED;

#endif
