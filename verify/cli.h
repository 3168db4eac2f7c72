/* cli.h - velcmp's command line. */
#ifndef VEL_VERIFY_CLI_H
#define VEL_VERIFY_CLI_H

#include <stdio.h>

#include "verify/parity.h"

typedef struct {
    const char *reference, *result;
    vel_parity_options parity;
    bool json, help, version;
} vel_cmp_command;

/* Reads the arguments; VEL_EUSAGE says in ctx what is wrong with them. With --help or --version the rest may be
 * missing. Texts are borrowed from argv. */
vel_err vel_cmp_parse(vel_ctx *ctx, int argc, char **argv, vel_cmp_command *command) VEL_CHECKED;

/* The help text, made from the table of options. */
void vel_cmp_help(FILE *out);

#endif
