#include "bench/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void bench_show_seconds(double s, char *text) {
    if (!isfinite(s))
        snprintf(text, BENCH_FIGURE, "–");
    else if (s >= 100)
        snprintf(text, BENCH_FIGURE, "%.0f s", s);
    else if (s >= 1)
        snprintf(text, BENCH_FIGURE, "%.*f s", s >= 10 ? 1 : 2, s);
    else
        snprintf(text, BENCH_FIGURE, "%.3g ms", s * 1000);
}

void bench_show_mb(double mb, char *text) {
    if (!isfinite(mb))
        snprintf(text, BENCH_FIGURE, "–");
    else
        snprintf(text, BENCH_FIGURE, "%.*f MB", mb >= 100 ? 0 : 1, mb);
}

void bench_show_ratio(double x, char *text) {
    if (!isfinite(x))
        snprintf(text, BENCH_FIGURE, "–");
    else
        snprintf(text, BENCH_FIGURE, "%.*fx", x >= 100 ? 0 : x >= 10 ? 1 : 2, x);
}

void bench_show_shape(const bench_line *line, char *text) {
    snprintf(text, BENCH_FIGURE, "%" PRId64 " x %" PRId64 "%s", line->cells, line->genes,
             line->stand_in ? " (stand-in)" : "");
}

/* ---- one function a column */

static void show_threads(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first, (void)c;
    snprintf(text, BENCH_FIGURE, "%d", line->threads);
}

/* The section's own figure, or the word that stands for it. */
static void show_figure(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    const char *word = bench_cell_word(line, c);
    if (word)
        snprintf(text, BENCH_FIGURE, "%s", word);
    else if (line->row->kind == BENCH_WHOLE)
        bench_show_mb(c->peak_mb.median, text);
    else if (line->row->kind == BENCH_MEMORY)
        bench_show_mb(c->added_mb.median, text);
    else
        bench_show_seconds(c->wall_s.median, text);
}

static void show_verdict(const bench_versus *v, char *text) {
    char ratio[BENCH_FIGURE];
    bench_show_ratio(v->ratio, ratio);
    snprintf(text, BENCH_FIGURE, "%.20s%s", ratio, v->verdict == BENCH_SAME ? " (same)" : "");
}

static void show_wall_ratio(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)line, (void)first;
    show_verdict(&c->wall, text);
}

static void show_cpu_ratio(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)line, (void)first;
    bench_show_ratio(c->cpu.ratio, text);
}

static void show_memory_ratio(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)line, (void)first;
    show_verdict(&c->memory, text);
}

static void show_saved(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    const bool both = !bench_cell_word(line, first) && !bench_cell_word(line, c);
    bench_show_mb(both ? c->added_mb.median - first->added_mb.median : NAN, text);
}

static void show_gain(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)line, (void)first;
    bench_show_ratio(c->gain, text);
}

static void show_added(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    bench_show_mb(bench_cell_word(line, c) ? NAN : c->added_mb.median, text);
}

static void show_base(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    bench_show_mb(bench_cell_word(line, c) ? NAN : c->base_mb.median, text);
}

static void show_share(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)line, (void)first;
    if (isfinite(c->share))
        snprintf(text, BENCH_FIGURE, "%.2f%s", c->share, c->share > BENCH_BOUND ? " (above)" : "");
    else
        snprintf(text, BENCH_FIGURE, "–");
}

/* What the plan thought over what it was. */
static void show_estimate(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    const double ratio = bench_estimate_ratio(line, c);
    if (isfinite(ratio))
        snprintf(text, BENCH_FIGURE, "%.2f", ratio);
    else
        snprintf(text, BENCH_FIGURE, "–");
}

static void show_budget(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    const double budget = (double)line->bytes.budget / (1 << 20);
    if (!c->n || line->bytes.budget < 0)
        snprintf(text, BENCH_FIGURE, "–");
    else
        snprintf(text, BENCH_FIGURE, "%.0f MB%s%s", budget, c->peak_mb.median > budget ? " (above)" : "",
                 !line->compared ? ""
                 : line->same    ? ", same bytes"
                                 : ", OTHER BYTES");
}

static void show_speed(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    (void)first;
    const double speed = bench_mb_per_s(line, c);
    if (isfinite(speed))
        snprintf(text, BENCH_FIGURE, "%.0f MB/s", speed);
    else
        snprintf(text, BENCH_FIGURE, "–");
}

/* With the time of the plain read or write, once a row. */
static void show_plain(double share, const char *what, double plain_s, bool once, char *text) {
    char plain[BENCH_FIGURE];
    bench_show_seconds(plain_s, plain);
    if (!isfinite(share))
        snprintf(text, BENCH_FIGURE, "–");
    else if (once)
        snprintf(text, BENCH_FIGURE, "%.0f %% (%s%.20s)", 100 * share, what, plain);
    else
        snprintf(text, BENCH_FIGURE, "%.0f %%", 100 * share);
}

static void show_disk_share(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    const char *what = line->row->scope == BENCH_SCOPE_WRITE ? "plain write " : "plain read ";
    show_plain(bench_disk_share(line, c), what, bench_plain_s(line), c == first, text);
}

static void show_load_share(const bench_line *line, const bench_cell *first, const bench_cell *c, char *text) {
    show_plain(bench_load_share(line, c), "", bench_load_s(line), c == first, text);
}

#define IN(kind) (1u << BENCH_##kind)
#define TIMES (IN(SPEED) | IN(STEP) | IN(THREADS) | IN(IO) | IN(VENDOR))
#define ALL ((1u << BENCH_N_KINDS) - 1)
#define BOUND_TEXT "(at most 1.3)"

const bench_column bench_columns[] = {
    {"threads", IN(THREADS), true, false, show_threads},
    {NULL, ALL, true, true, show_figure},
    {"ratio", TIMES, false, true, show_wall_ratio},
    {"CPU ratio", TIMES, false, true, show_cpu_ratio},
    {"times one thread", IN(THREADS) | IN(IO), true, true, show_gain},
    {"MB/s", IN(IO), true, true, show_speed},
    {"of the disk's speed", IN(IO), true, true, show_disk_share},
    {"of a read into new memory", IN(IO), true, true, show_load_share},
    {"added", IN(STEP), true, true, show_added},
    {"of its results " BOUND_TEXT, IN(STEP) | IN(MEMORY), true, false, show_share},
    {"ratio", IN(MEMORY) | IN(WHOLE), false, true, show_memory_ratio},
    {"memory ratio", IN(STEP), false, true, show_memory_ratio},
    {"saved", IN(MEMORY), false, true, show_saved},
    {"idle", IN(WHOLE), true, true, show_base},
    {"of inputs and results " BOUND_TEXT, IN(WHOLE), true, true, show_share},
    {"estimate over it", IN(WHOLE), true, false, show_estimate},
    {"budget", IN(WHOLE), true, false, show_budget},
};
const int bench_n_columns = (int)(sizeof bench_columns / sizeof bench_columns[0]);

int bench_next_column(bench_kind kind, bool own, int from) {
    for (int i = from + 1; i < bench_n_columns; i++) {
        const bench_column *c = &bench_columns[i];
        if (c->kinds >> kind & 1 && (own ? c->own : c->rivals)) return i;
    }
    return -1;
}
