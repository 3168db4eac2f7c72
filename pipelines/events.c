#include "pipelines/events.h"

#include <errno.h>
#include <string.h>

static vel_text begin(vel_events *e, const char *event) {
    vel_text t = vel_text_new(e->arena);
    vel_text_add(&t, "{\"event\":");
    vel_text_json(&t, event);
    return t;
}

static void add_string(vel_text *t, const char *key, const char *s) {
    vel_text_add(t, ",\"%s\":", key);
    if (s)
        vel_text_json(t, s);
    else
        vel_text_add(t, "null");
}

static void add_int(vel_text *t, const char *key, int64_t x) { vel_text_add(t, ",\"%s\":%lld", key, (long long)x); }

/* A line is out as soon as it is known: whoever reads them waits for it. */
static void end(vel_events *e, vel_text *t) {
    vel_text_add(t, "}\n");
    if (!t->failed) fputs(t->chars, e->to);
    if (fflush(e->to) && errno != EPIPE && !e->error) e->error = errno;
    vel_arena_reset(e->arena);
}

vel_err vel_events_told(vel_ctx *ctx, const vel_events *e) {
    if (!e->error) return VEL_OK;
    return vel_fail(ctx, VEL_EWRITE, "the events cannot be written: %s", strerror(e->error));
}

void vel_event_start(vel_events *e, const char *recipe, const char *input, const char *output, int threads) {
    if (!e->to) return;
    vel_text t = begin(e, "start");
    add_string(&t, "version", VEL_VERSION);
    add_string(&t, "recipe", recipe);
    add_string(&t, "input", input);
    add_string(&t, "output", output);
    add_int(&t, "threads", threads);
    end(e, &t);
}

static void add_paths(vel_text *t, const char *key, const vel_planned_key *keys, int n) {
    vel_text_add(t, ",\"%s\":[", key);
    for (int i = 0; i < n; i++) {
        if (i) vel_text_add(t, ",");
        vel_text_json(t, keys[i].path);
    }
    vel_text_add(t, "]");
}

void vel_event_plan(vel_events *e, const vel_plan *plan, const vel_estimate *estimate) {
    if (!e->to) return;
    vel_text t = begin(e, "plan");
    add_int(&t, "n_obs", estimate->n_obs);
    add_int(&t, "n_vars", estimate->n_vars);
    add_int(&t, "input_bytes", estimate->inputs);
    add_int(&t, "result_bytes", estimate->results);
    add_int(&t, "peak_bytes", estimate->peak);
    add_int(&t, "least_bytes", estimate->least);
    vel_text_add(&t, ",\"steps\":[");
    for (int i = 0; i < plan->n_steps; i++) {
        const vel_planned *s = &plan->steps[i];
        vel_text_add(&t, "%s{\"step\":", i ? "," : "");
        vel_text_json(&t, s->call.step->name);
        add_string(&t, "made_for", s->made_for);
        add_paths(&t, "reads", s->reads, s->n_reads);
        add_paths(&t, "writes", s->writes, s->n_writes);
        vel_text_add(&t, "}");
    }
    vel_text_add(&t, "]");
    end(e, &t);
}

void vel_event_step(vel_events *e, const char *step, int i, int n, const char *state, double seconds) {
    if (!e->to) return;
    vel_text t = begin(e, "step");
    add_string(&t, "step", step);
    add_int(&t, "index", i + 1);
    add_int(&t, "of", n);
    add_string(&t, "state", state);
    if (seconds >= 0) vel_text_add(&t, ",\"seconds\":%.3f", seconds);
    end(e, &t);
}

void vel_event_text(vel_events *e, const char *event, const char *text) {
    if (!e->to) return;
    vel_text t = begin(e, event);
    add_string(&t, "text", text);
    end(e, &t);
}

void vel_event_progress(vel_events *e, const char *what, int64_t done, int64_t total) {
    if (!e->to) return;
    vel_text t = begin(e, "progress");
    add_string(&t, "what", what);
    add_int(&t, "done", done);
    add_int(&t, "total", total);
    end(e, &t);
}

void vel_event_genes(vel_events *e, const char *step, const char *const *names, const char *const *statuses,
                     int64_t n) {
    if (!e->to) return;
    vel_text t = begin(e, "genes");
    add_string(&t, "step", step);
    vel_text_add(&t, ",\"genes\":[");
    for (int64_t i = 0; i < n; i++) {
        vel_text_add(&t, "%s{\"gene\":", i ? "," : "");
        vel_text_json(&t, names[i] ? names[i] : "");
        add_string(&t, "status", statuses[i]);
        vel_text_add(&t, "}");
    }
    vel_text_add(&t, "]");
    end(e, &t);
}

void vel_event_error(vel_events *e, vel_err error, const char *message) {
    if (!e->to) return;
    vel_text t = begin(e, "error");
    add_int(&t, "exit", vel_err_exit(error));
    add_string(&t, "error", vel_err_name(error));
    add_string(&t, "message", message);
    end(e, &t);
}

void vel_event_done(vel_events *e, const char *output, double seconds) {
    if (!e->to) return;
    vel_text t = begin(e, "done");
    add_int(&t, "exit", 0);
    add_string(&t, "output", output);
    vel_text_add(&t, ",\"seconds\":%.3f", seconds);
    end(e, &t);
}
