#include "bench/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/format.h"
#include "bench/guards.h"
#include "bench/measure.h"
#include "bench/wire.h"

enum { KILL_AFTER_MS = 2000, DRAIN_MS = 200, NOT_STARTED = 127 };

typedef struct {
    const bench_job *job;
    bench_child *out;
    pid_t pid;
    int wire_fd, words_fd; /* -1 once closed by the other side */
    bench_wire *wire;
    bench_meter meter;
    bench_limit limit;
    int64_t start_ns, asked_ns; /* asked_ns: when it was asked to end, 0: never */
    int64_t sentinel_ns;
    size_t n_words;
    bool timing, timed_out;
} watch;

extern char **environ;

/* environ with the job's names put in front: the first of two equal names wins in exec'd programs' getenv. */
static vel_err merged_environment(vel_ctx *ctx, const char *const *extra, char ***env) {
    size_t n = 0, m = 0;
    while (environ[n]) n++;
    while (extra && extra[m]) m++;
    VEL_TRY(VEL_ALLOC(ctx, *env, n + m + 2));
    size_t k = 0;
    for (size_t i = 0; i < m; i++) (*env)[k++] = (char *)(uintptr_t)extra[i];
    (*env)[k++] = (char *)(uintptr_t) "VELBENCH_RESULT_FD=3";
    for (size_t i = 0; i < n; i++) {
        const size_t name = strcspn(environ[i], "=") + 1;
        bool replaced = strncmp(environ[i], "VELBENCH_RESULT_FD=", name) == 0;
        for (size_t j = 0; j < m && !replaced; j++) replaced = strncmp(environ[i], extra[j], name) == 0;
        if (!replaced) (*env)[k++] = environ[i];
    }
    (*env)[k] = NULL;
    return VEL_OK;
}

/* Between fork and exec: nothing but system calls. */
static _Noreturn void become(const watch *w, char *const *env, pid_t runner, int wire_fd, int words_fd) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != runner) _exit(NOT_STARTED);
    const int null_fd = open("/dev/null", O_RDONLY);
    if (dup2(null_fd, 0) < 0 || dup2(words_fd, 1) < 0 || dup2(words_fd, 2) < 0 || dup2(wire_fd, BENCH_RESULT_FD) < 0)
        _exit(NOT_STARTED);
    for (int fd = BENCH_RESULT_FD + 1; fd < 256; fd++) close(fd);
    if (!bench_limit_enter(&w->limit)) {
        dprintf(2, "the memory limit could not be set: %s\n", strerror(errno));
        _exit(NOT_STARTED);
    }
    execvpe(w->job->argv[0], (char *const *)(uintptr_t)w->job->argv, env);
    dprintf(2, "%s: %s\n", w->job->argv[0], strerror(errno));
    _exit(NOT_STARTED);
}

static vel_err start(vel_ctx *ctx, watch *w) {
    int sockets[2], pipes[2];
    char **env;
    VEL_TRY(merged_environment(ctx, w->job->env, &env));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return vel_fail(ctx, VEL_ENOMEM, "no socket for a child: %s", strerror(errno));
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        close(sockets[0]), close(sockets[1]);
        return vel_fail(ctx, VEL_ENOMEM, "no pipe for a child: %s", strerror(errno));
    }
    const pid_t runner = getpid();
    w->start_ns = bench_now_ns();
    w->pid = fork();
    if (w->pid == 0) become(w, env, runner, sockets[1], pipes[1]);
    close(sockets[1]), close(pipes[1]);
    w->wire_fd = sockets[0];
    w->words_fd = pipes[0];
    if (w->pid > 0) {
        setpgid(w->pid, w->pid); /* as the child does: whoever comes first */
        return VEL_OK;
    }
    close(w->wire_fd), close(w->words_fd);
    return vel_fail(ctx, VEL_ENOMEM, "no process for a child: %s", strerror(errno));
}

/* Keeps the last BENCH_WORDS - 1 bytes. */
static void read_words(watch *w) {
    char bytes[BENCH_WORDS - 1], *keep = w->out->words;
    const ssize_t got = read(w->words_fd, bytes, sizeof bytes);
    if (got <= 0) {
        close(w->words_fd);
        w->words_fd = -1;
        return;
    }
    const size_t n = (size_t)got, room = BENCH_WORDS - 1;
    if (w->n_words + n > room) {
        const size_t cut = w->n_words + n - room;
        w->n_words -= cut;
        memmove(keep, keep + cut, w->n_words);
    }
    memcpy(keep + w->n_words, bytes, n);
    w->n_words += n;
    keep[w->n_words] = '\0';
}

static void answer(watch *w, const char *text) {
    if (send(w->wire_fd, text, strlen(text), MSG_NOSIGNAL) < 0) w->timing = false; /* it is gone: wait4 tells how */
}

static void begin_timing(watch *w) {
    w->sentinel_ns = bench_sentinel_ns();
    bench_meter_begin(&w->meter, w->pid);
    w->timing = true;
    answer(w, "go\n");
}

static void end_timing(watch *w) {
    bench_sample *s = &w->out->sample;
    bench_meter_end(&w->meter, w->wire->wall_ns, s);
    s->doubts = bench_doubts(s, w->job->threads, w->sentinel_ns, bench_sentinel_ns());
    w->timing = false;
    w->out->timed = true;
    answer(w, "ok\n");
}

static void hear(watch *w) {
    char bytes[4096];
    const ssize_t got = read(w->wire_fd, bytes, sizeof bytes);
    if (got <= 0) {
        close(w->wire_fd);
        w->wire_fd = -1;
        return;
    }
    if (!bench_wire_feed(w->wire, bytes, (size_t)got)) w->wire->wrong = "more bytes than a frame may have";
    for (;;) switch (bench_wire_next(w->wire)) {
            case BENCH_WIRE_BEGIN:
                begin_timing(w);
                break;
            case BENCH_WIRE_END:
                end_timing(w);
                break;
            case BENCH_WIRE_FRAME:
                break;
            case BENCH_WIRE_MORE:
            case BENCH_WIRE_BAD:
                return;
        }
}

static void look(watch *w, int wait_ms) {
    struct pollfd fds[2] = {{.fd = w->wire_fd, .events = POLLIN}, {.fd = w->words_fd, .events = POLLIN}};
    if (poll(fds, 2, wait_ms) <= 0) return;
    if (fds[1].revents) read_words(w);
    if (fds[0].revents) hear(w);
}

/* Asks the group to end, and makes it when it has not after a while. (When the user asks twice this program ends at
 * once, and PR_SET_PDEATHSIG takes the child along.) */
static void press(watch *w, int64_t now) {
    if (!w->asked_ns) {
        w->asked_ns = now;
        kill(-w->pid, SIGTERM);
    }
    if (now - w->asked_ns > KILL_AFTER_MS * INT64_C(1000000)) kill(-w->pid, SIGKILL);
}

/* Returns when the child has ended; its status as wait gives it. */
static int follow(vel_ctx *ctx, watch *w) {
    int64_t next_tick = 0;
    for (;;) {
        int status;
        if (waitpid(w->pid, &status, WNOHANG) == w->pid) return status;
        look(w, BENCH_TICK_MS / 2);
        const int64_t now = bench_now_ns();
        if (w->timing && now >= next_tick) {
            bench_meter_tick(&w->meter);
            next_tick = now + BENCH_TICK_MS * INT64_C(1000000);
        }
        const bool stop = ctx->cancel && *ctx->cancel, late = (double)(now - w->start_ns) > w->job->limit_s * 1e9;
        if (late && !w->asked_ns && !stop) w->timed_out = true;
        if (stop || late || w->wire->wrong) press(w, now);
    }
}

/* What is still in the pipes, without waiting for processes that hold them open. */
static void drain(watch *w) {
    const int64_t until = bench_now_ns() + DRAIN_MS * INT64_C(1000000);
    while ((w->wire_fd >= 0 || w->words_fd >= 0) && bench_now_ns() < until) look(w, 10);
    if (w->wire_fd >= 0) close(w->wire_fd);
    if (w->words_fd >= 0) close(w->words_fd);
}

/* Python, Rust, C++ and this project, when an allocation is refused by RLIMIT_DATA. */
static bool speaks_of_memory(const char *words) {
    static const char *const signs[] = {"MemoryError", "out of memory",          "memory allocation of",
                                        "bad_alloc",   "Cannot allocate memory", "Unable to allocate"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(words, signs[i])) return true;
    return false;
}

static bench_outcome judge(const watch *w, int status) {
    const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (w->wire->wrong) return BENCH_BAD_FRAME;
    if (w->timed_out) return BENCH_TIMEOUT;
    if (failed && (bench_limit_hit(&w->limit) || speaks_of_memory(w->out->words))) return BENCH_OOM;
    if (!WIFEXITED(status)) return BENCH_SIGNAL;
    if (failed) return BENCH_EXIT;
    return w->wire->framed ? BENCH_OK : BENCH_NO_FRAME;
}

static vel_err conclude(vel_ctx *ctx, watch *w, int status) {
    bench_child *out = w->out;
    kill(-w->pid, SIGKILL); /* helpers that it left behind */
    drain(w);
    out->took_s = (double)(bench_now_ns() - w->start_ns) / 1e9;
    out->outcome = judge(w, status);
    out->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    out->why = w->wire->wrong;
    out->limit = w->limit.kind;
    out->sample.cgroup_peak_bytes = bench_limit_peak(&w->limit);
    bench_limit_remove(&w->limit);
    VEL_TRY(vel_poll(ctx));
    if (out->outcome != BENCH_OK) return VEL_OK;
    out->frame = vel_arena_strdup(ctx->scratch, w->wire->bytes);
    return out->frame ? VEL_OK : vel_no_memory(ctx, w->wire->length, 1);
}

vel_err bench_child_run(vel_ctx *ctx, const bench_job *job, bench_child *out) {
    *out = (bench_child){0};
    VEL_TRY(vel_poll(ctx));
    watch w = {.job = job, .out = out};
    VEL_TRY(VEL_ZALLOC(ctx, w.wire, 1));
    bench_limit_make(&w.limit, job->memory, job->without_groups);
    const vel_err e = start(ctx, &w);
    if (e != VEL_OK) {
        bench_limit_remove(&w.limit);
        return e;
    }
    return conclude(ctx, &w, follow(ctx, &w));
}

static const struct {
    const char *word, *cell;
} outcomes[] = {
#define OUTCOME_ROW(name, word, cell) {word, cell},
    BENCH_OUTCOME_ROWS(OUTCOME_ROW)
#undef OUTCOME_ROW
};

const char *bench_outcome_word(bench_outcome o) { return outcomes[o].word; }

const char *bench_outcome_cell(bench_outcome o) { return outcomes[o].cell; }

/* The last line of its words that is not empty. */
static const char *last_line(const char *words, int *length) {
    const char *end = words + strlen(words);
    while (end > words && (end[-1] == '\n' || end[-1] == ' ')) end--;
    const char *start = end;
    while (start > words && start[-1] != '\n') start--;
    *length = (int)(end - start);
    return start;
}

vel_err bench_child_story(vel_ctx *ctx, const bench_child *c, const char **text) {
    char line[128];
    int length;
    const char *said = last_line(c->words, &length);
    switch (c->outcome) {
        case BENCH_OK:
            snprintf(line, sizeof line, "done");
            break;
        case BENCH_EXIT:
            snprintf(line, sizeof line, "exit status %d", c->code);
            break;
        case BENCH_SIGNAL:
            snprintf(line, sizeof line, "signal %d (%s)", c->code, strsignal(c->code));
            break;
        case BENCH_TIMEOUT:
            snprintf(line, sizeof line, "stopped after %.0f s", c->took_s);
            break;
        case BENCH_OOM:
            snprintf(line, sizeof line, "out of memory (%s)", bench_limit_word(c->limit));
            break;
        case BENCH_NO_FRAME:
            snprintf(line, sizeof line, "ended without a result");
            break;
        case BENCH_BAD_FRAME:
            snprintf(line, sizeof line, "a result that cannot be read: %s", c->why);
            break;
    }
    return bench_format(ctx, ctx->scratch, text, "%s%s%.*s", line, length ? ": " : "", length < 200 ? length : 200,
                        said);
}
