/* units.h - figures as a person reads them: three digits and the unit that makes them short. */
#ifndef VEL_BENCH_UNITS_H
#define VEL_BENCH_UNITS_H

enum { BENCH_UNIT = 32 };

/* text has room for BENCH_UNIT; what is no number becomes "–". */
typedef void bench_unit(double x, char *text);
bench_unit bench_unit_seconds;   /* "1.23 ms", "361 s" */
bench_unit bench_unit_bytes;     /* "12.5 kB", "1.81 GB": thousands, not 1,024 */
bench_unit bench_unit_rate;      /* "12.5 Gop/s": operations a second */
bench_unit bench_unit_bandwidth; /* "12.5 GB/s" */
bench_unit bench_unit_count;     /* "50", "3k", "1.5M" */

#endif
