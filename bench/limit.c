#include "bench/limit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/proc.h"

static bool write_text(const char *dir, const char *name, const char *text) {
    char path[640];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return done;
}

static bool read_group(const bench_limit *l, const char *name, char *text, int size) {
    char path[640];
    snprintf(path, sizeof path, "%s/%s", l->dir, name);
    return bench_read_text(path, text, size);
}

/* The path of this process's group: the line "N:memory:/path" (v1, key ":memory:") or "0::/path" (v2, key "0::"). */
static bool own_group(const char *key, char *group, size_t size) {
    char text[4096];
    if (!bench_read_text("/proc/self/cgroup", text, sizeof text)) return false;
    const char *line = strstr(text, key);
    if (!line) return false;
    const char *path = line + strlen(key);
    const size_t n = strcspn(path, "\n");
    if (n >= size) return false;
    memcpy(group, path, n);
    group[n] = '\0';
    return true;
}

static bool make_group(bench_limit *l, bench_limit_kind kind) {
    const bool v1 = kind == BENCH_CGROUP_V1;
    const char *root = v1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
    char group[256], bytes[32];
    if (!own_group(v1 ? ":memory:" : "0::", group, sizeof group)) return false;
    if (strcmp(group, "/") == 0) group[0] = '\0';
    snprintf(l->dir, sizeof l->dir, "%s%s/velbench-%d-%" PRId64, root, group, (int)getpid(), bench_now_ns());
    if (mkdir(l->dir, 0755) != 0) return false;
    snprintf(bytes, sizeof bytes, "%" PRId64, l->bytes);
    if (!write_text(l->dir, v1 ? "memory.limit_in_bytes" : "memory.max", bytes)) {
        rmdir(l->dir);
        return false;
    }
    /* without swap beside it; kernels that do not count swap lack the file */
    write_text(l->dir, v1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max", v1 ? bytes : "0");
    l->kind = kind;
    return true;
}

void bench_limit_make(bench_limit *l, int64_t bytes, bool without_groups) {
    *l = (bench_limit){.kind = BENCH_NO_LIMIT, .bytes = bytes};
    if (bytes <= 0) return;
    if (!without_groups && (make_group(l, BENCH_CGROUP_V2) || make_group(l, BENCH_CGROUP_V1))) return;
    l->kind = BENCH_RLIMIT;
    l->dir[0] = '\0';
}

bool bench_limit_enter(const bench_limit *l) {
    switch (l->kind) {
        case BENCH_NO_LIMIT:
            return true;
        case BENCH_RLIMIT:
            return setrlimit(RLIMIT_DATA, &(struct rlimit){(rlim_t)l->bytes, (rlim_t)l->bytes}) == 0;
        case BENCH_CGROUP_V1:
        case BENCH_CGROUP_V2:
            return write_text(l->dir, "cgroup.procs", "0");
    }
    return false;
}

bool bench_limit_hit(const bench_limit *l) {
    char text[1024];
    if (l->kind != BENCH_CGROUP_V1 && l->kind != BENCH_CGROUP_V2) return false;
    if (!read_group(l, l->kind == BENCH_CGROUP_V1 ? "memory.oom_control" : "memory.events", text, sizeof text))
        return false;
    const char *count = strstr(text, "oom_kill ");
    return count && strtoll(count + 9, NULL, 10) > 0;
}

int64_t bench_limit_peak(const bench_limit *l) {
    char text[64];
    if (l->kind != BENCH_CGROUP_V1 && l->kind != BENCH_CGROUP_V2) return -1;
    if (!read_group(l, l->kind == BENCH_CGROUP_V1 ? "memory.max_usage_in_bytes" : "memory.peak", text, sizeof text))
        return -1;
    return strtoll(text, NULL, 10);
}

static void kill_members(const bench_limit *l) {
    char text[4096];
    if (!read_group(l, "cgroup.procs", text, sizeof text)) return;
    for (char *p = text, *end; *p; p = end) {
        const long pid = strtol(p, &end, 10);
        if (end == p) break;
        if (pid > 1) kill((pid_t)pid, SIGKILL);
    }
}

void bench_limit_remove(bench_limit *l) {
    if (l->kind == BENCH_CGROUP_V1 || l->kind == BENCH_CGROUP_V2)
        for (int i = 0; i < 100 && rmdir(l->dir) != 0; i++) { /* the kernel lets go of the dead a little later */
            kill_members(l);
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
    *l = (bench_limit){.kind = BENCH_NO_LIMIT};
}

int64_t bench_limit_safe(void) {
    char text[4096];
    if (!bench_read_text("/proc/meminfo", text, sizeof text)) return 0;
    const char *key = strstr(text, "MemAvailable:");
    return key ? strtoll(key + 13, NULL, 10) * 1024 / 10 * 9 : 0;
}

int64_t bench_parse_size(const char *text) {
    char *end;
    const double x = strtod(text, &end);
    const char *units = "KMGT";
    double factor = 1;
    if (end == text || !(x > 0)) return -1;
    for (const char *u = units; *u; u++)
        if (*end == *u || *end == (*u | 32)) {
            for (const char *v = units; v <= u; v++) factor *= 1024;
            end++;
            if (*end == 'B' || *end == 'b') end++;
            break;
        }
    return *end || x * factor > 9e18 ? -1 : (int64_t)(x * factor);
}

const char *bench_limit_word(bench_limit_kind kind) {
    static const char *const words[] = {"none", "cgroup v1", "cgroup v2", "RLIMIT_DATA"};
    return words[kind];
}
