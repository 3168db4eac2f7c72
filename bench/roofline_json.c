#include "bench/roofline_json.h"

#include "bench/results.h"
#include "bench/roofline_table.h"
#include "io/json.h"

static json_t *speeds_json(const bench_speeds *s) {
    json_t *levels = json_array();
    if (!s->threads) {
        json_decref(levels);
        return json_null();
    }
    for (int i = 0; i < BENCH_LEVELS; i++) {
        const bench_level *l = &s->level[i];
        json_array_append_new(
            levels, json_pack("{s:s, s:I, s:f, s:f, s:f, s:f}", "name", l->name, "working_set_b", (json_int_t)l->bytes,
                              "read_b_s", l->read, "copy_b_s", l->copy, "triad_b_s", l->triad, "gather_s", l->gather));
    }
    return json_pack("{s:i, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "threads", s->threads, "levels", levels,
                     "fused_f64_s", s->fused_f64, "fused_f32_s", s->fused_f32, "apart_f64_s", s->apart_f64,
                     "apart_f32_s", s->apart_f32, "divide_s", s->divide, "exp_s", s->exp, "log_s", s->log, "chain_s",
                     s->chain);
}

static json_t *kernel_json(const bench_placed *p) {
    const bench_work *w = &p->work;
    json_t *needs = json_object();
    for (int i = 0; i < BENCH_LIMITS; i++)
        json_object_set_new(needs, bench_limit_of_word((bench_limited_by)i), vel_json_real(p->need_s[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:o, s:s, s:o, s:o}",
                     "name", p->kernel->name, "what", p->kernel->what, "formulas", p->kernel->formulas, "arithmetic",
                     bench_arithmetic_word(p->kernel->arithmetic), "seconds", vel_json_real(p->seconds), "bytes",
                     w->bytes, "working_set_b", w->set, "operations", w->flops, "random_loads", w->gathers, "jumps_b",
                     w->jumps, "exps", w->exps, "logs", w->logs, "divisions", w->divides, "chained_additions", w->chain,
                     "level", p->level->name, "need_s", needs, "limited_by", bench_limit_of_word(p->limit), "roof_s",
                     vel_json_real(p->roof_s), "share", vel_json_real(p->roof_s / p->seconds));
}

static json_t *shape_json(const bench_shape *s) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "cells", (json_int_t)s->cells, "genes",
                     (json_int_t)s->genes, "wide", (json_int_t)s->wide, "neighbors", (json_int_t)s->neighbors, "dims",
                     (json_int_t)s->dims, "points", (json_int_t)s->points, "queries", (json_int_t)s->queries,
                     "candidates", (json_int_t)s->candidates);
}

json_t *bench_roofline_json(const bench_roofline *r) {
    const bench_run *run = r->run;
    json_t *kernels = json_array();
    for (int i = 0; i < r->n; i++) json_array_append_new(kernels, kernel_json(&r->placed[i]));
    return json_pack("{s:s, s:{s:s, s:s, s:o}, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:{s:o, s:o}, s:o, s:o}", "schema",
                     BENCH_ROOFLINE_SCHEMA, "tool", "name", "velbench", "version", VEL_VERSION, "commit",
                     vel_json_text(run->host.commit), "started", vel_json_text(run->started), "finished",
                     vel_json_text(run->finished), "argv", bench_argv_json(run), "host", bench_host_json(run),
                     "instruction_set", vel_cpu_name(vel_cpu_level()), "one_thread", speeds_json(&r->one),
                     "all_threads", speeds_json(&r->all), "disk", "written_b_s", vel_json_real(r->disk_written),
                     "read_b_s", vel_json_real(r->disk_read), "shape", shape_json(&r->shape), "kernels", kernels);
}
