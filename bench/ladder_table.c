#include "bench/ladder_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/host.h"
#include "bench/units.h"
#include "core/text.h"

const char *bench_side_word(bench_side_kind kind) { return kind == BENCH_OVER_CELLS ? "cells" : "genes"; }

static double seconds_of(const bench_rung *r) { return r->wall_s; }
static double bytes_of(const bench_rung *r) { return r->added_b; }

/* A quantity that is tabled. */
typedef struct {
    const char *title;
    double (*of)(const bench_rung *);
    bench_unit *unit;
    bool memory;
} quantity;

static const quantity quantities[] = {{"Time", seconds_of, bench_unit_seconds, false},
                                      {"Memory added", bytes_of, bench_unit_bytes, true}};
enum { N_QUANTITIES = sizeof quantities / sizeof *quantities };

static int top_rung(const bench_side *side, const bench_climb *climb) {
    int top = -1;
    for (int i = 0; i < side->sizes.n; i++)
        if (climb->rung[i].state == BENCH_RUNG_RAN) top = i;
    return top;
}

static void add_head(vel_text *t, const bench_side *side, bench_side_kind kind, const quantity *q) {
    char size[BENCH_UNIT], word[8];
    snprintf(word, sizeof word, "%.4s", bench_side_word(kind));
    vel_text_add(t, "\n%s a %s, at:\n\n| step |", q->title, word);
    for (int i = 0; i < side->sizes.n; i++) {
        bench_unit_count((double)side->sizes.at[i], size);
        vel_text_add(t, " %s |", size);
    }
    vel_text_add(t, " in all, at the top | exponent |%s growth |\n|---|", q->memory ? "" : " of CPU time |");
    for (int i = 0; i < side->sizes.n + (q->memory ? 2 : 3); i++) vel_text_add(t, "---:|");
    vel_text_add(t, "---|\n");
}

static void add_exponent(vel_text *t, const bench_growth *g) {
    if (isfinite(g->exponent))
        vel_text_add(t, " %.2f |", g->exponent);
    else
        vel_text_add(t, " – |");
}

static void add_growth(vel_text *t, const bench_growth *g, bool memory, const char *nature) {
    char words[BENCH_LAW_WORDS];
    bench_law_words(g, words);
    const bool too_little = g->law == BENCH_LAW_UNKNOWN && memory;
    vel_text_add(t, " %s", too_little ? "too little to tell" : words);
    if (nature && !memory && g->law > BENCH_LAW_LINEAR) vel_text_add(t, " (%s)", nature);
    vel_text_add(t, " |\n");
}

static void add_climb(vel_text *t, const bench_side *side, bench_side_kind kind, const bench_climb *climb,
                      const quantity *q) {
    char figure[BENCH_UNIT];
    const int top = top_rung(side, climb);
    vel_text_add(t, "| %s |", climb->step->name);
    for (int i = 0; i < side->sizes.n; i++) {
        q->unit(q->of(&climb->rung[i]) / (double)side->sizes.at[i], figure);
        vel_text_add(t, " %s |", figure);
    }
    q->unit(top < 0 ? NAN : q->of(&climb->rung[top]), figure);
    vel_text_add(t, " %s |", figure);
    const bench_growth *g = q->memory ? &climb->memory : &climb->wall;
    add_exponent(t, g);
    if (!q->memory) add_exponent(t, &climb->cpu);
    add_growth(t, g, q->memory, kind == BENCH_OVER_CELLS ? climb->step->over_cells : climb->step->over_genes);
}

static void add_side(vel_text *t, const bench_side *side, bench_side_kind kind) {
    if (!side->sizes.n) return;
    vel_text_add(t, "\n## Over %s, at %" PRId64 " %s\n", bench_side_word(kind), side->beside,
                 bench_side_word(kind == BENCH_OVER_CELLS ? BENCH_OVER_GENES : BENCH_OVER_CELLS));
    for (int q = 0; q < N_QUANTITIES; q++) {
        add_head(t, side, kind, &quantities[q]);
        for (int i = 0; i < side->n_climbs; i++) add_climb(t, side, kind, &side->climbs[i], &quantities[q]);
    }
}

/* One line for each reason of a climb: rungs above a stop repeat it. */
static void add_reasons(vel_text *t, const bench_side *side, bench_side_kind kind) {
    for (int i = 0; i < side->n_climbs; i++)
        for (int r = 0; r < side->sizes.n; r++) {
            const bench_rung *rung = &side->climbs[i].rung[r];
            if (!rung->reason) continue;
            char size[BENCH_UNIT];
            bench_unit_count((double)side->sizes.at[r], size);
            vel_text_add(t, "- %s, %s %s: %s\n", side->climbs[i].step->name, size, bench_side_word(kind), rung->reason);
            break;
        }
}

static void count_samples(const bench_side *side, int *all, int *doubtful) {
    for (int i = 0; i < side->n_climbs; i++)
        for (int r = 0; r < side->sizes.n; r++)
            for (int k = 0; k < side->climbs[i].rung[r].n; k++) {
                *all += 1;
                *doubtful += side->climbs[i].rung[r].samples[k].doubts != 0;
            }
}

static void add_notes(vel_text *t, const bench_ladder *ladder) {
    int all = 0, doubtful = 0;
    for (int s = 0; s < BENCH_SIDES; s++) count_samples(&ladder->sides[s], &all, &doubtful);
    vel_text_add(t,
                 "\nExponent e: cost grows as size^e, by least squares over the %d largest sizes; linear within %g of "
                 "1.\nTime is the least of at most %d repeats, wall; memory the most that was added to what was "
                 "resident\nbefore. %d of %d samples are doubtful (ladder.json says why).\n",
                 BENCH_TOP_RUNGS, BENCH_GROWTH_MARGIN, ladder->run->request.repeat, doubtful, all);
    if (ladder->run->interrupted) vel_text_add(t, "The run was interrupted.\n");
    vel_text_add(t, "\n");
    for (bench_side_kind s = BENCH_OVER_CELLS; s < BENCH_SIDES; s++) add_reasons(t, &ladder->sides[s], s);
}

vel_err bench_ladder_table(vel_ctx *ctx, const bench_ladder *ladder, const char **text) {
    const bench_run *run = ladder->run;
    vel_text t = vel_text_new(ctx->scratch);
    const char *hardware;
    VEL_TRY(bench_host_line(ctx, &run->host, &hardware));
    vel_text_add(&t, "# Growth over cells and genes\n\n%s; %s; vel %s%s%s; %d thread%s.\n", hardware,
                 run->started ? run->started : "", VEL_VERSION, run->host.commit ? ", " : "",
                 run->host.commit ? run->host.commit : "", run->request.threads, run->request.threads == 1 ? "" : "s");
    for (bench_side_kind s = BENCH_OVER_CELLS; s < BENCH_SIDES; s++) add_side(&t, &ladder->sides[s], s);
    add_notes(&t, ladder);
    return vel_text_done(ctx, &t, text);
}
