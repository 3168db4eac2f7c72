#include "bench/figures.h"

#include <math.h>
#include <string.h>

#include "bench/format.h"

enum { MOST_HISTORY_SERIES = 8 };

/* The names of the backends; the first is left out for ratios. */
static vel_err names_of(vel_ctx *ctx, const bench_run *run, const char ***names) {
    VEL_TRY(VEL_ALLOC(ctx, *names, run->n_backends));
    for (int b = 0; b < run->n_backends; b++) (*names)[b] = run->backends[b].name;
    return VEL_OK;
}

typedef double figure_of(const bench_cell *cell);
static double wall_ratio(const bench_cell *cell) { return cell->wall.ratio; }
static double added_mb(const bench_cell *cell) { return cell->added_mb.n ? cell->added_mb.median : NAN; }

/* One group of bars for each line that has run and that `wanted` takes; backends from `first` on. */
static vel_err bars_of(vel_ctx *ctx, const bench_run *run, bool memory, int first, figure_of *figure, bench_bars *b) {
    const char **labels, **words, **names;
    double *values;
    VEL_TRY(names_of(ctx, run, &names));
    VEL_TRY(VEL_ALLOC(ctx, labels, run->n_lines));
    VEL_TRY(VEL_ALLOC(ctx, values, run->n_lines * run->n_backends));
    VEL_TRY(VEL_ALLOC(ctx, words, run->n_lines * run->n_backends));
    b->n_series = run->n_backends - first;
    for (int i = 0; i < run->n_lines; i++) {
        const bench_line *line = &run->lines[i];
        if (line->state != BENCH_LINE_RAN || memory != bench_is_memory(line->row->kind)) continue;
        for (int s = 0; s < b->n_series; s++) {
            const bench_cell *cell = &line->cell[first + s];
            const char *word = bench_cell_word(line, cell);
            values[b->n_labels * b->n_series + s] = word ? NAN : figure(cell);
            words[b->n_labels * b->n_series + s] = word;
        }
        labels[b->n_labels++] = line->row->name;
    }
    b->labels = labels;
    b->series = names + first;
    b->values = values;
    b->words = words;
    return VEL_OK;
}

static bool has_figures(const bench_bars *b) {
    for (int i = 0; i < b->n_labels * b->n_series; i++)
        if (b->values[i] > 0) return true;
    return false;
}

vel_err bench_figure_ratios(vel_ctx *ctx, const bench_run *run, vel_text *t) {
    bench_bars b = {
        .title = "Wall time over ours (1: equal; to the right: we are faster)", .unit = "x", .mark = 1, .colour = 1};
    VEL_TRY(bars_of(ctx, run, false, 1, wall_ratio, &b));
    if (has_figures(&b)) bench_plot_bars(t, &b);
    return VEL_OK;
}

vel_err bench_figure_memory(vel_ctx *ctx, const bench_run *run, vel_text *t) {
    bench_bars b = {.title = "Peak memory added by the timed part, MB", .unit = "MB"};
    VEL_TRY(bars_of(ctx, run, true, 0, added_mb, &b));
    if (has_figures(&b)) bench_plot_bars(t, &b);
    return VEL_OK;
}

/* Keeps x ascending; of two points with one x the lower stays. */
static void put_point(double *x, double *y, int *n, double at, double value) {
    int i = 0;
    while (i < *n && x[i] < at) i++;
    if (i < *n && x[i] == at) {
        if (value < y[i]) y[i] = value;
        return;
    }
    for (int k = (*n)++; k > i; k--) {
        x[k] = x[k - 1];
        y[k] = y[k - 1];
    }
    x[i] = at;
    y[i] = value;
}

/* The published benches of one recipe differ in cells. */
static bool scales(const bench_line *line) {
    return line->op && line->row->threads == 0 && (line->row->kind == BENCH_SPEED || line->row->kind == BENCH_MEMORY);
}

static bool same_recipes(const bench_line *a, const bench_line *b) {
    return scales(a) && scales(b) && strcmp(a->op, b->op) == 0 && strcmp(a->before, b->before) == 0;
}

/* The lines whose recipe is the same as that of lines[i], as points of one backend: cells against seconds a gene. */
static vel_err scaling_of(vel_ctx *ctx, const bench_run *run, int i, int backend, bench_points *p) {
    double *x, *y;
    VEL_TRY(VEL_ALLOC(ctx, x, run->n_lines));
    VEL_TRY(VEL_ALLOC(ctx, y, run->n_lines));
    for (int k = 0; k < run->n_lines; k++) {
        const bench_line *line = &run->lines[k];
        const bench_cell *cell = &line->cell[backend];
        if (line->state != BENCH_LINE_RAN || !cell->n || !line->genes) continue;
        if (!same_recipes(line, &run->lines[i])) continue;
        put_point(x, y, &p->n, (double)line->cells, cell->wall_s.median / (double)line->genes);
    }
    p->x = x;
    p->y = y;
    p->name = run->backends[backend].name;
    p->colour = backend;
    return VEL_OK;
}

static bool seen_before(const bench_run *run, int i) {
    for (int k = 0; k < i; k++)
        if (same_recipes(&run->lines[k], &run->lines[i])) return true;
    return false;
}

vel_err bench_figure_scaling(vel_ctx *ctx, const bench_run *run, vel_text *t) {
    for (int i = 0; i < run->n_lines; i++) {
        bench_points *points;
        int most = 0;
        if (!scales(&run->lines[i]) || seen_before(run, i)) continue;
        VEL_TRY(VEL_ZALLOC(ctx, points, run->n_backends));
        for (int b = 0; b < run->n_backends; b++) {
            VEL_TRY(scaling_of(ctx, run, i, b, &points[b]));
            if (points[b].n > most) most = points[b].n;
        }
        if (most < 2) continue;
        const char *title;
        VEL_TRY(bench_format(ctx, ctx->scratch, &title, "Time over cells: %s", run->lines[i].op));
        bench_plot_lines(t, &(bench_lines){.title = title,
                                           .x_name = "cells",
                                           .y_name = "seconds a gene",
                                           .log_x = true,
                                           .series = points,
                                           .n_series = run->n_backends});
    }
    return VEL_OK;
}

/* The ratios of one rival in one bench over the history, as points at 1, 2, … */
static vel_err history_of(vel_ctx *ctx, const json_t *history, const char *rival, const char *bench, bench_points *p) {
    const int n = (int)json_array_size(history);
    double *x, *y;
    const char **titles;
    VEL_TRY(VEL_ALLOC(ctx, x, n));
    VEL_TRY(VEL_ALLOC(ctx, y, n));
    VEL_TRY(VEL_ALLOC(ctx, titles, n));
    for (int i = 0; i < n; i++) {
        const json_t *line = json_array_get(history, (size_t)i);
        const char *time = json_string_value(json_object_get(line, "time"));
        const char *commit = json_string_value(json_object_get(line, "commit"));
        x[i] = i + 1;
        y[i] = json_number_value(json_object_get(json_object_get(json_object_get(line, "ratios"), rival), bench));
        VEL_TRY(
            bench_format(ctx, ctx->scratch, &titles[i], "%.3gx, %s %s", y[i], time ? time : "", commit ? commit : ""));
    }
    *p = (bench_points){.name = p->name, .x = x, .y = y, .titles = titles, .n = n, .colour = p->colour};
    return VEL_OK;
}

/* The benches of a rival in the newest line; others have no line in the plot. */
static vel_err history_of_rival(vel_ctx *ctx, const json_t *history, const char *rival, json_t *ratios, vel_text *t) {
    bench_points points[MOST_HISTORY_SERIES];
    const char *bench, *title;
    json_t *ratio;
    int n = 0;
    json_object_foreach(ratios, bench, ratio) {
        if (n == MOST_HISTORY_SERIES) break;
        points[n] = (bench_points){.name = bench, .colour = n};
        VEL_TRY(history_of(ctx, history, rival, bench, &points[n++]));
    }
    VEL_TRY(bench_format(ctx, ctx->scratch, &title, "History: %s over ours", rival));
    bench_plot_lines(
        t, &(bench_lines){.title = title, .x_name = "run", .y_name = "ratio", .series = points, .n_series = n});
    return VEL_OK;
}

vel_err bench_figure_history(vel_ctx *ctx, const json_t *history, vel_text *t) {
    const size_t n = json_array_size(history);
    const char *rival;
    json_t *ratios;
    if (n < 2) return VEL_OK;
    json_object_foreach(json_object_get(json_array_get(history, n - 1), "ratios"), rival, ratios)
        VEL_TRY(history_of_rival(ctx, history, rival, ratios, t));
    return VEL_OK;
}
