/* plot.h - the two kinds of plot that the report needs, as inline SVG in its page's colours.
 *
 * Colours are the classes s0, s1, … of the page (bars and lines of a series), so that they follow light and dark. Every
 * mark has a <title>, which a browser shows under the pointer. */
#ifndef VEL_BENCH_PLOT_H
#define VEL_BENCH_PLOT_H

#include "core/text.h"

enum { BENCH_MOST_SERIES = 8 };

/* Horizontal bars on a logarithmic axis, one group a label, one bar a series: values[label * n_series + series], > 0;
 * others leave a gap with the word of `words` (same order, may be NULL) in its place. mark: a line across at that
 * value; 0: none. */
typedef struct {
    const char *title, *unit;
    const char *const *labels;
    int n_labels;
    const char *const *series;
    int n_series;
    const double *values;
    const char *const *words;
    double mark;
    int colour; /* of the first series */
} bench_bars;
void bench_plot_bars(vel_text *t, const bench_bars *bars);

/* Lines with dots. Points with a coordinate that is not > 0 on a logarithmic axis are left out. */
typedef struct {
    const char *name;
    const double *x, *y;
    const char *const *titles; /* of each point; NULL: its figures */
    int n;
    int colour; /* index of the class s… */
} bench_points;
typedef struct {
    const char *title, *x_name, *y_name;
    bool log_x; /* y is always logarithmic */
    const bench_points *series;
    int n_series;
} bench_lines;
void bench_plot_lines(vel_text *t, const bench_lines *lines);

/* s with the characters that HTML reserves written out. */
void bench_html_text(vel_text *t, const char *s);

#endif
