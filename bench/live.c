#include "bench/live.h"

#include <jansson.h>

#include "bench/columns.h"
#include "bench/results.h"
#include "io/json.h"

static void event(bench_live *live, json_t *object) {
    if (live->programs && object) {
        json_dumpf(object, live->programs, JSON_COMPACT | JSON_REAL_PRECISION(17));
        fputc('\n', live->programs);
        fflush(live->programs);
    }
    json_decref(object);
}

void bench_live_start(bench_live *live, const bench_run *run, int line, int backend, int repeat) {
    const char *bench = run->lines[line].row->name, *who = run->backends[backend].name;
    if (live->people && live->terminal) {
        fprintf(live->people, "\r\033[K[%d/%d] %s: %s, %d of %d …", line + 1, run->n_lines, bench, who, repeat + 1,
                run->request.repeat);
        fflush(live->people);
    }
    if (live->programs)
        event(live, json_pack("{s:s, s:s, s:s, s:i}", "event", "start", "bench", bench, "backend", who, "repeat",
                              repeat + 1));
}

static void say_cell(FILE *out, const bench_run *run, const bench_line *line, int b) {
    char time[BENCH_FIGURE], memory[BENCH_FIGURE], ratio[BENCH_FIGURE];
    const bench_cell *c = &line->cell[b];
    const char *word = bench_cell_word(line, c);
    if (word) {
        fprintf(out, "  %s %s", run->backends[b].name, word);
        return;
    }
    bench_show_seconds(c->wall_s.median, time);
    const bool whole = line->row->kind == BENCH_WHOLE;
    bench_show_mb(whole ? c->peak_mb.median : c->added_mb.median, memory);
    fprintf(out, "  %s %s %s%s", run->backends[b].name, time, whole ? "" : "+", memory);
    if (!b) return;
    bench_show_ratio(bench_is_memory(line->row->kind) ? c->memory.ratio : c->wall.ratio, ratio);
    fprintf(out, " (%s)", ratio);
}

static void say_line(FILE *out, const bench_run *run, int i) {
    const bench_line *line = &run->lines[i];
    fprintf(out, "[%d/%d] %s%s:", i + 1, run->n_lines, line->row->name, line->stand_in ? " (stand-in)" : "");
    if (line->state != BENCH_LINE_RAN)
        fprintf(out, " %s: %s", bench_cell_word(line, &line->cell[0]), line->reason ? line->reason : "");
    for (int b = 0; b < run->n_backends && line->state == BENCH_LINE_RAN; b++) say_cell(out, run, line, b);
    for (int b = 0; b < run->n_backends; b++)
        if (line->cell[b].parity.done)
            fprintf(out, "  %s %s %lld/%lld", run->backends[b].name, line->cell[b].parity.passes ? "PASS" : "DRIFT",
                    (long long)line->cell[b].parity.passed, (long long)line->cell[b].parity.total);
    fputc('\n', out);
}

void bench_live_done(bench_live *live, const bench_run *run, int i) {
    const bench_line *line = &run->lines[i];
    if (live->people) {
        if (live->terminal) fputs("\r\033[K", live->people);
        say_line(live->people, run, i);
        fflush(live->people);
    }
    if (!live->programs) return;
    json_t *cells = json_array();
    for (int b = 0; b < run->n_backends; b++) json_array_append_new(cells, bench_cell_json(run, line, b));
    event(live, json_pack("{s:s, s:s, s:I, s:I, s:b, s:o, s:o}", "event", "bench", "bench", line->row->name, "cells",
                          (json_int_t)line->cells, "genes", (json_int_t)line->genes, "stand_in", line->stand_in,
                          "reason", vel_json_text(line->reason), "results", cells));
}

void bench_live_end(bench_live *live, const bench_run *run, int exit_code) {
    if (live->programs)
        event(live, json_pack("{s:s, s:o, s:i, s:b}", "event", "done", "out", vel_json_text(run->request.out),
                              "exit_code", exit_code, "interrupted", run->interrupted));
}
