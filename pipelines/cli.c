#include "pipelines/cli.h"

#include <string.h>

#include "core/near.h"
#include "pipelines/named.h"
#include "pipelines/signals.h"
#include "pipelines/told.h"

static const struct {
    const char *name;
    vel_command run;
    void (*help)(FILE *out);
} commands[] = {
    {"run", vel_cli_run, vel_help_run},
    {"steps", vel_cli_steps, vel_help_steps},
    {"recipes", vel_cli_recipes, vel_help_recipes},
    {"info", vel_cli_info, vel_help_info},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static vel_err unknown_command(vel_cli *cli, const char *name) {
    vel_ctx *ctx = cli->ctx;
    vel_near near = {.name = name};
    for (int i = 0; i < N_COMMANDS; i++) vel_near_offer(&near, commands[i].name);
    for (int i = 0; i < vel_n_steps; i++) vel_near_offer(&near, vel_steps[i]->name);
    if (vel_named_find(name))
        return vel_fail(ctx, VEL_EUSAGE, "%s is a recipe: vel run %s IN.h5ad -o OUT.h5ad", name, name);
    if (vel_step_is_awaited(ctx, name))
        return vel_fail(ctx, VEL_EUSAGE, "this version has no step %s yet (vel steps lists those it has)", name);
    if (!near.best) VEL_TRY(vel_args_strange(ctx, &cli->args)); /* it may have taken the command for its value */
    return vel_fail(ctx, VEL_EUSAGE, "there is no command or step '%s'%s%s%s (vel --help lists them)", name,
                    near.best ? "; did you mean " : "", near.best ? near.best : "", near.best ? "?" : "");
}

static vel_err dispatch(vel_cli *cli) {
    const char *name = cli->args.words[0];
    cli->args.words++;
    cli->args.n_words--;
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) != 0) continue;
        if (!cli->common.help) return commands[i].run(cli, name);
        commands[i].help(cli->out);
        return VEL_OK;
    }
    const vel_step *step = vel_step_find(name);
    if (!step) return unknown_command(cli, name);
    if (!cli->common.help) return vel_cli_step(cli, step->name);
    vel_help_step(cli->out, step);
    return VEL_OK;
}

/* `vel help COMMAND` is `vel COMMAND --help`; there is nothing more to say of help itself. */
static void take_help(vel_cli *cli) {
    while (cli->args.n_words && strcmp(cli->args.words[0], "help") == 0) {
        cli->args.words++;
        cli->args.n_words--;
        cli->common.help = true;
    }
}

static vel_err read_line(vel_cli *cli, int argc, char **argv) {
    VEL_TRY(vel_args_parse(cli->ctx, cli->arena, argc - 1, argv + 1, &cli->args));
    VEL_TRY(vel_args_common(cli->ctx, cli->arena, &cli->args, &cli->common));
    take_help(cli);
    return VEL_OK;
}

/* Whether events are asked for, by a line that could not be read. */
static bool wants_events(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--json")) return true;
    return false;
}

static vel_err no_command(vel_cli *cli) {
    VEL_TRY(vel_args_strange(cli->ctx, &cli->args));
    return vel_fail(cli->ctx, VEL_EUSAGE, "a command is missing (vel --help lists them)");
}

static vel_err run_command(vel_cli *cli, int argc, char **argv) {
    vel_err e = read_line(cli, argc, argv);
    if (e) cli->common.json = wants_events(argc, argv);
    VEL_TRY(e);
    if (cli->common.version)
        fprintf(cli->out, "vel %s\n", VEL_VERSION);
    else if (cli->args.n_words)
        return dispatch(cli);
    else if (cli->common.help)
        vel_help_program(cli->out);
    else
        return no_command(cli);
    return VEL_OK;
}

static void tell_error(vel_cli *cli, vel_err e) {
    const char *message = cli->ctx->message[0] ? cli->ctx->message : vel_err_words(e);
    fprintf(stderr, "vel: %s\n", message);
    if (!cli->common.json || !cli->arena) return;
    vel_events events = {.to = cli->out, .arena = cli->arena};
    vel_event_error(&events, e, message);
}

int vel_cli_main(int argc, char **argv) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1, .cancel = vel_signals_catch()};
    vel_cli cli = {.ctx = &ctx, .arena = vel_arena_new(), .out = stdout};
    vel_err e = ctx.scratch && cli.arena ? run_command(&cli, argc, argv) : VEL_ENOMEM;
    if (!e) e = vel_told(&ctx);
    if (e) tell_error(&cli, e);
    vel_arena_free(cli.arena);
    vel_arena_free(ctx.scratch);
    return vel_err_exit(e);
}
