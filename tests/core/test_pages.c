/* vel_pages_large: a hint changes no content and needs no alignment. */
#include "core/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEBI = 1 << 20 };

static const size_t sizes[] = {0, 1, 4095, 2 * MEBI, 4 * MEBI - 1, 4 * MEBI, 4 * MEBI + 4097, 9 * MEBI};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void an_array_of_any_size_stays_as_it_is(void **state) {
    (void)state;
    for (int i = 0; i < N_SIZES; i++)
        for (size_t offset = 0; offset < 3; offset++) {
            unsigned char *x = malloc(sizes[i] + offset + 1);
            assert_non_null(x);
            memset(x, 0x5a, sizes[i] + offset + 1);
            vel_pages_large(x + offset, sizes[i]);
            for (size_t k = 0; k < sizes[i] + offset + 1; k++) assert_true(x[k] == 0x5a);
            free(x);
        }
}

static void zeroed_memory_is_zero_still(void **state) {
    (void)state;
    for (int i = 0; i < N_SIZES; i++) {
        unsigned char *x = calloc(sizes[i] + 1, 1);
        assert_non_null(x);
        vel_pages_large(x, sizes[i]);
        for (size_t k = 0; k <= sizes[i]; k++) assert_true(x[k] == 0);
        free(x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_of_any_size_stays_as_it_is),
        cmocka_unit_test(zeroed_memory_is_zero_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
