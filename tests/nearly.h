/* nearly.h - comparison of doubles within a stated tolerance (cmocka's own goes through float). */
#ifndef VEL_TESTS_NEARLY_H
#define VEL_TESTS_NEARLY_H

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

#endif
