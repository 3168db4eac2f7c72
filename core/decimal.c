#include "core/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIGITS = 17, FIXED_TO = 16, FIXED_FROM = -4 }; /* exponents between which Python writes no exponent */

static locale_t enter(locale_t *before) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = uselocale(plain);
    return plain;
}

static void leave(locale_t plain, locale_t before) {
    uselocale(before);
    if (plain) freelocale(plain);
}

double vel_decimal_read(const char *text, char **end) {
    locale_t before, plain = enter(&before);
    const double x = strtod(text, end);
    leave(plain, before);
    return x;
}

/* What has no digits. */
static bool write_odd(double x, char text[VEL_DECIMAL]) {
    if (isfinite(x)) return false;
    snprintf(text, VEL_DECIMAL, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return true;
}

void vel_decimal_write(double x, char text[VEL_DECIMAL]) {
    if (write_odd(x, text)) return;
    locale_t before, plain = enter(&before);
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        snprintf(text, VEL_DECIMAL, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    leave(plain, before);
}

/* Digits behind the first that give the same bits, and the power of ten of the first. */
static int digits_behind(double x, char text[VEL_DECIMAL], int *power) {
    int n = 0;
    for (; n < MOST_DIGITS; n++) {
        snprintf(text, VEL_DECIMAL, "%.*e", n, x);
        if (strtod(text, NULL) == x) break;
    }
    *power = (int)strtol(text + (text[0] == '-') + (n ? n + 3 : 2), NULL, 10);
    return n;
}

void vel_decimal_write_python(double x, char text[VEL_DECIMAL]) {
    if (write_odd(x, text)) return;
    locale_t before, plain = enter(&before);
    int power;
    const int behind = digits_behind(x, text, &power);
    if (power >= FIXED_FROM && power < FIXED_TO)
        snprintf(text, VEL_DECIMAL, "%.*f", behind - power > 1 ? behind - power : 1, x);
    leave(plain, before);
}
