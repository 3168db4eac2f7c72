#include "bench/backend.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/format.h"

const bench_rival bench_rivals[] = {
    {"scvelo", "scvelo_driver.py", true, "scVelo from PyPI, in Python"},
    {"scvelo-rs", "scvelo_rs_driver.py", false, "scvelo-rs from PyPI: Rust kernels behind scVelo's interface"},
    {"self", NULL, false, "this program again: an A/A run, whose ratios must be 1"},
};
const int bench_n_rivals = (int)(sizeof bench_rivals / sizeof bench_rivals[0]);

enum { PROBE_SECONDS = 60 };

static const char *set_variable(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

vel_err bench_user_folder(vel_ctx *ctx, vel_arena *arena, const char *variable, const char *fallback, const char *name,
                          const char **path) {
    const char *base = set_variable(variable), *home = set_variable("HOME");
    if (base) return bench_format(ctx, arena, path, "%s/velbench/%s", base, name);
    return bench_format(ctx, arena, path, "%s/%s/velbench/%s", home ? home : ".", fallback, name);
}

vel_err bench_rival_python(vel_ctx *ctx, vel_arena *arena, const char **path) {
    const char *named = set_variable("VELBENCH_PYTHON");
    if (named) return bench_keep(ctx, arena, named, path);
    const char *folder;
    VEL_TRY(bench_user_folder(ctx, arena, "XDG_DATA_HOME", ".local/share", "rivals", &folder));
    return bench_format(ctx, arena, path, "%s/bin/python", folder);
}

vel_err bench_rival_folder(vel_ctx *ctx, vel_arena *arena, const char **path) {
    /* seen from the program's own folder: a build in the source tree, one a level deeper (presets), an installation */
    static const char *const places[] = {"../bench/rivals", "../../bench/rivals", "../share/velbench/rivals"};
    const char *named = set_variable("VELBENCH_RIVALS");
    if (named) return bench_keep(ctx, arena, named, path);
    char exe[4096];
    const ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash) *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        VEL_TRY(bench_format(ctx, arena, path, "%s/%s", exe, places[i]));
        if (access(*path, X_OK) == 0) return VEL_OK;
    }
    *path = NULL;
    return VEL_OK;
}

vel_err bench_thread_environment(vel_ctx *ctx, int threads, const char *const **env) {
    static const char *const names[] = {"OMP_NUM_THREADS",   "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                                        "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS",    "BLIS_NUM_THREADS"};
    enum { N = sizeof names / sizeof names[0] };
    const char **list;
    VEL_TRY(VEL_ALLOC(ctx, list, N + 1));
    for (int i = 0; i < N; i++) VEL_TRY(bench_format(ctx, ctx->scratch, &list[i], "%s=%d", names[i], threads));
    list[N] = NULL;
    *env = list;
    return VEL_OK;
}

static vel_err command_of(vel_ctx *ctx, vel_arena *arena, const char *program, const char *script,
                          const char *const **command) {
    const char **list = vel_arena_alloc(arena, 3, sizeof *list);
    if (!list) return vel_no_memory(ctx, 3, sizeof *list);
    list[0] = program;
    list[1] = script;
    list[2] = NULL;
    *command = list;
    return VEL_OK;
}

/* Asks a driver which versions it has; what is not there becomes the backend's `missing`. */
static vel_err probe(vel_ctx *ctx, bench_run *run, bench_backend *b, const char *package) {
    const char *const argv[] = {b->command[0], b->command[1], "--probe", NULL};
    bench_child c;
    VEL_TRY(bench_child_run(ctx, &(bench_job){.argv = argv, .limit_s = PROBE_SECONDS, .threads = 1}, &c));
    if (c.outcome != BENCH_OK) {
        const char *story;
        VEL_TRY(bench_child_story(ctx, &c, &story));
        return bench_format(ctx, run->arena, &b->missing, "its driver does not run: %s", story);
    }
    json_t *frame = json_loads(c.frame, 0, NULL);
    const char *version = json_string_value(json_object_get(json_object_get(frame, "versions"), package));
    const vel_err e =
        version ? bench_keep(ctx, run->arena, version, &b->version)
                : bench_format(ctx, run->arena, &b->missing, "%s is not installed under %s: velbench rivals --setup",
                               package, b->command[0]);
    json_decref(frame);
    return e;
}

static vel_err add_rival(vel_ctx *ctx, bench_run *run, const bench_rival *rival) {
    bench_backend *b = &run->backends[run->n_backends++];
    *b = (bench_backend){.name = rival->name, .reference = rival->reference};
    if (!rival->driver) {
        b->command = run->backends[0].command;
        b->version = VEL_VERSION;
        return VEL_OK;
    }
    const char *python, *folder, *script;
    VEL_TRY(bench_rival_python(ctx, run->arena, &python));
    VEL_TRY(bench_rival_folder(ctx, run->arena, &folder));
    VEL_TRY(bench_format(ctx, run->arena, &script, "%s/%s", folder ? folder : "bench/rivals", rival->driver));
    VEL_TRY(command_of(ctx, run->arena, python, script, &b->command));
    if (access(python, X_OK) != 0)
        return bench_format(ctx, run->arena, &b->missing, "no Python environment at %s: velbench rivals --setup",
                            python);
    if (access(script, R_OK) != 0)
        return bench_format(ctx, run->arena, &b->missing, "its driver %s is not there", script);
    return probe(ctx, run, b, rival->name);
}

static const bench_rival *rival_named(const char *name, size_t n) {
    for (int i = 0; i < bench_n_rivals; i++)
        if (strlen(bench_rivals[i].name) == n && memcmp(bench_rivals[i].name, name, n) == 0) return &bench_rivals[i];
    return NULL;
}

static bool listed(const bench_run *run, const bench_rival *rival) {
    for (int i = 1; i < run->n_backends; i++)
        if (strcmp(run->backends[i].name, rival->name) == 0) return true;
    return false;
}

vel_err bench_backends(vel_ctx *ctx, bench_run *run, const char *names) {
    run->n_backends = 1;
    run->backends[0] = (bench_backend){.name = "vel", .version = VEL_VERSION};
    VEL_TRY(command_of(ctx, run->arena, "/proc/self/exe", "worker", &run->backends[0].command));
    if (!names) names = "scvelo,scvelo-rs";
    if (strcmp(names, "none") == 0) return VEL_OK;
    for (const char *p = names; *p;) {
        const size_t n = strcspn(p, ",");
        const bench_rival *rival = rival_named(p, n);
        if (!rival)
            return vel_fail(ctx, VEL_EUSAGE, "--rivals: \"%.*s\" is none of scvelo, scvelo-rs, self, none", (int)n, p);
        if (!listed(run, rival)) VEL_TRY(add_rival(ctx, run, rival));
        p += n + (p[n] == ',');
    }
    return VEL_OK;
}
