#include "bench/chart.h"

#include <math.h>
#include <string.h>

#include "bench/axis.h"
#include "bench/plot.h"

enum { LEFT = 72, HEAD = 34, FOOT = 46, LINE = 17, GAP = 14, ROUNDS = 400 };

/* pixels of a letter of the 12 pixel font, on average */
static const double letter = 6.4;

static const char style[] =
    "text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#24292f}"
    ".h{font-size:17px;font-weight:600}.p{font-size:13px;font-weight:600}.n,.t{fill:#57606a}"
    ".f{fill:none;stroke:#afb8c1}.g{stroke:#eaeef2}.d{stroke:#b9c1ca;stroke-dasharray:3 4}"
    ".r{fill:none;stroke:#6e7781;stroke-width:1.5}.b{stroke-width:.8;opacity:.55}"
    ".l{fill:none;stroke-width:1.8;stroke-linejoin:round}.s{stroke-width:3.2}.k{font-weight:600}"
    ".w{paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-linejoin:round}";

/* Dark enough to read as text on white. */
static const char *const colours[BENCH_COLOURS] = {"#4c72b0", "#b8860b", "#c0392b", "#17818a", "#2e8b57",
                                                   "#8e6bbf", "#d2691e", "#a8326e", "#5d6d7e", "#1b1f24"};

typedef struct {
    const bench_panel *panel;
    bench_axis x, y;
    int index;
} frame;

/* A name and where it wants to stand: spread moves it up or down until it covers no other. */
typedef struct {
    const bench_trace *trace;
    double from_x, from_y, x, y, width;
} label;

static bool shown(const bench_trace *s, int i) { return s->x[i] > 0 && s->y[i] > 0 && isfinite(s->y[i]); }

static void widen(double x, double *low, double *high) {
    if (x < *low) *low = x;
    if (x > *high) *high = x;
}

/* Ranges of a panel; of y together with what was there before. */
static void ranges(const bench_panel *p, double *low_x, double *high_x, double *low_y, double *high_y) {
    for (int s = 0; s < p->n_traces; s++)
        for (int i = 0; i < p->traces[s].n; i++)
            if (shown(&p->traces[s], i)) {
                widen(p->traces[s].x[i], low_x, high_x);
                widen(p->traces[s].y[i], low_y, high_y);
            }
    for (int i = 0; i < p->n_x_ticks; i++) widen(p->x_ticks[i], low_x, high_x);
}

/* False if no panel of the row has a point. */
static bool frame_of(const bench_chart *c, int index, double head, frame *f) {
    const int row = index / c->columns, column = index % c->columns;
    double low_x = INFINITY, high_x = 0, low_y = INFINITY, high_y = 0, unused_low = INFINITY, unused_high = 0;
    for (int i = row * c->columns; i < (row + 1) * c->columns && i < c->n_panels; i++)
        ranges(&c->panels[i], i == index ? &low_x : &unused_low, i == index ? &high_x : &unused_high, &low_y, &high_y);
    if (!(high_y > 0) || !(high_x > 0)) return false;
    const double left = LEFT + column * (LEFT + c->width + c->margin), top = head + row * (HEAD + c->height + FOOT);
    *f = (frame){.panel = &c->panels[index],
                 .index = index,
                 .x = bench_axis_padded(low_x, high_x, left, left + c->width),
                 .y = bench_axis_padded(low_y, high_y, top + HEAD + c->height, top + HEAD)};
    return true;
}

/* The first power of ten that is not below x. */
static double decade_from(double x) {
    double decade = 1;
    while (decade >= 10 * x) decade /= 10;
    while (decade < x) decade *= 10;
    return decade;
}

static void upright(vel_text *t, const frame *f, double value) {
    char word[BENCH_UNIT];
    const double x = bench_axis_place(&f->x, value);
    f->panel->x_unit(value, word);
    vel_text_add(t,
                 "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/><text class=\"t\" x=\"%.1f\" y=\"%.1f\" "
                 "text-anchor=\"middle\">%s</text>\n",
                 x, f->y.from, f->y.to, x, f->y.from + 17, word);
}

static void level(vel_text *t, const frame *f, double value) {
    char word[BENCH_UNIT];
    const double y = bench_axis_place(&f->y, value);
    f->panel->y_unit(value, word);
    vel_text_add(t,
                 "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/><text class=\"t\" x=\"%.1f\" y=\"%.1f\" "
                 "text-anchor=\"end\">%s</text>\n",
                 f->x.from, y, f->x.to, f->x.from - 8, y + 4, word);
}

static void grid(vel_text *t, const frame *f) {
    const bench_panel *p = f->panel;
    for (int i = 0; i < p->n_x_ticks; i++) upright(t, f, p->x_ticks[i]);
    if (!p->x_ticks)
        for (double v = decade_from(f->x.low); v <= f->x.high; v *= 10) upright(t, f, v);
    for (double v = decade_from(f->y.low); v <= f->y.high; v *= 10) level(t, f, v);
}

/* y = y0 x / x.low for y0 a decade apart, cut at the frame. */
static void diagonals(vel_text *t, const frame *f) {
    const double span = f->x.high / f->x.low, tall = f->y.high / f->y.low;
    for (double y0 = decade_from(f->y.low / span) / 10; y0 < f->y.high; y0 *= 10) {
        const double in = y0 < f->y.low ? f->y.low / y0 : 1, out = fmin(span, f->y.high / y0);
        if (!(out > in) || !(tall > 1)) continue;
        vel_text_add(t, "<path class=\"d\" d=\"M%.1f %.1fL%.1f %.1f\"/>", bench_axis_place(&f->x, f->x.low * in),
                     bench_axis_place(&f->y, y0 * in), bench_axis_place(&f->x, f->x.low * out),
                     bench_axis_place(&f->y, y0 * out));
    }
    vel_text_add(t, "\n");
}

static void line(vel_text *t, const frame *f, const bench_trace *s) {
    bool first = true;
    if (s->kind == BENCH_TRACE_GUIDE)
        vel_text_add(t, "<path class=\"r\" d=\"");
    else
        vel_text_add(t, "<path class=\"l%s\" stroke=\"%s\" d=\"", s->strong ? " s" : "", colours[s->colour]);
    for (int i = 0; i < s->n; i++)
        if (shown(s, i)) {
            vel_text_add(t, "%s%.1f %.1f", first ? "M" : "L", bench_axis_place(&f->x, s->x[i]),
                         bench_axis_place(&f->y, s->y[i]));
            first = false;
        }
    vel_text_add(t, "\"/>\n");
}

static void dots(vel_text *t, const frame *f, const bench_trace *s) {
    const double radius = s->kind == BENCH_TRACE_POINT ? 5 : s->strong ? 4 : 3;
    for (int i = 0; i < s->n; i++) {
        char x[BENCH_UNIT], y[BENCH_UNIT];
        if (!shown(s, i)) continue;
        f->panel->x_unit(s->x[i], x);
        f->panel->y_unit(s->y[i], y);
        vel_text_add(t, "<circle fill=\"%s\" stroke=\"#fff\" cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"><title>",
                     colours[s->colour], bench_axis_place(&f->x, s->x[i]), bench_axis_place(&f->y, s->y[i]), radius);
        bench_html_text(t, s->name);
        vel_text_add(t, ": %s at %s</title></circle>\n", y, x);
    }
}

/* False: the trace has no point, so no name. */
static bool label_of(const frame *f, const bench_trace *s, label *l) {
    int last = -1;
    for (int i = 0; i < s->n; i++)
        if (shown(s, i)) last = i;
    if (last < 0 || !s->name) return false;
    const double x = bench_axis_place(&f->x, s->x[last]), y = bench_axis_place(&f->y, s->y[last]);
    const double width = letter * (double)strlen(s->name);
    *l = (label){.trace = s, .from_x = x, .from_y = y, .x = f->x.to + 14, .y = y, .width = width};
    if (s->kind == BENCH_TRACE_POINT) l->x = x + width + 16 > f->x.to ? x - width - 12 : x + 12;
    return true;
}

/* Before a rising line, over a level one where it ends. */
static void guide_name(vel_text *t, const frame *f, const bench_trace *s) {
    const bool level = s->y[0] == s->y[s->n - 1];
    const int at = level ? s->n - 1 : 0;
    vel_text_add(t, "<text class=\"n w\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                 bench_axis_place(&f->x, s->x[at]) - 6, bench_axis_place(&f->y, s->y[at]) + (level ? -6 : 4));
    bench_html_text(t, s->name);
    vel_text_add(t, "</text>\n");
}

/* Moves names apart, in small steps and in a fixed order, and keeps them inside the frame's height. */
static void spread(label *l, int n, double top, double bottom) {
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) {
                const bool apart = l[i].x > l[k].x + l[k].width || l[k].x > l[i].x + l[i].width;
                const double between = l[i].y - l[k].y;
                if (apart || fabs(between) >= GAP) continue;
                const bool below = between > 0 || (between == 0 && l[i].from_y >= l[k].from_y);
                const double push = 0.5 * (GAP - fabs(between)) * (below ? 1 : -1);
                l[i].y = fmin(fmax(l[i].y + push, top), bottom);
                l[k].y = fmin(fmax(l[k].y - push, top), bottom);
            }
}

static void names(vel_text *t, const frame *f) {
    label labels[BENCH_MOST_TRACES];
    int n = 0;
    for (int s = 0; s < f->panel->n_traces && n < BENCH_MOST_TRACES; s++) {
        const bench_trace *trace = &f->panel->traces[s];
        if (trace->kind == BENCH_TRACE_GUIDE)
            guide_name(t, f, trace);
        else if (label_of(f, trace, &labels[n]))
            n++;
    }
    spread(labels, n, f->y.to + 4, f->y.from - 4);
    for (int i = 0; i < n; i++) {
        const label *l = &labels[i];
        const char *colour = colours[l->trace->colour];
        vel_text_add(t, "<path class=\"b\" stroke=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", colour, l->from_x, l->from_y,
                     l->x < l->from_x ? l->x + l->width + 2 : l->x - 3, l->y);
        vel_text_add(t, "<text%s style=\"fill:%s\" x=\"%.1f\" y=\"%.1f\">",
                     l->trace->strong                      ? " class=\"k\""
                     : l->trace->kind == BENCH_TRACE_POINT ? " class=\"w\""
                                                           : "",
                     colour, l->x, l->y + 4);
        bench_html_text(t, l->trace->name);
        vel_text_add(t, "</text>\n");
    }
}

static void panel(vel_text *t, const frame *f) {
    const bench_panel *p = f->panel;
    vel_text_add(t, "<text class=\"p\" x=\"%.1f\" y=\"%.1f\">", f->x.from, f->y.to - 12);
    bench_html_text(t, p->title);
    vel_text_add(t, "</text><text class=\"n\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (f->x.from + f->x.to) / 2,
                 f->y.from + 35);
    bench_html_text(t, p->x_name);
    vel_text_add(t, "</text>\n");
    grid(t, f);
    if (p->diagonals) diagonals(t, f);
    vel_text_add(t, "<rect class=\"f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", f->x.from, f->y.to,
                 f->x.to - f->x.from, f->y.from - f->y.to);
    for (int s = 0; s < p->n_traces; s++)
        if (p->traces[s].kind != BENCH_TRACE_POINT) line(t, f, &p->traces[s]);
    names(t, f);
    for (int s = 0; s < p->n_traces; s++)
        if (p->traces[s].kind != BENCH_TRACE_GUIDE) dots(t, f, &p->traces[s]);
}

void bench_chart_svg(vel_text *t, const bench_chart *c) {
    const int rows = (c->n_panels + c->columns - 1) / c->columns, head = 40 + LINE * c->n_notes;
    const int width = c->columns * (LEFT + c->width + c->margin), height = head + rows * (HEAD + c->height + FOOT) + 6;
    vel_text_add(t,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                 "role=\"img\"><style>%s</style>\n<title>",
                 width, height, width, height, style);
    bench_html_text(t, c->title);
    vel_text_add(t, "</title><rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>\n<text class=\"h\" x=\"20\" ",
                 width, height);
    vel_text_add(t, "y=\"30\">");
    bench_html_text(t, c->title);
    vel_text_add(t, "</text>\n");
    for (int i = 0; i < c->n_notes; i++) {
        vel_text_add(t, "<text class=\"n\" x=\"20\" y=\"%d\">", 50 + LINE * i);
        bench_html_text(t, c->notes[i]);
        vel_text_add(t, "</text>\n");
    }
    for (int i = 0; i < c->n_panels; i++) {
        frame f;
        if (frame_of(c, i, head, &f)) panel(t, &f);
    }
    vel_text_add(t, "</svg>\n");
}
