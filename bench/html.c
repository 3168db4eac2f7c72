#include "bench/html.h"

#include <inttypes.h>

#include "bench/columns.h"
#include "bench/figures.h"
#include "bench/host.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--soft:#5b6570;--paper:#fff;--rule:#d9dee3;--good:#1a7f4b;--bad:#b42318;"
    "--s0:#0b7285;--s1:#e07a1f;--s2:#6b4fbb;--s3:#2b8a3e;--s4:#c2255c;--s5:#868e96;--s6:#1864ab;--s7:#a07a00}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa4ae;--paper:#14181c;--rule:#323a42;--good:#"
    "51cf8a;"
    "--bad:#ff8a80;--s0:#3bc9db;--s1:#ffa94d;--s2:#b197fc;--s3:#69db7c;--s4:#faa2c1;--s5:#adb5bd;--s6:#74c0fc;"
    "--s7:#ffd43b}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:64rem;margin:2rem auto;"
    "padding:0 1rem}h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2.2rem}\n"
    "p,li{color:var(--soft)}.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left}th{font-weight:600;color:var(--soft)}\n"
    ".pass{color:var(--good)}.drift,.failed{color:var(--bad)}.skipped{color:var(--soft)}.banner{border:1px solid "
    "var(--bad);"
    "border-radius:6px;padding:.5rem .8rem;color:var(--bad)}\n"
    "figure{margin:1.2rem 0}figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;height:auto;max-width:760px}"
    "svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .tick,svg .word{fill:var(--soft)}"
    ".grid{stroke:var(--rule)}.mark{stroke:var(--ink);stroke-dasharray:4 3}.line{fill:none!important;stroke-width:2}\n";

static void add_style(vel_text *t) {
    vel_text_add(t, "<style>%s", style);
    for (int i = 0; i < BENCH_MOST_SERIES; i++) vel_text_add(t, ".s%d{fill:var(--s%d);stroke:var(--s%d)}", i, i, i);
    vel_text_add(t, "rect{stroke:none}</style>\n");
}

static void tagged(vel_text *t, const char *open, const char *text, const char *close) {
    vel_text_add(t, "%s", open);
    bench_html_text(t, text);
    vel_text_add(t, "%s", close);
}

static const char *class_of(const bench_line *line, const bench_cell *cell) {
    const bool skipped =
        line->state == BENCH_LINE_SKIPPED || cell->state == BENCH_CELL_SKIPPED || cell->state == BENCH_CELL_LEFT_OUT;
    return !bench_cell_word(line, cell) ? "figure" : skipped ? "skipped" : "failed";
}

/* The section's own figure; the other one, or the reason, under the pointer. */
static void add_figure(vel_text *t, const bench_line *line, const bench_cell *cell, const char *text) {
    char other[BENCH_FIGURE];
    const char *word = bench_cell_word(line, cell), *why = cell->reason ? cell->reason : line->reason;
    if (bench_is_memory(line->row->kind))
        bench_show_seconds(cell->wall_s.median, other);
    else
        bench_show_mb(cell->added_mb.median, other);
    vel_text_add(t, "<td class=\"%s\" title=\"", class_of(line, cell));
    bench_html_text(t, !word ? other : why ? why : "");
    tagged(t, "\">", text, "</td>");
}

static void add_cells(vel_text *t, const bench_line *line, int b) {
    for (int i = -1; (i = bench_next_column(line->row->kind, b == 0, i)) >= 0;) {
        char text[BENCH_FIGURE];
        bench_columns[i].show(line, &line->cell[0], &line->cell[b], text);
        if (!bench_columns[i].title)
            add_figure(t, line, &line->cell[b], text);
        else
            tagged(t, "<td>", text, "</td>");
    }
}

static void add_row(vel_text *t, const bench_run *run, const bench_line *line) {
    char shape[BENCH_FIGURE];
    bench_show_shape(line, shape);
    tagged(t, "<tr><td>", line->row->name, "</td>");
    tagged(t, "<td>", shape, "</td>");
    for (int b = 0; b < run->n_backends; b++) add_cells(t, line, b);
    vel_text_add(t, "<td>");
    for (int b = 0; b < run->n_backends; b++) {
        const bench_parity *p = &line->cell[b].parity;
        if (!p->done) continue;
        vel_text_add(t, "<span class=\"%s\" title=\"", p->passes ? "pass" : "drift");
        if (p->worst) bench_html_text(t, p->worst);
        vel_text_add(t, "\">%s %s %" PRId64 "/%" PRId64 "</span> ", run->backends[b].name, p->passes ? "PASS" : "DRIFT",
                     p->passed, p->total);
    }
    vel_text_add(t, "</td></tr>\n");
}

static void add_table(vel_text *t, const bench_run *run, bench_kind kind) {
    bool any = false;
    for (int i = 0; i < run->n_lines; i++) {
        if (run->lines[i].row->kind != kind) continue;
        if (!any) {
            tagged(t, "<h2>", bench_kind_title(kind),
                   "</h2>\n<div class=\"scroll\"><table><tr><th>bench</th><th>cells x genes</th>");
            for (int b = 0; b < run->n_backends; b++)
                for (int c = -1; (c = bench_next_column(kind, b == 0, c)) >= 0;)
                    tagged(t, "<th>", bench_columns[c].title ? bench_columns[c].title : run->backends[b].name, "</th>");
            vel_text_add(t, "<th>parity</th></tr>\n");
        }
        any = true;
        add_row(t, run, &run->lines[i]);
    }
    if (any) vel_text_add(t, "</table></div>\n");
}

static void add_reasons(vel_text *t, const bench_run *run) {
    vel_text_add(t, "<h2>Notes</h2>\n<ul>\n");
    for (int b = 0; b < run->n_backends; b++) {
        const bench_backend *backend = &run->backends[b];
        tagged(t, "<li>", backend->name, " ");
        tagged(t, "", backend->missing ? backend->missing : backend->version ? backend->version : "", "</li>\n");
    }
    for (int i = 0; i < run->n_lines; i++) {
        const bench_line *line = &run->lines[i];
        if (line->reason) {
            tagged(t, "<li>", line->row->name, ": ");
            tagged(t, "", line->reason, "</li>\n");
        }
        for (int b = 0; b < run->n_backends && line->state == BENCH_LINE_RAN; b++) {
            if (!line->cell[b].reason) continue;
            tagged(t, "<li>", line->row->name, ", ");
            tagged(t, "", run->backends[b].name, ": ");
            tagged(t, "", line->cell[b].reason, "</li>\n");
        }
    }
    for (int i = 0; i < run->host.n_findings; i++)
        if (run->host.findings[i].warn) {
            tagged(t, "<li>the machine: ", run->host.findings[i].name, ": ");
            tagged(t, "", run->host.findings[i].value, "</li>\n");
        }
    vel_text_add(t, "</ul>\n");
}

static vel_err add_head(vel_ctx *ctx, const bench_run *run, vel_text *t) {
    const char *hardware;
    VEL_TRY(bench_host_line(ctx, &run->host, &hardware));
    vel_text_add(t, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>velbench --%s</title>\n",
                 bench_set_word(run->request.set));
    vel_text_add(t, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    add_style(t);
    vel_text_add(t, "</head><body>\n<h1>velbench --%s</h1>\n", bench_set_word(run->request.set));
    tagged(t, "<p>", hardware, "<br>");
    tagged(t, "", run->started ? run->started : "", "");
    vel_text_add(t, ", vel %s%s%s, %d thread(s) for every program, %d repeat(s)%s</p>\n", VEL_VERSION,
                 run->host.commit ? ", " : "", run->host.commit ? run->host.commit : "", run->request.threads,
                 run->request.repeat, run->interrupted ? ", interrupted" : "");
    if (run->request.scale != 1)
        vel_text_add(t,
                     "<p class=\"banner\">Scaled: every bench on %g of its cells. These figures say nothing about "
                     "full size.</p>\n",
                     run->request.scale);
    return VEL_OK;
}

vel_err bench_html_page(vel_ctx *ctx, const bench_run *run, const json_t *history, const char **text) {
    vel_text t = vel_text_new(ctx->scratch);
    VEL_TRY(add_head(ctx, run, &t));
    for (bench_kind kind = BENCH_SPEED; kind < BENCH_N_KINDS; kind++) add_table(&t, run, kind);
    vel_text_add(&t, "<h2>Plots</h2>\n");
    VEL_TRY(bench_figure_ratios(ctx, run, &t));
    VEL_TRY(bench_figure_memory(ctx, run, &t));
    VEL_TRY(bench_figure_scaling(ctx, run, &t));
    VEL_TRY(bench_figure_history(ctx, history, &t));
    add_reasons(&t, run);
    vel_text_add(&t, "</body></html>\n");
    return vel_text_done(ctx, &t, text);
}
