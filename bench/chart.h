/* chart.h - log-log charts as one self-contained SVG file: panels side by side, names written at the lines.
 *
 * The same figures give the same bytes. Colours are fixed on a white ground, so that the file reads the same in a
 * light and in a dark page. Every mark has a <title>, which a browser shows under the pointer. */
#ifndef VEL_BENCH_CHART_H
#define VEL_BENCH_CHART_H

#include "bench/units.h"
#include "core/text.h"

enum { BENCH_MOST_TRACES = 40, BENCH_COLOURS = 10 };

typedef enum {
    BENCH_TRACE_LINE,  /* a line with dots, its name at its right end */
    BENCH_TRACE_POINT, /* one dot, its name beside it */
    BENCH_TRACE_GUIDE, /* a grey line without dots, its name where it begins, or over its end if it is level */
} bench_trace_kind;

typedef struct {
    const char *name;
    bench_trace_kind kind;
    const double *x, *y; /* points that are not above 0 are left out */
    int n, colour;       /* of BENCH_COLOURS */
    bool strong;         /* thicker: the one to look at */
} bench_trace;

/* Panels in a row share the range of y. */
typedef struct {
    const char *title, *x_name;
    const bench_trace *traces;
    int n_traces;
    bench_unit *x_unit, *y_unit;
    const double *x_ticks; /* NULL: the decades */
    int n_x_ticks;
    bool diagonals; /* grey lines of slope 1, a decade apart */
} bench_panel;

typedef struct {
    const char *title;
    const char *const *notes; /* lines under the title */
    int n_notes;
    const bench_panel *panels;
    int n_panels, columns;
    int width, height; /* of a panel's frame, pixels */
    int margin;        /* right of a frame, for the names at the lines' ends */
} bench_chart;

void bench_chart_svg(vel_text *t, const bench_chart *c);

#endif
