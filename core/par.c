#include "core/par.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/floats.h"

typedef struct {
    vel_ctx *parent, *workers; /* workers[threads] */
    bool stay;                 /* their scratch is the parent's helpers' */
    const char *what;
    int64_t n, done, failed; /* failed: lowest index that failed, n if none */
    vel_err err;
    char message[sizeof((vel_ctx *)0)->message];
    double next_report;
    vel_body body;
    void *arg;
} team;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(team *t, int worker) {
    vel_sink *sink = &t->parent->sink;
    if (worker != 0 || !t->what || !sink->progress) return;
    int64_t done;
#pragma omp atomic read
    done = t->done;
    double at = now();
    if (at < t->next_report && done < t->n) return;
    t->next_report = at + 0.1;
    sink->progress(sink->user, t->what, done, t->n);
}

static void keep_failure(team *t, int64_t i, vel_err e, const char *message) {
#pragma omp critical(vel_for_failure)
    if (i < t->failed) {
#pragma omp atomic write
        t->failed = i;
        t->err = e;
        memcpy(t->message, message, sizeof t->message);
    }
}

static void run_item(team *t, int64_t i, int worker) {
    int64_t failed;
#pragma omp atomic read
    failed = t->failed;
    if (i > failed) return;
    vel_ctx *ctx = &t->workers[worker];
    ctx->message[0] = 0;
    vel_mark mark = vel_arena_mark(ctx->scratch);
    vel_err e = vel_poll(ctx);
    if (!e) e = t->body(ctx, i, t->arg);
    vel_arena_release(ctx->scratch, mark);
    if (e) keep_failure(t, i, e, ctx->message);
#pragma omp atomic
    t->done++;
    report(t, worker);
}

static vel_err hire(team *t, int threads) {
    t->workers = calloc((size_t)threads, sizeof *t->workers);
    if (!t->workers) return vel_no_memory(t->parent, (size_t)threads, sizeof *t->workers);
    for (int w = 0; w < threads; w++) {
        t->workers[w] = (vel_ctx){.threads = 1, .cancel = t->parent->cancel, .max_memory = t->parent->max_memory};
        t->workers[w].scratch = t->stay ? vel_arena_helper(t->parent->scratch, w) : vel_arena_new();
        if (!t->workers[w].scratch) return vel_no_memory(t->parent, 1, 1);
    }
    return VEL_OK;
}

static void dismiss(team *t, int threads) {
    for (int w = 0; t->workers && w < threads && !t->stay; w++) vel_arena_free(t->workers[w].scratch);
    free(t->workers);
}

static vel_err run(team *t) {
    vel_ctx *ctx = t->parent;
    const int64_t n = t->n;
    const int threads = ctx->threads < n ? ctx->threads : (int)n;
    vel_err hired = hire(t, threads);
    if (hired) {
        dismiss(t, threads);
        return hired;
    }
    if (threads == 1) { /* no team of its own, so that vel_worker is right in a loop within a loop */
        VEL_PLAIN_FLOATS;
        for (int64_t i = 0; i < n; i++) run_item(t, i, 0);
    } else {
#pragma omp parallel num_threads(threads)
        {
            VEL_PLAIN_FLOATS;
#pragma omp for schedule(dynamic, 1)
            for (int64_t i = 0; i < n; i++) run_item(t, i, omp_get_thread_num());
        }
    }
    dismiss(t, threads);
    if (t->failed == n) return VEL_OK;
    return vel_fail(ctx, t->err, "%s", t->message[0] ? t->message : vel_err_words(t->err));
}

vel_err vel_for(vel_ctx *ctx, const char *what, int64_t n, vel_body body, void *arg) {
    team t = {.parent = ctx, .what = what, .n = n, .failed = n, .body = body, .arg = arg};
    return n > 0 ? run(&t) : VEL_OK;
}

vel_err vel_for_next(vel_ctx *ctx, const char *what, int64_t n, vel_body body, void *arg) {
    team t = {.parent = ctx, .stay = true, .what = what, .n = n, .failed = n, .body = body, .arg = arg};
    return n > 0 ? run(&t) : VEL_OK;
}

int vel_worker(void) { return omp_get_thread_num(); }

/* The cgroup's CPU quota in whole cores, or 0 if there is none. */
static int quota_v2(void) {
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (!f) return 0;
    double quota = 0, period = 0;
    int got = fscanf(f, "%lf %lf", &quota, &period);
    fclose(f);
    return got == 2 && period > 0 ? (int)(quota / period + 0.999) : 0;
}

static double number_in(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    double x = -1;
    if (fscanf(f, "%lf", &x) != 1) x = -1;
    fclose(f);
    return x;
}

static int quota_v1(void) {
    double quota = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    double period = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    return quota > 0 && period > 0 ? (int)(quota / period + 0.999) : 0;
}

static void *wait_for(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int vel_threads_startable(int wanted) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *threads = calloc((size_t)(wanted > 1 ? wanted : 1), sizeof *threads);
    int n = 0;
    if (!threads) return 1;
    pthread_mutex_lock(&gate);
    while (n < wanted - 1 && pthread_create(&threads[n], NULL, wait_for, &gate) == 0) n++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(threads);
    return n + 1;
}

int vel_cores(void) {
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    int quota = quota_v2();
    if (!quota) quota = quota_v1();
    if (quota > 0 && quota < cores) cores = quota;
    return cores > 0 ? cores : 1;
}
