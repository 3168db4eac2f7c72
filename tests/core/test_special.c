#include "core/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_normal_distribution_is_symmetric_and_monotone(void **state) {
    (void)state;
    assert_true(vel_ndtr(0) == 0.5);
    double before = 0;
    for (double x = -39; x <= 39; x += 0.01) {
        double p = vel_ndtr(x);
        assert_true(p >= before);
        assert_float_equal(p + vel_ndtr(-x), 1.0, 0x1p-52); /* one rounding of each */
        before = p;
    }
}

static void tails_and_nan_are_what_they_must_be(void **state) {
    (void)state;
    assert_true(vel_ndtr(-INFINITY) == 0 && vel_ndtr(INFINITY) == 1 && isnan(vel_ndtr(NAN)));
    assert_true(vel_ndtr(-37) > 0 && vel_ndtr(9) == 1);
}

/* scipy.special.ndtr 1.16.3 */
static void has_the_reference_bits(void **state) {
    (void)state;
    static const double rows[][2] = {
        {-0x1.10e1ff595cb71p+5, 0x1.3728098446a45p-846}, {-0x1.9bf50a11cb264p+2, 0x1.0c444d9484ba6p-34},
        {0x1.13b5b3b5c0240p+1, 0x1.f8008e001aac8p-1},    {-0x1.ac54a641da710p+4, 0x1.f2e287cf95268p-524},
        {0x1.a5c827e9c0070p+1, 0x1.ffbf899d383d6p-1},    {0x1.1fd88ca0e3740p+1, 0x1.f9b8b2d2d1107p-1},
        {-0x1.2155740631abep+5, 0x1.eedf384e26a0ep-951}, {-0x1.4a69ab097ef34p+2, 0x1.055d1142b84cfp-23},
        {-0x1.27916fe9c272cp+5, 0x1.c42cc2cc59be7p-992}, {-0x1.cb27e861897b8p+3, 0x1.3da8eb5f11c8cp-154},
        {-0x1.15998768ceb06p+4, 0x1.546f68f92f788p-223}, {-0x1.bda86fef71762p+4, 0x1.2d037d7f7ca61p-566},
        {-0x1.6a09e667f3bcdp+0, 0x1.4226162fbddd1p-4},   {0x1.6a09e667f3bcdp+0, 0x1.d7bb3d3a08446p-1},
        {0x1.0000000000000p+0, 0x1.aec4bd120d37dp-1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_true(vel_ndtr(rows[i][0]) == rows[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_distribution_is_symmetric_and_monotone),
        cmocka_unit_test(tails_and_nan_are_what_they_must_be),
        cmocka_unit_test(has_the_reference_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
