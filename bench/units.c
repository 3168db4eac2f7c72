#include "bench/units.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    double size;
    const char *word;
} unit;

/* The largest unit that x, rounded to three digits, fills; the smallest if none. */
static void show(double x, const unit *units, int n, char *text) {
    if (!isfinite(x)) {
        snprintf(text, BENCH_UNIT, "–");
        return;
    }
    int i = 0;
    while (i < n - 1 && fabs(x) < 0.9995 * units[i].size) i++;
    const double value = x / units[i].size;
    if (fabs(value) >= 999.5)
        snprintf(text, BENCH_UNIT, "%.0f%s", value, units[i].word);
    else
        snprintf(text, BENCH_UNIT, "%.3g%s", value, units[i].word);
}

void bench_unit_seconds(double x, char *text) {
    static const unit units[] = {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}};
    show(x, units, 4, text);
}

void bench_unit_bytes(double x, char *text) {
    static const unit units[] = {{1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {1, " B"}};
    show(x, units, 4, text);
}

void bench_unit_count(double x, char *text) {
    static const unit units[] = {{1e6, "M"}, {1e3, "k"}, {1, ""}};
    show(x, units, 3, text);
}

void bench_unit_rate(double x, char *text) {
    static const unit units[] = {{1e9, " Gop/s"}, {1e6, " Mop/s"}, {1e3, " kop/s"}, {1, " op/s"}};
    show(x, units, 4, text);
}

void bench_unit_bandwidth(double x, char *text) {
    static const unit units[] = {{1e9, " GB/s"}, {1e6, " MB/s"}, {1e3, " kB/s"}, {1, " B/s"}};
    show(x, units, 4, text);
}
