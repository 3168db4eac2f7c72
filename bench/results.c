#include "bench/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/format.h"
#include "bench/host.h"
#include "bench/measure.h"
#include "io/json.h"

/* -1 stands for "not told". */
static json_t *count(int64_t x) {
    if (x < 0) return json_null();
    if (x <= INT64_C(1) << 53) return json_integer(x);
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)x);
    return json_string(digits);
}

static json_t *doubts(unsigned bits) {
    json_t *list = json_array();
    for (int i = 0; i < BENCH_N_DOUBTS; i++)
        if (bits >> i & 1) json_array_append_new(list, json_string(bench_doubt_word(i)));
    return list;
}

json_t *bench_sample_json(const bench_sample *s) {
    const struct {
        const char *key;
        int64_t value;
    } counts[] = {{"wall_ns", s->wall_ns},
                  {"cpu_ns", s->cpu_ns},
                  {"cpu_user_ns", s->cpu_user_ns},
                  {"cpu_sys_ns", s->cpu_sys_ns},
                  {"minflt", s->minflt},
                  {"majflt", s->majflt},
                  {"nvcsw", s->nvcsw},
                  {"nivcsw", s->nivcsw},
                  {"steal_ticks", s->steal_ticks},
                  {"psi_cpu_us", s->pressure_us},
                  {"rss_before_kb", s->rss_before_kb},
                  {"peak_rss_kb", s->peak_rss_kb},
                  {"peak_rss_added_kb", s->peak_added_kb},
                  {"peak_rss_sampled_kb", s->sampled_added_kb},
                  {"cgroup_peak_b", s->cgroup_peak_bytes},
                  {"helpers", s->helpers},
                  {"start_ns", s->start_ns},
                  {"order", s->order}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        json_object_set_new(object, counts[i].key, count(counts[i].value));
    json_object_set_new(object, "peak_exact", json_boolean(s->exact));
    json_object_set_new(object, "contaminated", json_boolean(s->doubts != 0));
    json_object_set_new(object, "reasons", doubts(s->doubts));
    return object;
}

static json_t *summary_json(const bench_summary *s) {
    json_t *object =
        json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "n", s->n, "median", vel_json_real(s->median), "min",
                  vel_json_real(s->min), "max", vel_json_real(s->max), "mad", vel_json_real(s->mad), "low",
                  vel_json_real(s->low), "high", vel_json_real(s->high), "coverage", s->coverage);
    if (s->n == 0)
        json_object_set_new(object, "reason", json_string("no good repeat"));
    else if (s->n == 1)
        json_object_set_new(object, "reason", json_string("one repeat has no interval"));
    return object;
}

static json_t *versus_json(const bench_versus *v) {
    json_t *object = json_pack("{s:i, s:o, s:o, s:o, s:f, s:f, s:s}", "n", v->n, "ratio", vel_json_real(v->ratio),
                               "low", vel_json_real(v->low), "high", vel_json_real(v->high), "coverage", v->coverage,
                               "p", v->p, "verdict", bench_verdict_word(v->verdict));
    if (!isfinite(v->ratio))
        json_object_set_new(object, "reason", json_string("one of the two has no figure, or less than a ratio needs"));
    else if (v->n == 1)
        json_object_set_new(object, "reason", json_string("one repeat has no interval"));
    return object;
}

static json_t *parity_json(const bench_parity *p) {
    if (!p->done) return json_null();
    return json_pack("{s:s, s:I, s:I, s:o}", "verdict", p->passes ? "PASS" : "DRIFT", "passed", (json_int_t)p->passed,
                     "total", (json_int_t)p->total, "worst", vel_json_text(p->worst));
}

json_t *bench_cell_json(const bench_run *run, const bench_line *line, int backend) {
    const bench_cell *c = &line->cell[backend];
    const char *word = bench_cell_word(line, c);
    const bool ran = c->state == BENCH_CELL_RAN;
    json_t *object = json_object(), *samples = json_array(), *frame = c->frame ? json_loads(c->frame, 0, NULL) : NULL;
    for (int i = 0; i < c->n; i++) json_array_append_new(samples, bench_sample_json(&c->samples[i]));
    json_object_set_new(object, "backend", vel_json_text(run->backends[backend].name));
    json_object_set_new(object, "status", vel_json_text(word ? (*word ? word : "PENDING") : "ok"));
    json_object_set_new(object, "outcome", ran ? vel_json_text(bench_outcome_word(c->outcome)) : json_null());
    json_object_set_new(object, "code", ran ? json_integer(c->code) : json_null());
    json_object_set_new(object, "reason", vel_json_text(c->reason));
    json_object_set_new(object, "stderr_tail", vel_json_text(c->words));
    json_object_set_new(object, "memory_limit", vel_json_text(bench_limit_word(c->limit)));
    json_object_set_new(object, "child", frame ? frame : json_null());
    json_object_set_new(object, "samples", samples);
    json_object_set_new(object, "wall_s", summary_json(&c->wall_s));
    json_object_set_new(object, "wall_s_clean", summary_json(&c->clean_wall_s));
    json_object_set_new(object, "cpu_s", summary_json(&c->cpu_s));
    json_object_set_new(object, "peak_added_mb", summary_json(&c->added_mb));
    json_object_set_new(object, "sampled_added_mb", summary_json(&c->sampled_mb));
    json_object_set_new(object, "peak_mb", summary_json(&c->peak_mb));
    json_object_set_new(object, "idle_mb", summary_json(&c->base_mb));
    json_object_set_new(object, "memory_share", vel_json_real(c->share));
    json_object_set_new(object, "estimate_ratio", vel_json_real(backend ? NAN : bench_estimate_ratio(line, c)));
    json_object_set_new(object, "thread_gain", vel_json_real(c->gain));
    json_object_set_new(object, "mb_per_s", vel_json_real(bench_mb_per_s(line, c)));
    json_object_set_new(object, "disk_share", vel_json_real(bench_disk_share(line, c)));
    json_object_set_new(object, "load_share", vel_json_real(bench_load_share(line, c)));
    json_object_set_new(object, "contaminated", json_integer(c->doubtful));
    json_object_set_new(object, "wall_ratio", versus_json(&c->wall));
    json_object_set_new(object, "cpu_ratio", versus_json(&c->cpu));
    json_object_set_new(object, "memory_ratio", versus_json(&c->memory));
    json_object_set_new(object, "parity", parity_json(&c->parity));
    return object;
}

static const char *line_word(const bench_line *line) {
    static const char *const words[] = {"PENDING", "ok", "SKIPPED", "FIXTURE"};
    return words[line->state];
}

static json_t *bytes_json(const bench_bytes *b) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "inputs", count(b->inputs), "results", count(b->results), "data",
                     count(b->data), "budget", count(b->budget), "estimate", count(b->estimate));
}

static json_t *line_json(const bench_run *run, const bench_line *line) {
    const bool writes = line->row->scope == BENCH_SCOPE_WRITE;
    json_t *object = json_object(), *cells = json_array();
    json_object_set_new(object, "name", vel_json_text(line->row->name));
    json_object_set_new(object, "kind", vel_json_text(bench_kind_word(line->row->kind)));
    json_object_set_new(object, "tier", vel_json_text(bench_tier_word(line->row->tier)));
    json_object_set_new(
        object, "published",
        json_pack("{s:I, s:I}", "cells", (json_int_t)line->row->cells, "genes", (json_int_t)line->row->genes));
    json_object_set_new(object, "cells", count(line->cells));
    json_object_set_new(object, "genes", count(line->genes));
    json_object_set_new(object, "stand_in", json_boolean(line->stand_in));
    json_object_set_new(object, "status", vel_json_text(line_word(line)));
    json_object_set_new(object, "reason", vel_json_text(line->reason));
    json_object_set_new(object, "stderr_tail", vel_json_text(line->words));
    json_object_set_new(object, "before", vel_json_text(line->before));
    json_object_set_new(object, "op", vel_json_text(line->op));
    json_object_set_new(object, "scope", vel_json_text(bench_scope_word(line->row->scope)));
    json_object_set_new(object, "threads", json_integer(line->threads));
    json_object_set_new(object, "fixture", vel_json_text(line->fixture));
    json_object_set_new(object, "form", vel_json_text(bench_form_word(line->row->form)));
    json_object_set_new(object, "packing", vel_json_text(line->row->packing));
    json_object_set_new(object, "bytes", bytes_json(&line->bytes));
    json_object_set_new(object, "peak_without_budget_mb", line->free_mb > 0 ? json_real(line->free_mb) : json_null());
    json_object_set_new(object, "cold", json_boolean(line->row->cold && !line->warm));
    json_object_set_new(object, "plain_read_s", vel_json_real(writes ? NAN : bench_plain_s(line)));
    json_object_set_new(object, "plain_load_s", vel_json_real(bench_load_s(line)));
    json_object_set_new(object, "plain_write_s", vel_json_real(writes ? bench_plain_s(line) : NAN));
    json_object_set_new(object, "same_bytes", line->compared ? json_boolean(line->same) : json_null());
    json_object_set_new(object, "parity_wanted", json_boolean(line->wants_parity));
    for (int b = 0; b < run->n_backends; b++) json_array_append_new(cells, bench_cell_json(run, line, b));
    json_object_set_new(object, "results", cells);
    return object;
}

json_t *bench_host_json(const bench_run *run) {
    const bench_host *h = &run->host;
    json_t *findings = json_array(), *variables = json_object();
    const char *name, *value;
    for (int i = 0; i < h->n_findings; i++)
        json_array_append_new(findings, json_pack("{s:s, s:o, s:b}", "name", h->findings[i].name, "value",
                                                  vel_json_text(h->findings[i].value), "warn", h->findings[i].warn));
    for (int i = 0; bench_host_variable(i, &name, &value); i++)
        json_object_set_new(variables, name, vel_json_text(value));
    return json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:s, s:i, s:o, s:o}", "cpu", vel_json_text(h->cpu), "cpus",
                     h->cpus, "memory_kb", count(h->memory_kb), "kernel", vel_json_text(h->kernel), "os",
                     vel_json_text(h->os), "compiler", vel_json_text(h->compiler), "clock", "CLOCK_MONOTONIC",
                     "sampler_ms", BENCH_TICK_MS, "findings", findings, "environment", variables);
}

static json_t *request_json(const bench_request *r) {
    return json_pack("{s:s, s:o, s:f, s:i, s:i, s:o, s:b, s:o}", "set", bench_set_word(r->set), "only",
                     vel_json_text(r->only), "scale", r->scale, "repeat", r->repeat, "threads", r->threads, "data",
                     vel_json_text(r->data), "stand_in", r->stand_in, "memory_limit_b",
                     r->memory > 0 ? count(r->memory) : json_null());
}

json_t *bench_argv_json(const bench_run *run) {
    json_t *list = json_array();
    for (const char *const *word = run->argv; word && *word; word++) json_array_append_new(list, vel_json_text(*word));
    return list;
}

static json_t *backends_json(const bench_run *run) {
    json_t *list = json_array();
    for (int b = 0; b < run->n_backends; b++)
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:b, s:o}", "name", run->backends[b].name, "version",
                            vel_json_text(run->backends[b].version), "reference", run->backends[b].reference, "missing",
                            vel_json_text(run->backends[b].missing)));
    return list;
}

static json_t *summary_of(const bench_run *run) {
    json_t *means = json_object();
    for (int b = 1; b < run->n_backends; b++) {
        json_t *kinds = json_object();
        for (bench_kind kind = BENCH_SPEED; kind < BENCH_N_KINDS; kind++)
            json_object_set_new(kinds, bench_kind_word(kind), vel_json_real(bench_mean_ratio(run, b, kind)));
        json_object_set_new(means, run->backends[b].name, kinds);
    }
    return json_pack("{s:i, s:i, s:o}", "benches", run->n_lines, "exit_code", bench_exit_code(run), "mean_wall_ratio",
                     means);
}

json_t *bench_results_json(const bench_run *run) {
    json_t *object = json_object(), *lines = json_array();
    json_object_set_new(object, "schema", json_string(BENCH_SCHEMA));
    json_object_set_new(object, "tool",
                        json_pack("{s:s, s:s, s:o}", "name", "velbench", "version", VEL_VERSION, "commit",
                                  vel_json_text(run->host.commit)));
    json_object_set_new(object, "started", vel_json_text(run->started));
    json_object_set_new(object, "finished", vel_json_text(run->finished));
    json_object_set_new(object, "interrupted", json_boolean(run->interrupted));
    json_object_set_new(object, "argv", bench_argv_json(run));
    json_object_set_new(object, "request", request_json(&run->request));
    json_object_set_new(object, "host", bench_host_json(run));
    json_object_set_new(object, "backends", backends_json(run));
    for (int i = 0; i < run->n_lines; i++) json_array_append_new(lines, line_json(run, &run->lines[i]));
    json_object_set_new(object, "benches", lines);
    json_object_set_new(object, "summary", summary_of(run));
    return object;
}

vel_err bench_json_text(vel_ctx *ctx, const json_t *document, const char **result) {
    char *dump = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    if (!dump) return vel_no_memory(ctx, 1, 1);
    const vel_err e = bench_format(ctx, ctx->scratch, result, "%s\n", dump);
    free(dump);
    return e;
}

vel_err bench_results_text(vel_ctx *ctx, const bench_run *run, const char **result) {
    json_t *document = bench_results_json(run);
    const vel_err e = bench_json_text(ctx, document, result);
    json_decref(document);
    return e;
}
