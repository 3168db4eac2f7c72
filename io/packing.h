/* packing.h - how arrays of an output are compressed, in the words of h5py: compression and compression_opts. */
#ifndef VEL_IO_PACKING_H
#define VEL_IO_PACKING_H

#include "core/ctx.h"

typedef struct {
    enum { VEL_PLAIN, VEL_GZIP, VEL_LZF } kind;
    int level; /* of gzip: 0 to 9 */
} vel_packing;

enum { VEL_PACKED_AT_ONCE = 1 << 20 }; /* bytes of compressed chunks that wait to be written, at most */

/* compression: gzip, lzf, none or NULL for none. level: -1 for gzip's default, 4. VEL_EUSAGE: another word, a level
 * beyond 0 to 9, or a level where none is taken. */
vel_err vel_packing_parse(vel_ctx *ctx, const char *compression, int64_t level, vel_packing *packing) VEL_CHECKED;

#endif
