#include "bench/probe.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/format.h"
#include "bench/limit.h"
#include "bench/probe_bodies.h"
#include "bench/proc.h"
#include "core/fmath.h"
#include "core/par.h"
#include "core/rng.h"

enum { FEW = 2, TRIES = 5, LINE = 8, MOST_PLACES = 1 << 20, MATH = 1024, CHAINED = 4096 };

static const double try_ns = 12e6;
static const double least_memory = 256e6, most_memory = 1e9;

/* What a thread works on. */
typedef struct {
    double *x;      /* its part of the buffer */
    int64_t n;      /* doubles, a multiple of 6 BENCH_PROBE_BLOCK */
    int32_t *place; /* random cache lines of it, as indices of doubles */
    int64_t n_places;
    double sink; /* what was computed: so that it is */
} share;

typedef struct probe probe;
typedef void work(const probe *p, share *s);
struct probe {
    const bench_probe_body *body;
    share *shares;
    int64_t rounds;
    work *work;
};

/* ---- one round of each */

static void read_once(const probe *p, share *s) { s->sink += p->body->read(s->n, s->x); }
static void copy_once(const probe *p, share *s) { p->body->copy(s->n / 2, s->x, s->x + s->n / 2); }
static void triad_once(const probe *p, share *s) {
    p->body->triad(s->n / 3, s->x, s->x + s->n / 3, s->x + s->n / 3 * 2);
}
static void gather_once(const probe *p, share *s) {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const double *x = s->x;
    const int32_t *at = s->place, *end = at + s->n_places / 8 * 8;
    (void)p;
    for (; at < end; at += 8) {
        a += x[at[0]], b += x[at[1]], c += x[at[2]], d += x[at[3]];
        e += x[at[4]], f += x[at[5]], g += x[at[6]], h += x[at[7]];
    }
    s->sink += ((a + b) + (c + d)) + ((e + f) + (g + h));
}
static void fused_f64_once(const probe *p, share *s) { s->sink += p->body->fused_f64(1024); }
static void fused_f32_once(const probe *p, share *s) { s->sink += p->body->fused_f32(1024); }
static void apart_f64_once(const probe *p, share *s) { s->sink += p->body->apart_f64(1024); }
static void apart_f32_once(const probe *p, share *s) { s->sink += p->body->apart_f32(1024); }
static void divide_once(const probe *p, share *s) { s->sink += p->body->divide_f64(1024); }
static void exp_once(const probe *p, share *s) {
    (void)p;
    vel_exp_n(MATH, s->x, s->x + MATH);
    s->sink += s->x[MATH];
}
static void log_once(const probe *p, share *s) {
    (void)p;
    vel_log_n(MATH, s->x, s->x + MATH);
    s->sink += s->x[MATH];
}
static void chain_once(const probe *p, share *s) {
    double sum = 0;
    (void)p;
    for (int64_t i = 0; i < CHAINED; i++) sum += s->x[i & 1023];
    s->sink += sum;
}

/* ---- timing */

static vel_err do_share(vel_ctx *ctx, int64_t i, void *arg) {
    const probe *p = arg;
    (void)ctx;
    for (int64_t r = 0; r < p->rounds; r++) {
        p->work(p, &p->shares[i]);
        __asm__ volatile("" ::: "memory"); /* the same work again is done again */
    }
    return VEL_OK;
}

/* One thread is timed by its CPU, several by the wall. */
static int64_t now(const vel_ctx *ctx) { return ctx->threads == 1 ? bench_thread_cpu_ns() : bench_now_ns(); }

/* The least of some tries, in nanoseconds: what the machine did besides is in the others. */
static vel_err least_time(vel_ctx *ctx, const probe *p, int tries, double *ns) {
    *ns = INFINITY;
    for (int i = 0; i < tries; i++) {
        const int64_t start = now(ctx);
        VEL_TRY(vel_for(ctx, NULL, ctx->threads, do_share, (void *)(uintptr_t)p));
        *ns = fmin(*ns, (double)(now(ctx) - start));
    }
    return VEL_OK;
}

/* Amounts a second, all threads together, over at least try_ns. amount: of a round of a share. */
static vel_err rate_of(vel_ctx *ctx, probe *p, work *one, double amount, double *rate) {
    double ns = 0;
    p->work = one;
    p->rounds = 1;
    for (;;) {
        VEL_TRY(least_time(ctx, p, FEW, &ns));
        if (ns >= try_ns) break;
        p->rounds *= ns < try_ns / 16 ? 8 : 2;
    }
    VEL_TRY(least_time(ctx, p, TRIES, &ns));
    *rate = amount * (double)p->rounds * ctx->threads / ns * 1e9;
    return VEL_OK;
}

/* ---- levels of memory */

/* The size that the system tells of a cache of the first CPU that holds data: of its instance, not of all. */
static double cache_bytes(int level, double otherwise) {
    for (int i = 0; i < 8; i++) {
        char path[96], text[32], type[32];
        const char *const base = "/sys/devices/system/cpu/cpu0/cache/index";
        snprintf(path, sizeof path, "%s%d/level", base, i);
        if (!bench_read_text(path, text, sizeof text)) break;
        snprintf(path, sizeof path, "%s%d/type", base, i);
        if (strtol(text, NULL, 10) != level || !bench_read_text(path, type, sizeof type) || type[0] == 'I') continue;
        snprintf(path, sizeof path, "%s%d/size", base, i);
        if (!bench_read_text(path, text, sizeof text)) continue;
        const double size = (double)bench_parse_size(strtok(text, "\n"));
        if (size > 0) return size;
    }
    return otherwise;
}

/* Working sets of a thread: half of a cache, its part of a shared one, and far more than the last. */
static void level_sizes(int threads, bench_level level[BENCH_LEVELS]) {
    const double l1 = cache_bytes(1, 32e3), l2 = cache_bytes(2, 1e6), l3 = cache_bytes(3, 32e6);
    const double bytes[] = {l1 / 2, l2 / 2, fmax(l3 / 2 / threads, l2),
                            fmin(fmax(4 * l3, least_memory), most_memory) / threads};
    static const char *const names[] = {"L1", "L2", "L3", "memory"};
    const int64_t block = 6 * BENCH_PROBE_BLOCK * (int64_t)sizeof(double);
    for (int i = 0; i < BENCH_LEVELS; i++)
        level[i] = (bench_level){.name = names[i], .bytes = (int64_t)bytes[i] / block * block};
}

static void fill_share(vel_rng *r, share *s, int64_t bytes) {
    s->n = bytes / (int64_t)sizeof *s->x;
    s->n_places = s->n / LINE < MOST_PLACES ? s->n / LINE : MOST_PLACES;
    for (int64_t i = 0; i < s->n; i++) s->x[i] = 0.5;
    for (int64_t i = 0; i < s->n_places; i++)
        s->place[i] = (int32_t)vel_rng_upto(r, (uint32_t)(s->n / LINE - 1)) * LINE;
}

static vel_err probe_level(vel_ctx *ctx, probe *p, bench_level *level) {
    vel_rng r;
    vel_rng_seed_numpy(&r, 1);
    for (int i = 0; i < ctx->threads; i++) fill_share(&r, &p->shares[i], level->bytes);
    const share *s = p->shares;
    VEL_TRY(rate_of(ctx, p, read_once, 8.0 * (double)s->n, &level->read));
    VEL_TRY(rate_of(ctx, p, copy_once, 16.0 * (double)(s->n / 2), &level->copy));
    VEL_TRY(rate_of(ctx, p, triad_once, 24.0 * (double)(s->n / 3), &level->triad));
    return rate_of(ctx, p, gather_once, (double)(s->n_places / 8 * 8), &level->gather);
}

static vel_err probe_arithmetic(vel_ctx *ctx, probe *p, bench_speeds *s) {
    const double steps = 1024.0 * BENCH_PROBE_CHAINS, d = p->body->f64_lanes, f = p->body->f32_lanes;
    for (int t = 0; t < ctx->threads; t++)
        for (int i = 0; i < MATH; i++) p->shares[t].x[i] = 0.01 + (double)i / MATH;
    VEL_TRY(rate_of(ctx, p, fused_f64_once, 2 * d * steps, &s->fused_f64));
    VEL_TRY(rate_of(ctx, p, fused_f32_once, 2 * f * steps, &s->fused_f32));
    VEL_TRY(rate_of(ctx, p, apart_f64_once, 2 * d * steps, &s->apart_f64));
    VEL_TRY(rate_of(ctx, p, apart_f32_once, 2 * f * steps, &s->apart_f32));
    VEL_TRY(rate_of(ctx, p, divide_once, d * steps, &s->divide));
    VEL_TRY(rate_of(ctx, p, exp_once, MATH, &s->exp));
    VEL_TRY(rate_of(ctx, p, log_once, MATH, &s->log));
    return rate_of(ctx, p, chain_once, CHAINED, &s->chain);
}

vel_err bench_probe(vel_ctx *ctx, bench_speeds *speeds) {
    probe p = {.body = bench_probe_body_at(vel_cpu_level())};
    const vel_mark mark = vel_arena_mark(ctx->scratch);
    *speeds = (bench_speeds){.threads = ctx->threads};
    level_sizes(ctx->threads, speeds->level);
    VEL_TRY(VEL_ZALLOC(ctx, p.shares, ctx->threads));
    for (int i = 0; i < ctx->threads; i++) {
        VEL_TRY(VEL_ALLOC(ctx, p.shares[i].x, speeds->level[BENCH_LEVELS - 1].bytes / (int64_t)sizeof(double)));
        VEL_TRY(VEL_ALLOC(ctx, p.shares[i].place, MOST_PLACES));
    }
    for (int i = 0; i < BENCH_LEVELS; i++) VEL_TRY(probe_level(ctx, &p, &speeds->level[i]));
    VEL_TRY(probe_arithmetic(ctx, &p, speeds));
    vel_arena_release(ctx->scratch, mark);
    return VEL_OK;
}

const bench_level *bench_level_of(const bench_speeds *s, double working_set) {
    for (int i = 0; i < BENCH_LEVELS - 1; i++)
        if (working_set <= 2 * (double)s->level[i].bytes) return &s->level[i];
    return &s->level[BENCH_LEVELS - 1];
}

double bench_bandwidth(const bench_level *level) { return fmax(fmax(level->read, level->copy), level->triad); }

/* ---- the disk */

enum { CHUNK = 1 << 22 };

/* Seconds that writing and syncing took; < 0: it failed. */
static double write_file(int fd, int64_t bytes, const char *chunk) {
    const int64_t start = bench_now_ns();
    for (int64_t done = 0; done < bytes;) {
        const ssize_t n = write(fd, chunk, bytes - done < CHUNK ? (size_t)(bytes - done) : CHUNK);
        if (n <= 0) return -1;
        done += n;
    }
    return fsync(fd) == 0 ? (double)(bench_now_ns() - start) / 1e9 : -1;
}

static double read_file(int fd, int64_t bytes, char *chunk) {
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (lseek(fd, 0, SEEK_SET) != 0) return -1;
    const int64_t start = bench_now_ns();
    for (int64_t done = 0; done < bytes;) {
        const ssize_t n = read(fd, chunk, CHUNK);
        if (n <= 0) return -1;
        done += n;
    }
    return (double)(bench_now_ns() - start) / 1e9;
}

vel_err bench_probe_disk(vel_ctx *ctx, const char *folder, int64_t bytes, double *written, double *read_rate) {
    const char *path;
    char *chunk;
    VEL_TRY(bench_format(ctx, ctx->scratch, &path, "%s/.velbench-disk-%d", folder, (int)getpid()));
    VEL_TRY(VEL_ALLOC(ctx, chunk, CHUNK));
    vel_rng r;
    vel_rng_seed_numpy(&r, 2);
    for (int64_t i = 0; i < CHUNK; i += 4) { /* nothing that a file system could press */
        const uint32_t bits = vel_rng_bits(&r);
        memcpy(chunk + i, &bits, 4);
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return vel_fail(ctx, VEL_EWRITE, "%s: cannot be written", path);
    const double write_s = write_file(fd, bytes, chunk), read_s = write_s < 0 ? -1 : read_file(fd, bytes, chunk);
    close(fd);
    unlink(path);
    if (write_s < 0 || read_s < 0)
        return vel_fail(ctx, write_s < 0 ? VEL_EWRITE : VEL_EREAD, "%s: %s failed", path,
                        write_s < 0 ? "writing" : "reading");
    *written = (double)bytes / write_s;
    *read_rate = (double)bytes / read_s;
    return VEL_OK;
}
