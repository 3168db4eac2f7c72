/* backend.h - the programs that velbench can measure: this one, and its rivals by small drivers under bench/rivals/. */
#ifndef VEL_BENCH_BACKEND_H
#define VEL_BENCH_BACKEND_H

#include "bench/result.h"

/* A rival as a row. */
typedef struct {
    const char *name;
    const char *driver; /* under bench/rivals/; NULL: this program again (an A/A run) */
    bool reference;
    const char *what;
} bench_rival;

extern const bench_rival bench_rivals[];
extern const int bench_n_rivals;

/* Fills backends[0] with this program and the rest with the rivals named in `names` ("scvelo,self"; "none"; NULL: those
 * with a driver), as rows of `run`. A rival whose interpreter, driver or package is not there gets `missing`, which
 * says what to do. VEL_EUSAGE names an unknown one. */
vel_err bench_backends(vel_ctx *ctx, bench_run *run, const char *names) VEL_CHECKED;

/* The interpreter that rivals run under: $VELBENCH_PYTHON, else that of the environment that `velbench rivals --setup`
 * makes. In the arena. Whether it is there is not looked at. */
vel_err bench_rival_python(vel_ctx *ctx, vel_arena *arena, const char **path) VEL_CHECKED;

/* The folder of the drivers: $VELBENCH_RIVALS, else beside the sources or under share/velbench; NULL: not found. */
vel_err bench_rival_folder(vel_ctx *ctx, vel_arena *arena, const char **path) VEL_CHECKED;

/* $XDG_…_HOME/velbench, else HOME/FALLBACK/velbench ("XDG_CACHE_HOME", ".cache"), with /NAME behind it. */
vel_err bench_user_folder(vel_ctx *ctx, vel_arena *arena, const char *variable, const char *fallback, const char *name,
                          const char **path) VEL_CHECKED;

/* The variables that hold every numerical library to that many threads; ends with NULL. In ctx->scratch. */
vel_err bench_thread_environment(vel_ctx *ctx, int threads, const char *const **env) VEL_CHECKED;

#endif
