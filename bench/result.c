#include "bench/result.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/fmath.h"

/* the level at which a verdict must stand, over all lines of a run */
static const double level = 0.05;

/* below this a ratio of memory says nothing: the kernel counts pages in batches */
static const double least_mb = 1;

const char *bench_cell_word(const bench_line *line, const bench_cell *cell) {
    switch (line->state) {
        case BENCH_LINE_PENDING:
            return "";
        case BENCH_LINE_SKIPPED:
            return "SKIPPED";
        case BENCH_LINE_FIXTURE:
            return "FIXTURE";
        case BENCH_LINE_RAN:
            break;
    }
    switch (cell->state) {
        case BENCH_CELL_PENDING:
            return "";
        case BENCH_CELL_SKIPPED:
            return "SKIPPED";
        case BENCH_CELL_LEFT_OUT:
            return "LEFT OUT";
        case BENCH_CELL_RAN:
            break;
    }
    return cell->outcome == BENCH_OK ? NULL : bench_outcome_cell(cell->outcome);
}

static double wall_s(const bench_sample *s) { return (double)s->wall_ns / 1e9; }
static double cpu_s(const bench_sample *s) { return (double)s->cpu_ns / 1e9; }
static double added_mb(const bench_sample *s) { return (double)s->peak_added_kb / 1024; }
static double base_mb(const bench_sample *s) { return (double)s->rss_before_kb / 1024; }
static double peak_mb(const bench_sample *s) { return (double)s->peak_rss_kb / 1024; }
static double sampled_mb(const bench_sample *s) { return (double)s->sampled_added_kb / 1024; }

static int values(const bench_cell *c, double (*of)(const bench_sample *), bool clean, double *x) {
    int n = 0;
    for (int i = 0; i < c->n; i++)
        if (!clean || !c->samples[i].doubts) x[n++] = of(&c->samples[i]);
    return n;
}

static bench_summary summary_of(const bench_cell *c, double (*of)(const bench_sample *), bool clean) {
    double x[BENCH_MOST_REPEATS];
    return bench_summarise(x, values(c, of, clean, x));
}

static bench_versus versus(const bench_cell *first, const bench_cell *other, double (*of)(const bench_sample *)) {
    double a[BENCH_MOST_REPEATS], b[BENCH_MOST_REPEATS];
    const int n = values(first, of, false, a), m = values(other, of, false, b);
    bench_versus v = bench_compare(a, b, n < m ? n : m);
    if (2 * first->doubtful > first->n || 2 * other->doubtful > other->n) v.verdict = BENCH_INCONCLUSIVE;
    return v;
}

static void summarise(bench_cell *c) {
    c->wall_s = summary_of(c, wall_s, false);
    c->cpu_s = summary_of(c, cpu_s, false);
    c->added_mb = summary_of(c, added_mb, false);
    c->base_mb = summary_of(c, base_mb, false);
    c->peak_mb = summary_of(c, peak_mb, false);
    c->sampled_mb = summary_of(c, sampled_mb, false);
    c->clean_wall_s = summary_of(c, wall_s, true);
    c->doubtful = c->n - c->clean_wall_s.n;
}

double bench_share(const bench_line *line, const bench_cell *cell) {
    const bool whole = line->row->kind == BENCH_WHOLE;
    if (line->bytes.results < 0 || (whole && line->bytes.inputs < 0)) return NAN;
    const double bytes = (double)line->bytes.results + (whole ? (double)line->bytes.inputs : 0), mb = bytes / (1 << 20);
    if (!cell->n || mb < least_mb) return NAN;
    return (whole ? cell->peak_mb.median : cell->added_mb.median) / mb;
}

double bench_mb_per_s(const bench_line *line, const bench_cell *cell) {
    if (line->row->kind != BENCH_IO || !cell->n || line->bytes.data < 0) return NAN;
    return (double)line->bytes.data / 1e6 / cell->wall_s.median;
}

static double middle_of(const bench_line *line, const double *seconds) {
    return line->n_plain && !line->warm ? bench_summarise(seconds, line->n_plain).median : NAN;
}

double bench_plain_s(const bench_line *line) { return middle_of(line, line->plain_s); }

double bench_disk_share(const bench_line *line, const bench_cell *cell) {
    return cell->n ? bench_plain_s(line) / cell->wall_s.median : NAN;
}

double bench_load_s(const bench_line *line) { return line->row->cold ? middle_of(line, line->load_s) : NAN; }

double bench_load_share(const bench_line *line, const bench_cell *cell) {
    return cell->n ? bench_load_s(line) / cell->wall_s.median : NAN;
}

double bench_estimate_ratio(const bench_line *line, const bench_cell *cell) {
    const double free_mb = line->row->within > 0 ? line->free_mb : cell->peak_mb.median;
    if (line->row->kind != BENCH_WHOLE || line->bytes.estimate < 0 || !cell->n || !(free_mb > 0)) return NAN;
    return (double)line->bytes.estimate / (1 << 20) / free_mb;
}

void bench_conclude_line(bench_run *run, bench_line *line) {
    bench_cell *first = &line->cell[0];
    for (int b = 0; b < run->n_backends; b++) summarise(&line->cell[b]);
    for (int b = 0; b < run->n_backends; b++) {
        bench_cell *c = &line->cell[b];
        const bool both = !bench_cell_word(line, first) && !bench_cell_word(line, c);
        const bench_versus none = bench_compare(NULL, NULL, 0);
        double (*const needs)(const bench_sample *) = line->row->kind == BENCH_WHOLE ? peak_mb : added_mb;
        const bool weighs = both && first->added_mb.min >= least_mb && c->added_mb.min >= least_mb;
        c->wall = both ? versus(first, c, wall_s) : none;
        c->cpu = both ? versus(first, c, cpu_s) : none;
        c->memory = weighs ? versus(first, c, needs) : none;
        c->share = bench_share(line, c);
        c->gain = NAN;
    }
}

static bool same_work(const bench_line *a, const bench_line *b) {
    return a->row->scope == b->row->scope && a->row->form == b->row->form && a->cells == b->cells &&
           a->row->genes == b->row->genes && a->fixture && b->fixture && strcmp(a->fixture, b->fixture) == 0 &&
           strcmp(a->before, b->before) == 0 && strcmp(a->op, b->op) == 0 && a->row->within == b->row->within &&
           a->row->cold == b->row->cold;
}

/* Wall time of the same work with one thread over this line's: of the last line before it that has it. */
static void find_gains(bench_run *run, bench_line *line) {
    for (int i = 0; &run->lines[i] < line; i++) {
        const bench_line *one = &run->lines[i];
        if (line->state != BENCH_LINE_RAN || one->state != BENCH_LINE_RAN || line->threads == 1 || one->threads != 1)
            continue;
        if (!same_work(line, one)) continue;
        for (int b = 0; b < run->n_backends; b++)
            if (line->cell[b].n && one->cell[b].n)
                line->cell[b].gain = one->cell[b].wall_s.median / line->cell[b].wall_s.median;
    }
}

void bench_conclude_run(bench_run *run) {
    bench_versus *tests[BENCH_MOST_BACKENDS * BENCH_MOST_ROWS];
    int n = 0;
    for (int i = 0; i < run->n_lines; i++) find_gains(run, &run->lines[i]);
    for (int i = 0; i < run->n_lines; i++)
        for (int b = 1; b < run->n_backends; b++) {
            bench_cell *c = &run->lines[i].cell[b];
            if (c->wall.n >= 2) tests[n++] = &c->wall;
        }
    bench_correct_verdicts(tests, n, level);
}

double bench_mean_ratio(const bench_run *run, int backend, bench_kind kind) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < run->n_lines; i++) {
        const double ratio = run->lines[i].cell[backend].wall.ratio;
        if (run->lines[i].row->kind != kind || run->lines[i].state != BENCH_LINE_RAN || !(ratio > 0)) continue;
        sum += vel_log(ratio);
        n++;
    }
    return n ? vel_exp(sum / n) : NAN;
}

int bench_exit_code(const bench_run *run) {
    bool unmeasured = false, drifted = false;
    if (run->interrupted) return 130;
    for (int i = 0; i < run->n_lines; i++) {
        const bench_line *line = &run->lines[i];
        if (line->state == BENCH_LINE_FIXTURE) unmeasured = true;
        if (line->state != BENCH_LINE_RAN) continue;
        const bench_cell *own = &line->cell[0];
        if (own->state == BENCH_CELL_RAN && own->outcome != BENCH_OK) unmeasured = true;
        if (line->wants_parity && own->parity.done && !own->parity.passes) drifted = true;
        if (line->compared && !line->same) drifted = true;
        for (int b = 1; b < run->n_backends; b++) {
            const bench_cell *c = &line->cell[b];
            /* running out of memory or time is a finding about a rival; the rest is a measurement that failed */
            const bool finding = c->outcome == BENCH_OK || c->outcome == BENCH_OOM || c->outcome == BENCH_TIMEOUT;
            if (c->state == BENCH_CELL_RAN && !finding) unmeasured = true;
        }
    }
    return unmeasured ? 3 : drifted ? 1 : 0;
}
