#include "bench/axis.h"

#include <math.h>

double bench_axis_place(const bench_axis *a, double x) {
    const double low = a->log ? log10(a->low) : a->low, high = a->log ? log10(a->high) : a->high;
    return a->from + ((a->log ? log10(x) : x) - low) / (high - low) * (a->to - a->from);
}

bench_axis bench_axis_decades(double low, double high, bool log, double from, double to) {
    bench_axis a = {.low = low, .high = high, .from = from, .to = to, .log = log};
    if (log && low > 0 && high > 0) {
        double decade = 1;
        while (decade > low) decade /= 10;
        while (decade * 10 <= low) decade *= 10;
        a.low = decade;
        while (decade < high) decade *= 10;
        a.high = decade > a.low ? decade : a.low * 10;
    } else if (!(high > low)) {
        a.low = log ? 1 : low - 0.5;
        a.high = log ? 10 : low + 0.5;
    }
    return a;
}

bench_axis bench_axis_padded(double low, double high, double from, double to) {
    const double share = high > low ? sqrt(sqrt(sqrt(sqrt(high / low)))) : 2; /* a sixteenth of its decades */
    return (bench_axis){.low = low / share, .high = high * share, .from = from, .to = to, .log = true};
}
