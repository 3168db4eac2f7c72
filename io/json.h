/* json.h - what JSON cannot hold as it is: texts that are no UTF-8 (names of files, of genes; words that were cut), and
 * numbers that are not finite. */
#ifndef VEL_IO_JSON_H
#define VEL_IO_JSON_H

#include <jansson.h>

/* s, each byte that is not UTF-8 as U+FFFD; null for NULL. A new reference; NULL: out of memory. */
json_t *vel_json_text(const char *s);

/* x; null for NaN and infinities. Likewise. */
json_t *vel_json_real(double x);

#endif
