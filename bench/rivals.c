#include "bench/rivals.h"

#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/backend.h"
#include "bench/files.h"
#include "bench/format.h"
#include "io/json.h"

extern char **environ;

static vel_err find_all(vel_ctx *ctx, bench_run **run) {
    VEL_TRY(VEL_ZALLOC(ctx, *run, 1));
    (*run)->arena = ctx->scratch;
    return bench_backends(ctx, *run, NULL);
}

static const char *what_is(const char *name) {
    for (int i = 0; i < bench_n_rivals; i++)
        if (strcmp(bench_rivals[i].name, name) == 0) return bench_rivals[i].what;
    return "";
}

vel_err bench_rivals_list(vel_ctx *ctx, FILE *out, bool json) {
    bench_run *run;
    VEL_TRY(find_all(ctx, &run));
    json_t *list = json_array();
    for (int b = 1; b < run->n_backends; b++) {
        const bench_backend *rival = &run->backends[b];
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o}", "name", rival->name, "version", vel_json_text(rival->version),
                            "missing", vel_json_text(rival->missing), "driver", vel_json_text(rival->command[1])));
        if (!json)
            fprintf(out, "%-10s %s\n           %s%s\n", rival->name, what_is(rival->name),
                    rival->missing ? "not there: " : "version ", rival->missing ? rival->missing : rival->version);
    }
    if (json) {
        json_dumpf(list, out, JSON_INDENT(2));
        fputc('\n', out);
    }
    json_decref(list);
    return VEL_OK;
}

/* Runs a command that speaks for itself; VEL_EREAD if it fails. */
static vel_err run_command(vel_ctx *ctx, FILE *out, const char *const *argv) {
    pid_t pid;
    int status;
    fprintf(out, "$");
    for (const char *const *word = argv; *word; word++) fprintf(out, " %s", *word);
    fprintf(out, "\n");
    fflush(out);
    const int e = posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ);
    if (e) return vel_fail(ctx, VEL_EREAD, "%s: %s", argv[0], strerror(e));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return vel_fail(ctx, VEL_EREAD, "%s: %s", argv[0], strerror(errno));
    VEL_TRY(vel_poll(ctx));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return VEL_OK;
    return vel_fail(ctx, VEL_EREAD, "%s %s failed", argv[0], argv[1]);
}

/* The first of the interpreters that is there: those that the pinned versions have wheels for come first. */
static const char *default_python(void) {
    static const char *const names[] = {"python3.11", "python3.12", "python3.13", "python3.10"};
    static const char *const places[] = {"/usr/bin/", "/usr/local/bin/"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            char path[64];
            strcpy(path, places[k]);
            strcat(path, names[i]);
            if (access(path, X_OK) == 0) return names[i];
        }
    return "python3";
}

/* The pinned reference, which the rivals stand on: beside the drivers in an installation, under tools/ in the sources.
 */
static vel_err reference_list(vel_ctx *ctx, const char *drivers, const char **path) {
    VEL_TRY(bench_format(ctx, ctx->scratch, path, "%s/reference-requirements.txt", drivers));
    if (access(*path, R_OK) == 0) return VEL_OK;
    VEL_TRY(bench_format(ctx, ctx->scratch, path, "%s/../../tools/reference-requirements.txt", drivers));
    if (access(*path, R_OK) == 0) return VEL_OK;
    return vel_fail(ctx, VEL_EREAD, "%s: not there", *path);
}

vel_err bench_rivals_setup(vel_ctx *ctx, FILE *out, const char *python) {
    const char *folder, *drivers, *reference, *rivals, *inside, *parent;
    VEL_TRY(bench_user_folder(ctx, ctx->scratch, "XDG_DATA_HOME", ".local/share", "rivals", &folder));
    VEL_TRY(bench_user_folder(ctx, ctx->scratch, "XDG_DATA_HOME", ".local/share", "", &parent));
    VEL_TRY(bench_rival_folder(ctx, ctx->scratch, &drivers));
    if (!drivers) return vel_fail(ctx, VEL_EREAD, "the folder bench/rivals is not found: set VELBENCH_RIVALS");
    VEL_TRY(reference_list(ctx, drivers, &reference));
    VEL_TRY(bench_make_folder(ctx, parent));
    VEL_TRY(bench_format(ctx, ctx->scratch, &rivals, "%s/requirements.txt", drivers));
    VEL_TRY(bench_format(ctx, ctx->scratch, &inside, "%s/bin/python", folder));
    const char *const make[] = {python ? python : default_python(), "-m", "venv", folder, NULL};
    const char *const install[] = {inside,
                                   "-m",
                                   "pip",
                                   "install",
                                   "--disable-pip-version-check",
                                   "--prefer-binary",
                                   "--requirement",
                                   reference,
                                   "--requirement",
                                   rivals,
                                   NULL};
    VEL_TRY(run_command(ctx, out, make));
    VEL_TRY(run_command(ctx, out, install));
    fprintf(out, "The rivals are ready under %s\n", folder);
    return VEL_OK;
}
