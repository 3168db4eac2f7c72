/* cli.h - the program `vel`: its commands, and what they share. */
#ifndef VEL_PIPELINES_CLI_H
#define VEL_PIPELINES_CLI_H

#include "pipelines/cli_args.h"
#include "pipelines/voice.h"

typedef struct {
    vel_ctx *ctx;
    vel_arena *arena; /* lives as long as the command */
    FILE *out;
    vel_args args; /* what the common options and the command left over */
    vel_common common;
} vel_cli;

/* A command: its rows are in cli.c. command is its own name. */
typedef vel_err (*vel_command)(vel_cli *cli, const char *command);

vel_err vel_cli_step(vel_cli *cli, const char *step) VEL_CHECKED;
vel_err vel_cli_run(vel_cli *cli, const char *command) VEL_CHECKED;
vel_err vel_cli_steps(vel_cli *cli, const char *command) VEL_CHECKED;
vel_err vel_cli_recipes(vel_cli *cli, const char *command) VEL_CHECKED;
vel_err vel_cli_info(vel_cli *cli, const char *command) VEL_CHECKED;

/* Help pages, made from the tables. */
void vel_help_program(FILE *out);
void vel_help_step(FILE *out, const vel_step *step);
void vel_help_run(FILE *out);
void vel_help_steps(FILE *out);
void vel_help_recipes(FILE *out);
void vel_help_info(FILE *out);

/* The whole program; returns its exit code. */
int vel_cli_main(int argc, char **argv);

#endif
