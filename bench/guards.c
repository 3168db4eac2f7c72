#include "bench/guards.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/proc.h"

enum { SENTINEL_STEPS = 1 << 20, PRESSURE_PERCENT = 5 };

int64_t bench_steal_ticks(void) {
    char text[512];
    long long steal;
    if (!bench_read_text("/proc/stat", text, sizeof text)) return -1;
    return sscanf(text, "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &steal) == 1 ? steal : -1;
}

int64_t bench_cpu_pressure_us(void) {
    char text[512];
    if (!bench_read_text("/proc/pressure/cpu", text, sizeof text)) return -1;
    const char *total = strstr(text, "total=");
    return total ? strtoll(total + 6, NULL, 10) : -1;
}

static int64_t sentinel_once(void) {
    const int64_t start = bench_now_ns();
    uint64_t x = 1;
    for (int i = 0; i < SENTINEL_STEPS; i++) {
        x += x >> 1 | 1;
        __asm__ volatile("" : "+r"(x)); /* keeps the chain: the compiler may not solve it */
    }
    return bench_now_ns() - start;
}

int64_t bench_sentinel_ns(void) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        const int64_t t = sentinel_once();
        if (t < least) least = t;
    }
    return least;
}

unsigned bench_doubts(const bench_sample *s, int threads, int64_t before_ns, int64_t after_ns) {
    unsigned bits = 0;
    const double wall_ms = (double)s->wall_ns / 1e6;
    if ((double)s->nivcsw > 0.1 * wall_ms) bits |= BENCH_SWITCHED;
    if (s->steal_ticks > 0) bits |= BENCH_STOLEN;
    if (threads == 1 && (double)s->cpu_ns < 0.98 * (double)s->wall_ns) bits |= BENCH_STARVED;
    if (s->majflt > 0) bits |= BENCH_PAGED;
    if (before_ns > 0 && after_ns > 0) {
        const double ratio = (double)after_ns / (double)before_ns;
        if (ratio > 1.02 || ratio < 1 / 1.02) bits |= BENCH_SLOWED;
    }
    if (s->pressure_us > 0 && (double)s->pressure_us * 1e3 > PRESSURE_PERCENT / 100.0 * (double)s->wall_ns)
        bits |= BENCH_CROWDED;
    return bits;
}

static const char *const doubts[] = {
#define DOUBT_WORD(name, word, why) word,
    BENCH_DOUBT_ROWS(DOUBT_WORD)
#undef DOUBT_WORD
};

const char *bench_doubt_word(int index) { return doubts[index]; }

/* ---- findings about the machine: each writes its value and says whether it disturbs */

typedef bool look(int threads, char *value, int size);

static bool first_line(const char *path, char *value, int size) {
    if (!bench_read_text(path, value, size)) return false;
    value[strcspn(value, "\n")] = '\0';
    return true;
}

static bool unknown_unless(bool told, char *value, int size) {
    if (!told) snprintf(value, (size_t)size, "unknown");
    return told;
}

static bool see_governor(int threads, char *value, int size) {
    (void)threads;
    const char *path = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    return unknown_unless(first_line(path, value, size), value, size) && strcmp(value, "performance") != 0;
}

static bool see_turbo(int threads, char *value, int size) {
    (void)threads;
    char text[8];
    if (first_line("/sys/devices/system/cpu/intel_pstate/no_turbo", text, sizeof text)) {
        snprintf(value, (size_t)size, "%s", text[0] == '0' ? "on" : "off");
        return text[0] == '0';
    }
    if (!unknown_unless(first_line("/sys/devices/system/cpu/cpufreq/boost", text, sizeof text), value, size))
        return false;
    snprintf(value, (size_t)size, "%s", text[0] == '1' ? "on" : "off");
    return text[0] == '1';
}

static bool see_smt(int threads, char *value, int size) {
    (void)threads;
    if (!unknown_unless(first_line("/sys/devices/system/cpu/smt/active", value, size), value, size)) return false;
    const bool on = value[0] == '1';
    snprintf(value, (size_t)size, "%s", on ? "on" : "off");
    return on;
}

static bool see_cpus(int threads, char *value, int size) {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    snprintf(value, (size_t)size, "%d allowed, %d used", n, threads);
    return n > 0 && threads > n;
}

static bool see_quota(int threads, char *value, int size) {
    char text[64];
    double quota = -1, period = 0;
    if (first_line("/sys/fs/cgroup/cpu.max", text, sizeof text)) {
        if (sscanf(text, "%lf %lf", &quota, &period) != 2) quota = -1;
    } else if (first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text, sizeof text)) {
        quota = strtod(text, NULL);
        if (first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", text, sizeof text)) period = strtod(text, NULL);
    }
    if (quota <= 0 || period <= 0) {
        snprintf(value, (size_t)size, "none");
        return false;
    }
    snprintf(value, (size_t)size, "%.2f CPUs", quota / period);
    return quota / period < threads;
}

static bool see_load(int threads, char *value, int size) {
    (void)threads;
    double load = 0;
    if (getloadavg(&load, 1) != 1) return unknown_unless(false, value, size);
    snprintf(value, (size_t)size, "%.2f", load);
    return load > 0.5;
}

static bool see_pressure(int threads, char *value, int size) {
    (void)threads;
    char text[256];
    double some = 0;
    bool told = bench_read_text("/proc/pressure/cpu", text, sizeof text) && sscanf(text, "some avg10=%lf", &some) == 1;
    if (!unknown_unless(told, value, size)) return false;
    snprintf(value, (size_t)size, "%.2f %%", some);
    return some > PRESSURE_PERCENT;
}

static bool see_swap(int threads, char *value, int size) {
    (void)threads;
    char text[4096];
    const bool read = bench_read_text("/proc/meminfo", text, sizeof text);
    const char *total = read ? strstr(text, "SwapTotal:") : NULL, *free_kb = read ? strstr(text, "SwapFree:") : NULL;
    if (!unknown_unless(total && free_kb, value, size)) return false;
    const int64_t used = strtoll(total + 10, NULL, 10) - strtoll(free_kb + 9, NULL, 10);
    snprintf(value, (size_t)size, "%" PRId64 " kB used", used);
    return used > 0;
}

static bool see_huge_pages(int threads, char *value, int size) {
    (void)threads;
    unknown_unless(first_line("/sys/kernel/mm/transparent_hugepage/enabled", value, size), value, size);
    return false;
}

static bool see_randomisation(int threads, char *value, int size) {
    (void)threads;
    unknown_unless(first_line("/proc/sys/kernel/randomize_va_space", value, size), value, size);
    return false;
}

static bool see_tracer(int threads, char *value, int size) {
    (void)threads;
    char text[4096];
    const char *key = bench_read_text("/proc/self/status", text, sizeof text) ? strstr(text, "TracerPid:") : NULL;
    const long pid = key ? strtol(key + 10, NULL, 10) : 0;
    if (pid)
        snprintf(value, (size_t)size, "process %ld", pid);
    else
        snprintf(value, (size_t)size, "none");
    return pid != 0;
}

static bool see_build(int threads, char *value, int size) {
    (void)threads;
#ifdef __OPTIMIZE__
    snprintf(value, (size_t)size, "optimised");
    return false;
#else
    snprintf(value, (size_t)size, "debug");
    return true;
#endif
}

static const struct {
    const char *name;
    look *see;
} looks[] = {{"governor", see_governor},
             {"turbo", see_turbo},
             {"smt", see_smt},
             {"cpus", see_cpus},
             {"cpu_quota", see_quota},
             {"load", see_load},
             {"cpu_pressure", see_pressure},
             {"swap", see_swap},
             {"huge_pages", see_huge_pages},
             {"address_randomisation", see_randomisation},
             {"tracer", see_tracer},
             {"build", see_build}};

int bench_findings(int threads, bench_finding *list, int max) {
    int n = 0;
    for (size_t i = 0; i < sizeof looks / sizeof looks[0] && n < max; i++, n++) {
        list[n] = (bench_finding){.name = looks[i].name};
        list[n].warn = looks[i].see(threads, list[n].value, sizeof list[n].value);
    }
    return n;
}
