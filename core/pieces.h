/* pieces.h - the expression of cells as rows of float32 that lie in pieces, not all in one place (panels.h).
 *
 * A piece is `width` genes of a cell, contiguous and 64-byte aligned. Cells come in tiles of as many; from tile to tile
 * the pieces of the cells at one place lie at a regular step. The cells behind the last tile are loose: each has places
 * of its own. */
#ifndef VEL_CORE_PIECES_H
#define VEL_CORE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t n, width;    /* pieces of a row; genes of a piece, a multiple of 16; n * width >= n_genes */
    uint64_t inverse;    /* vel_pieces_inverse(width) */
    int64_t tiled, step; /* cells that lie in tiles: those below; floats from tile to tile */
    const float *const
        *starts; /* (width + loose cells) x n: the pieces of each cell of the first tile, each loose cell */
} vel_pieces;

/* The pieces of one cell: piece p begins at starts[p] + at. */
typedef struct {
    const float *const *starts;
    int64_t at;
} vel_pieces_row;

/* cell / width is cell * inverse >> 40 for widths of 64 to 1024: inverse / 2^40 is above 1 / width by less than 2^-40,
 * which makes the quotient of so many cells too large by less than 2^-10, and 1 / width has room. */
enum { VEL_PIECES_CELLS = 1 << 30 };
static inline uint64_t vel_pieces_inverse(int64_t width) {
    return (((uint64_t)1 << 40) + (uint64_t)width - 1) / (uint64_t)width;
}

static inline vel_pieces_row vel_pieces_of(const vel_pieces *pieces, int64_t cell) {
    if (cell >= pieces->tiled) {
        int64_t place = pieces->width + cell - pieces->tiled;
        return (vel_pieces_row){pieces->starts + place * pieces->n, 0};
    }
    int64_t tile = (int64_t)((uint64_t)cell * pieces->inverse >> 40), place = cell - tile * pieces->width;
    return (vel_pieces_row){pieces->starts + place * pieces->n, tile * pieces->step};
}

#endif
