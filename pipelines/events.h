/* events.h - what happens, for programs: one JSON object a line. Every line has "event": start, plan, step, note,
 * warning, progress, genes, error, done. */
#ifndef VEL_PIPELINES_EVENTS_H
#define VEL_PIPELINES_EVENTS_H

#include <stdio.h>

#include "core/text.h"
#include "pipelines/estimate.h"

typedef struct {
    FILE *to; /* NULL: nobody listens, and every call below does nothing */
    vel_arena *arena;
    int error; /* errno of the first line that did not come out, 0: they all did. A reader may leave early. */
} vel_events;

/* VEL_EWRITE: a line did not come out. */
vel_err vel_events_told(vel_ctx *ctx, const vel_events *e) VEL_CHECKED;

void vel_event_start(vel_events *e, const char *recipe, const char *input, const char *output, int threads);
void vel_event_plan(vel_events *e, const vel_plan *plan, const vel_estimate *estimate);
void vel_event_step(vel_events *e, const char *step, int i, int n, const char *state, double seconds);
void vel_event_text(vel_events *e, const char *event, const char *text); /* note, warning */
void vel_event_progress(vel_events *e, const char *what, int64_t done, int64_t total);
void vel_event_genes(vel_events *e, const char *step, const char *const *names, const char *const *statuses, int64_t n);
void vel_event_error(vel_events *e, vel_err error, const char *message);
void vel_event_done(vel_events *e, const char *output, double seconds);

#endif
