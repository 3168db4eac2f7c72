#include "pipelines/voice.h"

#include <string.h>
#include <xxhash.h>

/* Steps look at the same data and find the same fault: a warning is said once. Its example, in brackets, may be
 * another one by then. */
static bool is_said(vel_voice *v, const char *text) {
    const char *example = strstr(text, " (");
    uint64_t hash = XXH3_64bits(text, example ? (size_t)(example - text) : strlen(text));
    for (int i = 0; i < v->n_said; i++)
        if (v->said[i] == hash) return true;
    if (v->n_said < VEL_VOICE_SAID) v->said[v->n_said++] = hash;
    return false;
}

static void say(void *user, vel_level level, const char *text) {
    vel_voice *v = user;
    if (level == VEL_DEBUG || (level == VEL_WARN && is_said(v, text))) return;
    vel_event_text(&v->events, level == VEL_WARN ? "warning" : "note", text);
    if (v->quiet) return;
    vel_progress_clear(&v->progress);
    fprintf(v->progress.to, "vel: %s%s\n", level == VEL_WARN ? "warning: " : "", text);
}

static void progress(void *user, const char *what, int64_t done, int64_t total) {
    vel_voice *v = user;
    vel_event_progress(&v->events, what, done, total);
    if (!v->quiet) vel_progress_show(&v->progress, v->prefix, what, done, total);
}

static void begin(void *user, const vel_planned *step, int i, int n) {
    vel_voice *v = user;
    v->i = i;
    v->n = n;
    v->started = vel_clock();
    snprintf(v->prefix, sizeof v->prefix, "[%d/%d] %s", i + 1, n, step->call.step->name);
    vel_event_step(&v->events, step->call.step->name, i, n, "begin", -1);
}

static bool is_status(const vel_planned_key *write) {
    static const char ending[] = "_status";
    size_t n = strlen(write->path), m = sizeof ending - 1;
    return write->key->shape == VEL_VAR && n > m && !strcmp(write->path + n - m, ending);
}

/* What became of each gene, if the step keeps a column of it. */
static vel_err tell_genes(vel_voice *v, vel_adata *ad, const vel_planned *step) {
    for (int k = 0; v->events.to && k < step->n_writes; k++) {
        const char *path = step->writes[k].path, **statuses;
        char **names;
        if (!is_status(&step->writes[k]) || !vel_has(ad, path) || !vel_is_changed(ad, path)) continue;
        VEL_TRY(vel_get_texts(v->ctx, ad, path, vel_n_vars(ad), &statuses));
        VEL_TRY(vel_var_names(v->ctx, ad, &names));
        vel_event_genes(&v->events, step->call.step->name, (const char *const *)names, statuses, vel_n_vars(ad));
    }
    return VEL_OK;
}

static vel_err end(void *user, vel_adata *ad, const vel_planned *step, vel_err e) {
    vel_voice *v = user;
    double seconds = vel_clock() - v->started;
    bool live = v->progress.live && !v->quiet;
    vel_progress_clear(&v->progress);
    if (live && !e) fprintf(v->progress.to, "%s  %.1f s\n", v->prefix, seconds);
    vel_err told = tell_genes(v, ad, step);
    vel_event_step(&v->events, step->call.step->name, v->i, v->n, e ? "failed" : "end", seconds);
    return told;
}

void vel_voice_attach(vel_voice *v, vel_ctx *ctx) {
    v->ctx = ctx;
    ctx->sink = (vel_sink){v, say, progress};
}

vel_run_listener vel_voice_listener(vel_voice *v) { return (vel_run_listener){v, begin, end}; }
