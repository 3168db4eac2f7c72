/* lzf.h - compression in the format of LibLZF, which h5py's filter writes. The library's own compressor begins with a
 * table of whatever lies on the stack, so that the same bytes may be compressed to others next time; this one does
 * not. Its decompressor moves byte by byte, this one sixteen at a time. */
#ifndef VEL_IO_LZF_H
#define VEL_IO_LZF_H

#include <stdbool.h>
#include <stddef.h>

enum { VEL_LZF_TABLE = 1 << 14 };

/* Compresses n bytes into at most `room`; returns how many it took, 0: more than there is room for. n < 2^31. Same
 * bytes in, same bytes out. O(n).
 *
 *   table[VEL_LZF_TABLE]   workspace */
size_t vel_lzf_compress(const unsigned char *in, size_t n, unsigned char *out, size_t room, unsigned *table);

/* Decompresses n bytes into exactly `size`; false: they are damaged, or there are not as many. Nothing beyond them is
 * written. O(size). */
bool vel_lzf_expand(const unsigned char *in, size_t n, unsigned char *out, size_t size);

#endif
