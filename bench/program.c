#include "bench/program.h"

#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "bench/backend.h"
#include "bench/data.h"
#include "bench/files.h"
#include "bench/host.h"
#include "bench/ladder_report.h"
#include "bench/live.h"
#include "bench/report.h"
#include "bench/rivals.h"
#include "bench/roofline_report.h"
#include "bench/run.h"
#include "bench/table.h"
#include "bench/worker.h"
#include "pipelines/env.h"
#include "pipelines/signals.h"
#include "pipelines/told.h"

vel_err bench_list(vel_ctx *ctx, FILE *out, const bench_command *command) {
    const bench_row *rows[BENCH_MOST_ROWS];
    int n;
    VEL_TRY(bench_select(ctx, command->request.set, command->request.only, rows, &n));
    for (int i = 0; i < n; i++) {
        const bench_row *r = rows[i];
        const int64_t cells = bench_scaled_cells(r, command->request.scale);
        if (!command->json) {
            char shape[48];
            snprintf(shape, sizeof shape, "%" PRId64 " x %" PRId64, cells, r->genes);
            fprintf(out, "%-36s %-7s %-10s %-14s %s%s%s%s%s\n", r->name, bench_kind_word(r->kind),
                    bench_tier_word(r->tier), shape, r->before ? r->before : "", r->before ? " | timed: " : "",
                    r->op ? r->op : bench_scope_word(r->scope),
                    r->parity || command->request.scale != 1 ? "  (parity)" : "",
                    command->request.scale != 1 ? "  (scaled)" : "");
            continue;
        }
        json_t *object =
            json_pack("{s:s, s:s, s:s, s:I, s:I, s:f, s:s?, s:s?, s:s, s:s?, s:i, s:b, s:i}", "name", r->name, "kind",
                      bench_kind_word(r->kind), "tier", bench_tier_word(r->tier), "cells", (json_int_t)cells, "genes",
                      (json_int_t)r->genes, "scale", command->request.scale, "before", r->before, "op", r->op, "scope",
                      bench_scope_word(r->scope), "fixture", r->fixture, "threads", r->threads, "parity",
                      r->parity || command->request.scale != 1, "limit_s", r->limit_s);
        json_dumpf(object, out, JSON_COMPACT);
        fputc('\n', out);
        json_decref(object);
    }
    return VEL_OK;
}

typedef struct {
    vel_ctx *ctx;
    bench_live live;
} teller;

static void on_start(void *user, const bench_run *run, int line, int backend, int repeat) {
    bench_live_start(&((teller *)user)->live, run, line, backend, repeat);
}

static vel_err on_done(void *user, bench_run *run, int line) {
    teller *t = user;
    bench_live_done(&t->live, run, line);
    return bench_report_write(t->ctx, run);
}

vel_err bench_perform(vel_ctx *ctx, const bench_command *command, bench_run *run) {
    const bench_row *rows[BENCH_MOST_ROWS];
    int n;
    teller t = {ctx, {.people = stderr, .terminal = isatty(2), .programs = command->json ? stdout : NULL}};
    const bench_listener listener = {&t, on_start, on_done};
    VEL_TRY(bench_select(ctx, run->request.set, run->request.only, rows, &n));
    VEL_TRY(bench_make_folder(ctx, run->request.out));
    VEL_TRY(bench_host_look(ctx, run));
    VEL_TRY(bench_run_plan(ctx, run, rows, n));
    const vel_err e = bench_run_all(ctx, run, &listener);
    if (e != VEL_OK && !run->interrupted) return e;
    VEL_TRY(bench_time_now(ctx, run->arena, &run->finished));
    VEL_TRY(bench_report_write(ctx, run));
    const char *table;
    VEL_TRY(bench_table_text(ctx, run, &table));
    if (!command->json) fprintf(stdout, "%s\nWritten under %s\n", table, run->request.out);
    bench_live_end(&t.live, run, bench_exit_code(run));
    return e;
}

static vel_err new_run(vel_ctx *ctx, char **argv, const bench_command *command, vel_arena *arena, bench_run **made) {
    bench_run *run = *made = vel_arena_zalloc(arena, 1, sizeof *run);
    if (!run) return vel_no_memory(ctx, 1, sizeof *run);
    run->arena = arena;
    run->argv = (const char *const *)argv;
    run->request = command->request;
    return bench_user_folder(ctx, arena, "XDG_CACHE_HOME", ".cache", "fixtures", &run->request.cache);
}

static vel_err measure(vel_ctx *ctx, char **argv, const bench_command *command, vel_arena *arena, int *code) {
    bench_run *run;
    VEL_TRY(new_run(ctx, argv, command, arena, &run));
    VEL_TRY(bench_backends(ctx, run, command->rivals));
    VEL_TRY(bench_perform(ctx, command, run));
    *code = bench_exit_code(run);
    return VEL_OK;
}

static vel_err ladder(vel_ctx *ctx, char **argv, const bench_command *command, vel_arena *arena, int *code) {
    bench_run *run;
    if (command->list) {
        bench_ladder_list(stdout, command->request.only);
        return VEL_OK;
    }
    VEL_TRY(new_run(ctx, argv, command, arena, &run));
    VEL_TRY(bench_backends(ctx, run, "none"));
    return bench_ladder_perform(ctx, &command->ladder, run, stdout, stderr, code);
}

static vel_err roofline(vel_ctx *ctx, char **argv, const bench_command *command, vel_arena *arena) {
    bench_run *run;
    if (command->list) {
        bench_roofline_list(stdout);
        return VEL_OK;
    }
    VEL_TRY(new_run(ctx, argv, command, arena, &run));
    return bench_roofline_perform(ctx, run, stdout, stderr);
}

static vel_err obey(vel_ctx *ctx, int argc, char **argv, vel_arena *arena, int *code) {
    bench_command command;
    VEL_TRY(bench_parse(ctx, argc, argv, &command));
    if (command.help) {
        bench_help(stdout);
        return VEL_OK;
    }
    if (command.version) {
        printf("velbench %s\n", VEL_VERSION);
        return VEL_OK;
    }
    if (command.list && command.verb == BENCH_DO_RUN) return bench_list(ctx, stdout, &command);
    switch (command.verb) {
        case BENCH_DO_RIVALS:
            return command.setup ? bench_rivals_setup(ctx, stdout, command.python)
                                 : bench_rivals_list(ctx, stdout, command.json);
        case BENCH_DO_DATA:
            return bench_data_list(ctx, stdout, command.request.data, command.json);
        case BENCH_DO_LADDER:
            return ladder(ctx, argv, &command, arena, code);
        case BENCH_DO_COMPARE:
            return bench_compare_files(ctx, &command.compare, stdout, command.json, code);
        case BENCH_DO_ROOFLINE:
            return roofline(ctx, argv, &command, arena);
        case BENCH_DO_RUN:
            break;
    }
    return measure(ctx, argv, &command, arena, code);
}

int bench_main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) {
        vel_env_settle(argv);
        return bench_worker_main(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "roofline") == 0) vel_env_settle(argv); /* its kernels run in this process */
    signal(SIGCHLD, SIG_DFL); /* children whose end is ignored, as a parent may have left it, cannot be waited for */
    vel_arena *arena = vel_arena_new(), *scratch = vel_arena_new();
    vel_ctx ctx = {.scratch = scratch, .threads = 1, .cancel = vel_signals_catch()};
    int code = 0;
    vel_err e = arena && scratch ? obey(&ctx, argc, argv, arena, &code) : VEL_ENOMEM;
    if (e == VEL_OK) e = vel_told(&ctx);
    if (e != VEL_OK) {
        fprintf(stderr, "velbench: %s\n", ctx.message[0] ? ctx.message : vel_err_words(e));
        code = vel_err_exit(e);
    }
    vel_arena_free(scratch);
    vel_arena_free(arena);
    return code;
}
