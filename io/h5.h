/* h5.h - HDF5, thinly: handles that close themselves, errors with the library's own word, attributes, types.
 *
 * HDF5 is called from one thread. Its error printing is switched off; every failure becomes a message that ends in the
 * most specific line of HDF5's error stack. Text and arrays that are returned lie in ctx->scratch. */
#ifndef VEL_IO_H5_H
#define VEL_IO_H5_H

#include <hdf5.h>

#include "core/adata.h"

/* A handle of any sort that is closed when its scope is left: `H5_OWNED hid_t space = H5Dget_space(dataset);` */
#define H5_OWNED __attribute__((cleanup(vel_h5_close)))
void vel_h5_close(hid_t *id);

/* vel_fail with HDF5's reason added. */
vel_err vel_h5_fail(vel_ctx *ctx, vel_err e, const char *format, ...) __attribute__((format(printf, 3, 4), cold));
/* After a failure, puts before its message which object it was, of which file. Returns e. */
vel_err vel_h5_at(vel_ctx *ctx, vel_err e, hid_t object) __attribute__((cold));

/* ---- files. A lock that the file system refuses is done without; one that is held elsewhere is an error. */
vel_err vel_h5_open(vel_ctx *ctx, const char *path, hid_t *file) VEL_CHECKED;
vel_err vel_h5_create(vel_ctx *ctx, const char *path, hid_t *file) VEL_CHECKED;

/* The system's descriptor under a file, which HDF5 keeps; -1: there is none, or the file lies in several. */
int vel_h5_descriptor(hid_t file);

/* VEL_EREAD if the file has become shorter since it was opened: of what is missing HDF5 reads zeros. */
vel_err vel_h5_check_whole(vel_ctx *ctx, hid_t file, const char *name) VEL_CHECKED;

/* After a failed write: what HDF5 still wants to write goes nowhere, so that it can close the file in peace. */
void vel_h5_abandon(hid_t file);

/* ---- attributes */
bool vel_h5_has_attr(hid_t object, const char *name);
/* *text is NULL if there is none or if it is no single string. */
vel_err vel_h5_attr_text(vel_ctx *ctx, hid_t object, const char *name, char **text) VEL_CHECKED;
/* *texts is NULL if there is none or if they are no strings. */
vel_err vel_h5_attr_texts(vel_ctx *ctx, hid_t object, const char *name, char ***texts, int64_t *n) VEL_CHECKED;
/* How many integers there are (0: none, or more than `most`), written to values. */
int vel_h5_attr_ints(hid_t object, const char *name, int64_t *values, int most);

vel_err vel_h5_put_text(vel_ctx *ctx, hid_t object, const char *name, const char *text) VEL_CHECKED;
vel_err vel_h5_put_texts(vel_ctx *ctx, hid_t object, const char *name, const char *const *texts, int64_t n) VEL_CHECKED;
vel_err vel_h5_put_bool(vel_ctx *ctx, hid_t object, const char *name, bool value) VEL_CHECKED;
vel_err vel_h5_put_ints(vel_ctx *ctx, hid_t object, const char *name, const int64_t *values, int n) VEL_CHECKED;

/* ---- types */
hid_t vel_h5_text_type(void);                      /* h5py's string: variable length, UTF-8; to be closed */
hid_t vel_h5_bool_type(void);                      /* h5py's bool: an enumeration of int8; to be closed */
hid_t vel_h5_native(vel_type type);                /* the library's own type; not to be closed. VEL_BOOL: int8 */
hid_t vel_h5_file_type(vel_type type);             /* little-endian; to be closed. VEL_BOOL: the enumeration */
vel_type vel_h5_type_of(hid_t type);               /* VEL_NOTYPE: no number that we know */
hid_t vel_h5_memory_type(hid_t type, vel_type to); /* to read a number of that file type as `to`; to be closed */

bool vel_h5_is_big_endian(hid_t type);
bool vel_h5_holds_pointers(hid_t type); /* strings or sequences of variable length, also inside */

/* ---- names */
vel_err vel_h5_join(vel_ctx *ctx, const char *a, const char *b, const char **joined) VEL_CHECKED; /* "a/b" */

/* ---- shapes */
enum { VEL_H5_DIMS = 32 };
/* ndim, or -1 (null space, error); dims has room for VEL_H5_DIMS. */
int vel_h5_shape(hid_t dataset, hsize_t *dims);
/* Whether the shape of a dataset that lies in one piece is damaged: it takes more bytes than are stored. text: what it
 * claims, by both figures; nothing is read. */
enum { VEL_H5_CLAIM = 120 };
bool vel_h5_claims_too_much(hid_t dataset, char text[VEL_H5_CLAIM]);

/* The same of names, which are never as a fill value says: a million of them or more were not written. Of those in
 * chunks a few bytes may claim any number, and HDF5 makes them all up. */
bool vel_h5_lacks_names(hid_t dataset, char text[VEL_H5_CLAIM]);

#endif
