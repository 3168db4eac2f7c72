/* decimal.h - doubles as text and back, with a point whatever the locale: the program that calls the library may have
 * one with a comma, in which strtod stops before ".5" and printf writes ",5". */
#ifndef VEL_CORE_DECIMAL_H
#define VEL_CORE_DECIMAL_H

enum { VEL_DECIMAL = 32 }; /* bytes of a text */

/* strtod in the C locale. */
double vel_decimal_read(const char *text, char **end);

/* The fewest significant digits that give the same bits, as %g writes them: "0.5", "1e+01", "nan", "-inf". */
void vel_decimal_write(double x, char text[VEL_DECIMAL]);

/* As Python's repr and str have it: "10.0", "0.1", "1e-05", "1e+16", "nan", "-inf". */
void vel_decimal_write_python(double x, char text[VEL_DECIMAL]);

#endif
