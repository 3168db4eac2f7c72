/* h5_chunks.h - compressed chunks, decompressed by several threads: HDF5 itself decompresses one after the other, under
 * one lock, and with zlib (240 MB/s a core; libdeflate 700). Copies of whole datasets leave them compressed. */
#ifndef VEL_IO_H5_CHUNKS_H
#define VEL_IO_H5_CHUNKS_H

#include <hdf5.h>

#include "core/ctx.h"
#include "core/mat.h"

enum { VEL_H5_MOST_FILTERS = 4 };

typedef struct {
    hid_t dataset;
    int ndim;                                    /* 1 or 2; one dimension: one column */
    int64_t dims[2], chunk[2];                   /* elements */
    vel_type type;                               /* of the elements in the file, in our byte order */
    int n_filters, filters[VEL_H5_MOST_FILTERS]; /* in the order of writing */
} vel_h5_chunks;

/* Whether a dataset can be read this way: numbers in our byte order, compressed by deflate, lzf or zstd, with or
 * without shuffling, nothing but zeros where nothing was written. If not, HDF5 reads it. */
bool vel_h5_chunks_of(hid_t dataset, vel_h5_chunks *c);

/* What is done with a chunk, on some thread: rows x cols of its elements lie in the dataset, the first at (row, col);
 * element (i, j) is elements[i * stride + j]. */
typedef struct {
    const void *elements;
    int64_t row, col, rows, cols, stride;
} vel_h5_chunk;
typedef void (*vel_h5_use)(const vel_h5_chunk *chunk, void *arg);

/* The chunks that hold anything of rows row .. row + rows - 1 and columns col .. col + cols - 1, each whole and once.
 * Elements come as `type`: that of the file, VEL_F32, VEL_F64, or VEL_I32 for integers (those beyond it: its limits).
 * Chunks that were never written are left out. VEL_EREAD: HDF5 cannot read one; VEL_EFORMAT: one is damaged. */
typedef struct {
    int64_t row, col, rows, cols;
} vel_h5_part;
vel_err vel_h5_chunks_each(vel_ctx *ctx, const vel_h5_chunks *c, vel_type type, const vel_h5_part *part, vel_h5_use use,
                           void *arg) VEL_CHECKED;

/* Copies every chunk as it lies in the file, still compressed. False: the two do not have the same shape, type, chunks
 * and filters, or HDF5 cannot; then what has been copied is of no use. */
bool vel_h5_chunks_copy(vel_ctx *ctx, hid_t from, hid_t to);

#endif
