#include "bench/ladder_json.h"

#include "bench/ladder_table.h"
#include "bench/results.h"
#include "io/json.h"

static json_t *growth_json(const bench_growth *g) {
    char words[BENCH_LAW_WORDS];
    bench_law_words(g, words);
    return json_pack("{s:i, s:o, s:o, s:o}", "rungs", g->n, "exponent", vel_json_real(g->exponent), "rms",
                     vel_json_real(g->rms), "law", g->law == BENCH_LAW_UNKNOWN ? json_null() : json_string(words));
}

static json_t *rung_json(const bench_rung *r, int64_t size) {
    static const char *const states[] = {"pending", "ok", "stopped", "failed"};
    json_t *samples = json_array();
    for (int i = 0; i < r->n; i++) json_array_append_new(samples, bench_sample_json(&r->samples[i]));
    return json_pack("{s:I, s:s, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "size", (json_int_t)size, "status",
                     states[r->state], "reason", vel_json_text(r->reason), "cells", (json_int_t)r->cells, "genes",
                     (json_int_t)r->genes, "wall_s", vel_json_real(r->wall_s), "cpu_s", vel_json_real(r->cpu_s),
                     "added_b", vel_json_real(r->added_b), "peak_b", vel_json_real(r->peak_b), "samples", samples);
}

static json_t *climb_json(const bench_side *side, const bench_climb *climb) {
    json_t *rungs = json_array();
    for (int i = 0; i < side->sizes.n; i++) json_array_append_new(rungs, rung_json(&climb->rung[i], side->sizes.at[i]));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "step", climb->step->name, "before",
                     climb->step->before, "op", climb->step->op, "over_cells", vel_json_text(climb->step->over_cells),
                     "over_genes", vel_json_text(climb->step->over_genes), "wall", growth_json(&climb->wall), "cpu",
                     growth_json(&climb->cpu), "memory", growth_json(&climb->memory), "rungs", rungs);
}

static json_t *side_json(const bench_side *side, bench_side_kind kind) {
    json_t *climbs = json_array();
    for (int i = 0; i < side->n_climbs; i++) json_array_append_new(climbs, climb_json(side, &side->climbs[i]));
    return json_pack("{s:s, s:I, s:o}", "over", bench_side_word(kind), "beside", (json_int_t)side->beside, "climbs",
                     climbs);
}

json_t *bench_ladder_json(const bench_ladder *ladder) {
    const bench_run *run = ladder->run;
    json_t *sides = json_array();
    for (bench_side_kind s = BENCH_OVER_CELLS; s < BENCH_SIDES; s++)
        json_array_append_new(sides, side_json(&ladder->sides[s], s));
    return json_pack("{s:s, s:{s:s, s:s, s:o}, s:o, s:o, s:b, s:o, s:o, s:i, s:i, s:f, s:f, s:o}", "schema",
                     BENCH_LADDER_SCHEMA, "tool", "name", "velbench", "version", VEL_VERSION, "commit",
                     vel_json_text(run->host.commit), "started", vel_json_text(run->started), "finished",
                     vel_json_text(run->finished), "interrupted", run->interrupted, "argv", bench_argv_json(run),
                     "host", bench_host_json(run), "threads", run->request.threads, "repeat", run->request.repeat,
                     "budget_s", ladder->budget_s, "margin", BENCH_GROWTH_MARGIN, "sides", sides);
}
