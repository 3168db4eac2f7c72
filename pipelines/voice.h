/* voice.h - how a run is told: lines and progress on stderr for people, events on stdout for programs. */
#ifndef VEL_PIPELINES_VOICE_H
#define VEL_PIPELINES_VOICE_H

#include "pipelines/events.h"
#include "pipelines/progress.h"
#include "pipelines/run.h"

enum { VEL_VOICE_SAID = 256 }; /* warnings remembered */

typedef struct {
    vel_ctx *ctx;
    bool quiet;
    vel_progress progress; /* on stderr */
    vel_events events;
    char prefix[80]; /* "[2/7] moments" */
    int i, n;
    double started;
    uint64_t said[VEL_VOICE_SAID]; /* hashes of the warnings so far: each is said once */
    int n_said;
} vel_voice;

/* The sink of ctx and the listener of its run. The voice must outlive both. */
void vel_voice_attach(vel_voice *voice, vel_ctx *ctx);
vel_run_listener vel_voice_listener(vel_voice *voice);

#endif
