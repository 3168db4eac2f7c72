/* h5ad.h - AnnData files: opening one as a store, writing a handle to one. */
#ifndef VEL_IO_H5AD_H
#define VEL_IO_H5AD_H

#include "core/adata.h"
#include "io/packing.h"

/* What is in memory at once of a spilled layer, in bytes: tiles that are read, tiles that are written, and the genes of
 * which one of these is filled at a time, since of each a whole 64 kB are mapped, however few rows are read. */
enum { VEL_H5AD_READ_TILE = 8 << 20, VEL_H5AD_WRITE_TILE = 32 << 20, VEL_H5AD_PANEL = 256 };
enum { VEL_H5AD_SPARSE_TILE = 1 << 19 };  /* entries of a sparse matrix that are read at once */
enum { VEL_H5AD_SPARSE_CHUNKS = 1 << 8 }; /* and chunks of them, where HDF5 takes these apart */

/* Opens the file read-only and lists what is in it; nothing is read yet. VEL_EREAD or VEL_EFORMAT name the file, what
 * was expected and what was found. */
vel_err vel_h5ad_open(vel_ctx *ctx, const char *file, vel_adata **ad) VEL_CHECKED;

/* Writes everything: what changed from memory, the rest carried over from the handle's store, cut where the handle was
 * cut. Written to a temporary file beside `file`, synced, renamed: on any failure or cancelling `file` is as it was.
 * `file` may be the file that the handle reads from; its mode is kept, a symbolic link stays one. */
vel_err vel_h5ad_write(vel_ctx *ctx, vel_adata *ad, const char *file) VEL_CHECKED;

/* The same with arrays of numbers compressed, from 4 kB on. What is carried over unchanged stays as it lies in the
 * store's file, compressed or not. */
vel_err vel_h5ad_write_packed(vel_ctx *ctx, vel_adata *ad, const char *file, const vel_packing *packing) VEL_CHECKED;

#endif
