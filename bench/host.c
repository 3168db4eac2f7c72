#include "bench/host.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/format.h"
#include "bench/proc.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char *const variables[] = {
    "OMP_NUM_THREADS", "OMP_WAIT_POLICY",   "OMP_PROC_BIND",     "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
    "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS", "MALLOC_ARENA_MAX",     "GLIBC_TUNABLES",
    "VEL_CPU",         "VELBENCH_PYTHON",   "LD_PRELOAD"};

bool bench_host_variable(int i, const char **name, const char **value) {
    for (size_t k = 0; k < sizeof variables / sizeof variables[0]; k++) {
        *name = variables[k];
        *value = getenv(variables[k]);
        if (*value && i-- == 0) return true;
    }
    return false;
}

vel_err bench_time_now(vel_ctx *ctx, vel_arena *arena, const char **text) {
    char line[32];
    struct tm utc;
    const time_t now = time(NULL);
    gmtime_r(&now, &utc);
    strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return bench_keep(ctx, arena, line, text);
}

/* What stands behind KEY in a file of "key : value" lines, without quotes; NULL: not there. */
static vel_err value_in(vel_ctx *ctx, vel_arena *arena, const char *path, const char *key, char separator,
                        const char **value) {
    char text[8192];
    *value = NULL;
    if (!bench_read_text(path, text, sizeof text)) return VEL_OK;
    char *line = strstr(text, key);
    if (!line) return VEL_OK;
    char *at = strchr(line, separator);
    if (!at) return VEL_OK;
    at += 1 + strspn(at + 1, " \t\"");
    at[strcspn(at, "\"\n")] = '\0';
    return bench_keep(ctx, arena, at, value);
}

static int64_t memory_kb(void) {
    char text[4096];
    const char *key = bench_read_text("/proc/meminfo", text, sizeof text) ? strstr(text, "MemTotal:") : NULL;
    return key ? strtoll(key + 9, NULL, 10) : 0;
}

/* What git says of the folder that this program lies in, "-dirty" behind it if there are changes; NULL: no repository.
 */
static vel_err commit_of(vel_ctx *ctx, vel_arena *arena, const char **commit) {
    char command[4400] = "git -C '", line[128] = "";
    const ssize_t n = readlink("/proc/self/exe", command + 8, 4000);
    *commit = NULL;
    if (n <= 0 || memchr(command + 8, '\'', (size_t)n)) return VEL_OK;
    command[8 + n] = '\0';
    char *slash = strrchr(command, '/');
    if (!slash) return VEL_OK;
    strcpy(slash, "' describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null");
    FILE *git = popen(command, "re");
    if (!git) return VEL_OK;
    const bool told = fgets(line, sizeof line, git) != NULL;
    pclose(git);
    line[strcspn(line, "\n")] = '\0';
    return told && line[0] ? bench_keep(ctx, arena, line, commit) : VEL_OK;
}

vel_err bench_host_look(vel_ctx *ctx, bench_run *run) {
    bench_host *h = &run->host;
    struct utsname name;
    cpu_set_t set;
    CPU_ZERO(&set);
    *h = (bench_host){.memory_kb = memory_kb()};
    h->cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    h->n_findings = bench_findings(run->request.threads, h->findings, BENCH_MOST_FINDINGS);
    VEL_TRY(value_in(ctx, run->arena, "/proc/cpuinfo", "model name", ':', &h->cpu));
    VEL_TRY(value_in(ctx, run->arena, "/etc/os-release", "PRETTY_NAME", '=', &h->os));
    if (uname(&name) == 0) VEL_TRY(bench_format(ctx, run->arena, &h->kernel, "%s %s", name.sysname, name.release));
    h->compiler = COMPILER;
    VEL_TRY(commit_of(ctx, run->arena, &h->commit));
    return bench_time_now(ctx, run->arena, &run->started);
}

vel_err bench_host_line(vel_ctx *ctx, const bench_host *host, const char **text) {
    return bench_format(ctx, ctx->scratch, text, "%s, %d CPUs, %.0f GB, %s, %s", host->cpu ? host->cpu : "unknown CPU",
                        host->cpus, (double)host->memory_kb / (1 << 20), host->kernel ? host->kernel : "unknown kernel",
                        host->os ? host->os : "unknown system");
}
