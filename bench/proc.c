#include "bench/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 4096, MOST_PROCESSES = 8192 };

bool bench_read_text(const char *path, char *text, int size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    int n = 0;
    for (;;) {
        ssize_t got = read(fd, text + n, (size_t)(size - 1 - n));
        if (got <= 0) break;
        n += (int)got;
    }
    close(fd);
    text[n] = '\0';
    return n > 0;
}

static bool read_of(pid_t pid, const char *name, char *text, int size) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return bench_read_text(path, text, size);
}

/* The number behind "key:" in a status file; 0 if it is not there. */
static int64_t status_number(const char *text, const char *key) {
    size_t n = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, key, n) == 0 && line[n] == ':') return strtoll(line + n + 1, NULL, 10);
    }
    return 0;
}

bool bench_proc_stat_of(pid_t pid, bench_proc_stat *stat) {
    char text[TEXT];
    if (!read_of(pid, "stat", text, sizeof text)) return false;
    const char *p = strrchr(text, ')'); /* the name before it may hold anything */
    if (!p) return false;
    int parent;
    unsigned long long minflt, cminflt, majflt, cmajflt, user, sys, cuser, csys;
    if (sscanf(p + 1, " %*c %d %*d %*d %*d %*d %*u %llu %llu %llu %llu %llu %llu %llu %llu", &parent, &minflt, &cminflt,
               &majflt, &cmajflt, &user, &sys, &cuser, &csys) != 9)
        return false;
    const int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK);
    *stat = (bench_proc_stat){.parent = parent,
                              .minflt = (int64_t)(minflt + cminflt),
                              .majflt = (int64_t)(majflt + cmajflt),
                              .user_ns = (int64_t)(user + cuser) * tick,
                              .sys_ns = (int64_t)(sys + csys) * tick};
    return true;
}

int64_t bench_proc_cpu_ns(pid_t pid) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return -1;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t status_kb(pid_t pid, const char *key) {
    char text[TEXT];
    return read_of(pid, "status", text, sizeof text) ? status_number(text, key) : 0;
}

int64_t bench_proc_rss_kb(pid_t pid) { return status_kb(pid, "VmRSS"); }

int64_t bench_proc_peak_kb(pid_t pid) { return status_kb(pid, "VmHWM"); }

bool bench_proc_reset_peak(pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)pid);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool done = write(fd, "5", 1) == 1;
    close(fd);
    return done;
}

void bench_proc_switches(pid_t pid, int64_t *voluntary, int64_t *involuntary) {
    *voluntary = *involuntary = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *dir = opendir(path);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir));) {
        char name[300], text[TEXT];
        if (!isdigit((unsigned char)e->d_name[0])) continue;
        snprintf(name, sizeof name, "task/%s/status", e->d_name);
        if (!read_of(pid, name, text, sizeof text)) continue;
        *voluntary += status_number(text, "voluntary_ctxt_switches");
        *involuntary += status_number(text, "nonvoluntary_ctxt_switches");
    }
    closedir(dir);
}

typedef struct {
    pid_t pid, parent;
} pair;

static int all_processes(pair *all, int max) {
    DIR *dir = opendir("/proc");
    if (!dir) return 0;
    int n = 0;
    for (const struct dirent *e; n < max && (e = readdir(dir));) {
        bench_proc_stat stat;
        if (!isdigit((unsigned char)e->d_name[0])) continue;
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        if (bench_proc_stat_of(pid, &stat)) all[n++] = (pair){pid, stat.parent};
    }
    closedir(dir);
    return n;
}

int bench_proc_below(pid_t pid, pid_t *pids, int max) {
    pair *all = malloc(MOST_PROCESSES * sizeof *all);
    if (!all) return 0;
    const int n_all = all_processes(all, MOST_PROCESSES);
    int n = 0;
    for (int next = -1; next < n; next++) { /* breadth first: pid itself, then what has been found */
        pid_t above = next < 0 ? pid : pids[next];
        for (int i = 0; i < n_all && n < max; i++)
            if (all[i].parent == above && all[i].pid != pid) pids[n++] = all[i].pid;
    }
    free(all);
    return n;
}
