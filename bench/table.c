#include "bench/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/columns.h"
#include "bench/host.h"
#include "core/text.h"

static void add_parity(vel_text *t, const bench_run *run, const bench_line *line) {
    bool any = false;
    for (int b = 0; b < run->n_backends; b++) {
        const bench_parity *p = &line->cell[b].parity;
        if (!p->done) continue;
        vel_text_add(t, "%s%s%s%s %" PRId64 "/%" PRId64, any ? "; " : " ", b ? run->backends[b].name : "", b ? " " : "",
                     p->passes ? "PASS" : "DRIFT", p->passed, p->total);
        any = true;
    }
    vel_text_add(t, any ? " |" : line->wants_parity && line->state == BENCH_LINE_RAN ? " not checked |" : " – |");
}

static void add_head(vel_text *t, const bench_run *run, bench_kind kind) {
    vel_text_add(t, "| bench | cells x genes |");
    for (int b = 0; b < run->n_backends; b++)
        for (int i = -1; (i = bench_next_column(kind, b == 0, i)) >= 0;)
            vel_text_add(t, " %s |", bench_columns[i].title ? bench_columns[i].title : run->backends[b].name);
    vel_text_add(t, " parity |\n|---|---|");
    for (int b = 0; b < run->n_backends; b++)
        for (int i = -1; (i = bench_next_column(kind, b == 0, i)) >= 0;) vel_text_add(t, "---:|");
    vel_text_add(t, "---|\n");
}

static void add_means(vel_text *t, const bench_run *run, bench_kind kind) {
    char figure[BENCH_FIGURE];
    for (int b = 1; b < run->n_backends; b++) {
        const double mean = bench_mean_ratio(run, b, kind);
        if (!isfinite(mean)) continue;
        bench_show_ratio(mean, figure);
        vel_text_add(t, "\nGeometric mean of the wall times of %s over ours: %s.\n", run->backends[b].name, figure);
    }
}

static void add_row(vel_text *t, const bench_run *run, const bench_line *line) {
    char text[BENCH_FIGURE];
    bench_show_shape(line, text);
    vel_text_add(t, "| %s | %s |", line->row->name, text);
    for (int b = 0; b < run->n_backends; b++)
        for (int i = -1; (i = bench_next_column(line->row->kind, b == 0, i)) >= 0;) {
            bench_columns[i].show(line, &line->cell[0], &line->cell[b], text);
            vel_text_add(t, " %s |", text);
        }
    add_parity(t, run, line);
    vel_text_add(t, "\n");
}

static void add_section(vel_text *t, const bench_run *run, bench_kind kind) {
    bool any = false;
    for (int i = 0; i < run->n_lines; i++) {
        if (run->lines[i].row->kind != kind) continue;
        if (!any) {
            vel_text_add(t, "\n## %s\n\n", bench_kind_title(kind));
            add_head(t, run, kind);
        }
        any = true;
        add_row(t, run, &run->lines[i]);
    }
    if (any && !bench_is_memory(kind)) add_means(t, run, kind);
}

static void add_cell_notes(vel_text *t, const bench_run *run, const bench_line *line, int b) {
    const bench_cell *c = &line->cell[b];
    const char *who = run->backends[b].name, *word = bench_cell_word(line, c);
    if (line->state != BENCH_LINE_RAN) return;
    if (c->reason && word) vel_text_add(t, "- %s, %s: %s: %s\n", line->row->name, who, word, c->reason);
    if (c->parity.done && !c->parity.passes)
        vel_text_add(t, "- %s, %s: parity: %s\n", line->row->name, who, c->parity.worst ? c->parity.worst : "");
}

/* How many samples have which doubt. */
static void add_doubts(vel_text *t, const bench_run *run) {
    int samples = 0, doubtful = 0, count[BENCH_N_DOUBTS] = {0};
    for (int i = 0; i < run->n_lines; i++)
        for (int b = 0; b < run->n_backends; b++) {
            const bench_cell *c = &run->lines[i].cell[b];
            samples += c->n;
            doubtful += c->doubtful;
            for (int s = 0; s < c->n; s++)
                for (int k = 0; k < BENCH_N_DOUBTS; k++) count[k] += c->samples[s].doubts >> k & 1;
        }
    if (!doubtful) return;
    vel_text_add(t, "- %d of %d samples are doubtful:", doubtful, samples);
    for (int k = 0; k < BENCH_N_DOUBTS; k++)
        if (count[k]) vel_text_add(t, " %s %d,", bench_doubt_word(k), count[k]);
    vel_text_add(t, " each is marked in benchmark_results.json\n");
}

static void add_notes(vel_text *t, const bench_run *run) {
    vel_text_add(t, "\n## Notes\n\n");
    for (int b = 0; b < run->n_backends; b++) {
        const bench_backend *backend = &run->backends[b];
        vel_text_add(t, "- %s: %s\n", backend->name,
                     backend->missing   ? backend->missing
                     : backend->version ? backend->version
                                        : "version not told");
    }
    for (int i = 0; i < run->host.n_findings; i++)
        if (run->host.findings[i].warn)
            vel_text_add(t, "- the machine: %s: %s\n", run->host.findings[i].name, run->host.findings[i].value);
    for (int i = 0; i < run->n_lines; i++) {
        const bench_line *line = &run->lines[i];
        if (line->reason) vel_text_add(t, "- %s: %s\n", line->row->name, line->reason);
        for (int b = 0; b < run->n_backends; b++) add_cell_notes(t, run, line, b);
    }
    add_doubts(t, run);
    vel_text_add(
        t,
        "- Ratio: the other's need over ours, so more than 1 is in our favour. Peak added: the kernel's "
        "high-water mark over the timed part, less what was resident before, helper processes included. Parity: "
        "with scVelo's result, ours at velcmp's default tolerances (spec), rivals at its loose ones.\n");
}

vel_err bench_table_text(vel_ctx *ctx, const bench_run *run, const char **text) {
    vel_text t = vel_text_new(ctx->scratch);
    const char *hardware;
    VEL_TRY(bench_host_line(ctx, &run->host, &hardware));
    vel_text_add(&t, "# velbench --%s\n\n%s  \n%s, vel %s%s%s%s, %d thread%s for every program, %d repeat%s%s%s\n",
                 bench_set_word(run->request.set), hardware, run->started ? run->started : "", VEL_VERSION,
                 run->host.commit ? " (" : "", run->host.commit ? run->host.commit : "", run->host.commit ? ")" : "",
                 run->request.threads, run->request.threads == 1 ? "" : "s", run->request.repeat,
                 run->request.repeat == 1 ? "" : "s", run->interrupted ? ", interrupted" : "",
                 run->finished || run->interrupted ? "" : ", still running");
    if (run->request.scale != 1)
        vel_text_add(&t, "\n**Scaled: every bench on %g of its cells. These figures say nothing about full size.**\n",
                     run->request.scale);
    for (bench_kind kind = BENCH_SPEED; kind < BENCH_N_KINDS; kind++) add_section(&t, run, kind);
    add_notes(&t, run);
    return vel_text_done(ctx, &t, text);
}
