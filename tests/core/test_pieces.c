/* Rows that lie in pieces: where the pieces of a cell begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pieces.h"
#include "tests/random.h"

static int64_t tile_of(int64_t cell, uint64_t inverse) { return (int64_t)((uint64_t)cell * inverse >> 40); }

/* Where a quotient can be wrong: on either side of a multiple, up to the most cells that there may be. */
static void the_inverse_divides_as_division_does(void **state) {
    uint64_t random = 7;
    (void)state;
    for (int64_t width = 64; width <= 1024; width += 16) {
        const uint64_t inverse = vel_pieces_inverse(width);
        const int64_t tiles = VEL_PIECES_CELLS / width;
        for (int64_t k = 0; k < 3000; k++) {
            const int64_t any = (int64_t)(random_bits(&random) % (uint64_t)tiles);
            const int64_t tile = k < 1000 ? k : k < 2000 ? tiles - 1 - (k - 1000) : any;
            assert_int_equal(tile_of(tile * width, inverse), tile);
            assert_int_equal(tile_of(tile * width + width - 1, inverse), tile);
        }
    }
}

enum { WIDTH = 64, TILES = 3, LOOSE = 5, PIECES = 2, STEP = 10000 };

static void a_cell_has_the_places_of_its_tile_and_a_loose_one_its_own(void **state) {
    (void)state;
    static const float *starts[(WIDTH + LOOSE) * PIECES];
    const vel_pieces pieces = {.n = PIECES,
                               .width = WIDTH,
                               .inverse = vel_pieces_inverse(WIDTH),
                               .tiled = TILES * WIDTH,
                               .step = STEP,
                               .starts = starts};
    for (int64_t cell = 0; cell < TILES * WIDTH + LOOSE; cell++) {
        const vel_pieces_row row = vel_pieces_of(&pieces, cell);
        const int64_t loose = cell - TILES * WIDTH, place = loose < 0 ? cell % WIDTH : WIDTH + loose;
        assert_ptr_equal(row.starts, starts + place * PIECES);
        assert_int_equal(row.at, loose < 0 ? cell / WIDTH * STEP : 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inverse_divides_as_division_does),
        cmocka_unit_test(a_cell_has_the_places_of_its_tile_and_a_loose_one_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
