#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipelines/room.h"
#include "verify/cli.h"
#include "verify/report.h"

static int fail(const vel_ctx *ctx, vel_err e) {
    fprintf(stderr, "velcmp: %s\n", ctx->message[0] ? ctx->message : vel_err_words(e));
    if (e == VEL_EUSAGE) fprintf(stderr, "velcmp --help says more\n");
    return vel_err_exit(e);
}

static int print(const vel_ctx *ctx, const vel_cmp_command *command, const vel_parity *parity) {
    vel_report_style style = {.reference = command->reference,
                              .result = command->result,
                              .strictness = command->parity.strictness,
                              .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
    if (command->json) {
        json_t *report = vel_report_json(parity, &style);
        if (!report) return fail(ctx, VEL_ENOMEM);
        json_dumpf(report, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(report);
    } else {
        vel_report_table(stdout, parity, &style);
    }
    if (fflush(stdout) != 0) return fail(ctx, VEL_EWRITE);
    return vel_parity_exit(parity);
}

static int run(vel_ctx *ctx, int argc, char **argv) {
    vel_cmp_command command;
    vel_parity parity;
    vel_err e = vel_cmp_parse(ctx, argc, argv, &command);
    if (e != VEL_OK) return fail(ctx, e);
    if (command.help) {
        vel_cmp_help(stdout);
        return 0;
    }
    if (command.version) {
        printf("velcmp %s\n", VEL_VERSION);
        return 0;
    }
    e = vel_compare_files(ctx, command.reference, command.result, &command.parity, &parity);
    return e == VEL_OK ? print(ctx, &command, &parity) : fail(ctx, e);
}

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    if (!ctx.scratch) return fail(&ctx, VEL_ENOMEM);
    int code = run(&ctx, argc, argv);
    vel_arena_free(ctx.scratch);
    return code;
}
