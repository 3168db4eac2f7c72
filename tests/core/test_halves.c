/* Halves: floats where a line begins, and every bit comes back. */
#include "core/halves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"

enum { MOST = VEL_HALVES_MOST, PLACES = VEL_LINE / sizeof(double) };

static const int64_t lengths[] = {VEL_HALVES_STEP, 5 * VEL_HALVES_STEP, MOST};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

static void fill(double *x, int64_t n) {
    static const double odd[] = {0.0, -0.0, 1.0 / 3, 1e-30, -1e30, INFINITY, -INFINITY, NAN};
    uint64_t seed = 3;
    for (int64_t i = 0; i < n; i++) x[i] = i % 3 ? random_between(&seed, -5, 5) : odd[random_bits(&seed) % 8];
}

static void floats_lie_where_a_line_begins_and_every_bit_comes_back(void **state) {
    (void)state;
    static _Alignas(VEL_LINE) double room[MOST + PLACES], before[MOST + PLACES];
    for (size_t place = 0; place < PLACES; place++)
        for (int l = 0; l < N_LENGTHS; l++) {
            double *x = room + place;
            fill(room, MOST + PLACES);
            memcpy(before, room, sizeof room);
            assert_true(vel_halve(x, lengths[l]));
            for (int64_t i = 0; i < lengths[l]; i++) {
                float f, y = (float)before[place + (size_t)i];
                memcpy(&f, vel_line_from((char *)x) + i * (int64_t)sizeof f, sizeof f);
                assert_memory_equal(&f, &y, sizeof f);
            }
            vel_unite(x, lengths[l]);
            assert_memory_equal(room, before, sizeof room);
        }
}

static void doubles_without_room_stay_as_they_were(void **state) {
    (void)state;
    static const uint64_t refused[] = {
        0x7ff0000000000001, /* a signalling NaN */
        0x7e37e43c8800759c, /* 1e300 */
        0x3690000000000001, /* half of the smallest float, which it becomes */
    };
    double x[VEL_HALVES_STEP], before[VEL_HALVES_STEP];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        fill(x, VEL_HALVES_STEP);
        memcpy(&x[7], &refused[k], sizeof *x);
        memcpy(before, x, sizeof x);
        assert_false(vel_halve(x, VEL_HALVES_STEP));
        assert_memory_equal(x, before, sizeof x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_lie_where_a_line_begins_and_every_bit_comes_back),
        cmocka_unit_test(doubles_without_room_stay_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
