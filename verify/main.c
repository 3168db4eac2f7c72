#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipelines/room.h"
#include "pipelines/told.h"
#include "verify/cli.h"
#include "verify/report.h"

static int fail(const vel_ctx *ctx, vel_err e) {
    fprintf(stderr, "velcmp: %s\n", ctx->message[0] ? ctx->message : vel_err_words(e));
    if (e == VEL_EUSAGE) fprintf(stderr, "velcmp --help says more\n");
    return vel_err_exit(e);
}

static vel_report_style style_of(const vel_cmp_command *command) {
    return (vel_report_style){.reference = command->reference,
                              .result = command->result,
                              .strictness = command->parity.strictness,
                              .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
}

static vel_err print_json(json_t *report) {
    if (!report) return VEL_ENOMEM;
    json_dumpf(report, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(report);
    return VEL_OK;
}

static int print(vel_ctx *ctx, const vel_cmp_command *command, const vel_parity *parity) {
    vel_report_style style = style_of(command);
    vel_err e = VEL_OK;
    if (command->json)
        e = print_json(vel_report_json(parity, &style));
    else
        vel_report_table(stdout, parity, &style);
    return e == VEL_OK ? vel_parity_exit(parity) : fail(ctx, e);
}

/* No comparison came about: a program that reads the report is told so too. */
static int give_up(const vel_ctx *ctx, const vel_cmp_command *command, vel_err e) {
    if (command->json) {
        vel_report_style style = style_of(command);
        (void)!print_json(vel_report_failure_json(ctx->message[0] ? ctx->message : vel_err_words(e), &style));
    }
    return fail(ctx, e);
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
    return e == VEL_OK ? print(ctx, &command, &parity) : give_up(ctx, &command, e);
}

int main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    if (!ctx.scratch) return fail(&ctx, VEL_ENOMEM);
    int code = run(&ctx, argc, argv);
    const vel_err e = vel_told(&ctx);
    if (e != VEL_OK && code <= 1) code = fail(&ctx, e); /* neither the verdict has been heard, nor the help */
    vel_arena_free(ctx.scratch);
    return code;
}
