#include "bench/plot.h"

#include <math.h>
#include <stdio.h>

#include "bench/axis.h"

enum { WIDTH = 760, LABELS = 250, BAR = 14, GAP = 10, TOP = 28, AXIS = 24, HEIGHT = 300, LEFT = 64, RIGHT = 240 };

void bench_html_text(vel_text *t, const char *s) {
    for (; *s; s++) switch (*s) {
            case '<':
                vel_text_add(t, "&lt;");
                break;
            case '>':
                vel_text_add(t, "&gt;");
                break;
            case '&':
                vel_text_add(t, "&amp;");
                break;
            case '"':
                vel_text_add(t, "&quot;");
                break;
            default:
                vel_text_add(t, "%c", *s);
        }
}

static void widen(double x, double *low, double *high) {
    if (!isfinite(x)) return;
    if (!(x >= *low)) *low = x;
    if (!(x <= *high)) *high = x;
}

static void open_figure(vel_text *t, const char *title, int height) {
    vel_text_add(t, "<figure><figcaption>");
    bench_html_text(t, title);
    vel_text_add(t, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, height);
}

static void legend(vel_text *t, const char *const *names, int n, int from_class) {
    for (int i = 0; i < n; i++) {
        vel_text_add(t, "<rect class=\"s%d\" x=\"%d\" y=\"4\" width=\"10\" height=\"10\"/><text x=\"%d\" y=\"13\">",
                     from_class + i, LABELS + i * 120, LABELS + 14 + i * 120);
        bench_html_text(t, names[i]);
        vel_text_add(t, "</text>\n");
    }
}

static void upright_grid(vel_text *t, const bench_axis *a, double top, double bottom) {
    for (double x = a->low; x <= a->high * 1.0001; x *= 10)
        vel_text_add(t,
                     "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                     "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n",
                     bench_axis_place(a, x), bench_axis_place(a, x), top, bottom, bench_axis_place(a, x), bottom + 15,
                     x);
}

static void one_bar(vel_text *t, const bench_bars *b, const bench_axis *a, int label, int series, double y) {
    const double value = b->values[label * b->n_series + series];
    const char *word = b->words ? b->words[label * b->n_series + series] : NULL;
    if (!(value > 0)) {
        vel_text_add(t, "<text class=\"word\" x=\"%d\" y=\"%.1f\">", LABELS + 4, y + BAR - 3);
        bench_html_text(t, word ? word : "–");
        vel_text_add(t, "</text>\n");
        return;
    }
    const double end = bench_axis_place(a, value);
    vel_text_add(t, "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"><title>",
                 b->colour + series, a->from, y, end - a->from > 1 ? end - a->from : 1, BAR - 2);
    bench_html_text(t, b->labels[label]);
    vel_text_add(t, ", ");
    bench_html_text(t, b->series[series]);
    vel_text_add(t, ": %.4g %s</title></rect><text class=\"value\" x=\"%.1f\" y=\"%.1f\">%.3g</text>\n", value, b->unit,
                 end + 4, y + BAR - 4, value);
}

void bench_plot_bars(vel_text *t, const bench_bars *b) {
    const int group = b->n_series * BAR + GAP, bottom = TOP + b->n_labels * group;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < b->n_labels * b->n_series; i++)
        if (b->values[i] > 0) widen(b->values[i], &low, &high);
    if (b->mark > 0) widen(b->mark, &low, &high);
    const bench_axis a = bench_axis_decades(low, high, true, LABELS, WIDTH - 60);
    open_figure(t, b->title, bottom + AXIS);
    legend(t, b->series, b->n_series, b->colour);
    upright_grid(t, &a, TOP, bottom);
    for (int label = 0; label < b->n_labels; label++) {
        const double y = TOP + label * group + GAP / 2;
        vel_text_add(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LABELS - 8, y + b->n_series * BAR / 2.0 + 4);
        bench_html_text(t, b->labels[label]);
        vel_text_add(t, "</text>\n");
        for (int s = 0; s < b->n_series; s++) one_bar(t, b, &a, label, s, y + s * BAR);
    }
    if (b->mark > 0)
        vel_text_add(t, "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
                     bench_axis_place(&a, b->mark), bench_axis_place(&a, b->mark), TOP, bottom);
    vel_text_add(t, "</svg></figure>\n");
}

static bool shown(const bench_lines *l, const bench_points *s, int i) {
    return s->y[i] > 0 && isfinite(s->y[i]) && isfinite(s->x[i]) && (!l->log_x || s->x[i] > 0);
}

static void one_series(vel_text *t, const bench_lines *l, const bench_points *s, const bench_axis *ax,
                       const bench_axis *ay) {
    bool first = true;
    vel_text_add(t, "<path class=\"line s%d\" d=\"", s->colour);
    for (int i = 0; i < s->n; i++)
        if (shown(l, s, i)) {
            vel_text_add(t, "%s%.1f %.1f", first ? "M" : " L", bench_axis_place(ax, s->x[i]),
                         bench_axis_place(ay, s->y[i]));
            first = false;
        }
    vel_text_add(t, "\"/>\n");
    for (int i = 0; i < s->n; i++) {
        if (!shown(l, s, i)) continue;
        vel_text_add(t, "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", s->colour,
                     bench_axis_place(ax, s->x[i]), bench_axis_place(ay, s->y[i]));
        bench_html_text(t, s->name);
        vel_text_add(t, ": ");
        if (s->titles)
            bench_html_text(t, s->titles[i]);
        else
            vel_text_add(t, "%.4g at %.4g", s->y[i], s->x[i]);
        vel_text_add(t, "</title></circle>\n");
    }
}

static void level_grid(vel_text *t, const bench_axis *a) {
    for (double y = a->low; y <= a->high * 1.0001; y *= 10)
        vel_text_add(t,
                     "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                     "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                     LEFT, WIDTH - RIGHT, bench_axis_place(a, y), bench_axis_place(a, y), LEFT - 6,
                     bench_axis_place(a, y) + 4, y);
}

static void names_of_axes(vel_text *t, const bench_lines *l) {
    vel_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT + 36);
    bench_html_text(t, l->x_name);
    vel_text_add(t, "</text><text x=\"%d\" y=\"14\">", 4);
    bench_html_text(t, l->y_name);
    vel_text_add(t, "</text>\n");
    for (int s = 0; s < l->n_series; s++) {
        vel_text_add(t, "<rect class=\"s%d\" x=\"%d\" y=\"%d\" width=\"10\" height=\"10\"/><text x=\"%d\" y=\"%d\">",
                     l->series[s].colour, WIDTH - RIGHT + 12, TOP + s * 16, WIDTH - RIGHT + 26, TOP + 9 + s * 16);
        bench_html_text(t, l->series[s].name);
        vel_text_add(t, "</text>\n");
    }
}

void bench_plot_lines(vel_text *t, const bench_lines *l) {
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (int s = 0; s < l->n_series; s++)
        for (int i = 0; i < l->series[s].n; i++)
            if (shown(l, &l->series[s], i)) {
                widen(l->series[s].x[i], &low_x, &high_x);
                widen(l->series[s].y[i], &low_y, &high_y);
            }
    if (!(high_y > 0)) return;
    const bench_axis ax = bench_axis_decades(low_x, high_x, l->log_x, LEFT, WIDTH - RIGHT);
    const bench_axis ay = bench_axis_decades(low_y, high_y, true, HEIGHT, TOP);
    open_figure(t, l->title, HEIGHT + 44);
    if (l->log_x) upright_grid(t, &ax, TOP, HEIGHT);
    level_grid(t, &ay);
    for (int s = 0; s < l->n_series; s++) one_series(t, l, &l->series[s], &ax, &ay);
    names_of_axes(t, l);
    vel_text_add(t, "</svg></figure>\n");
}
