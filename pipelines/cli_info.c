#include "io/h5ad.h"
#include "io/info.h"
#include "pipelines/cli.h"

vel_err vel_cli_info(vel_cli *cli, const char *command) {
    vel_ctx *ctx = cli->ctx;
    if (cli->args.n_flags)
        return vel_fail(ctx, VEL_EUSAGE, "vel %s has no option --%s", command, cli->args.flags[0].name);
    if (cli->args.n_words != 1) return vel_fail(ctx, VEL_EUSAGE, "vel %s needs one file", command);
    if (!*cli->args.words[0]) return vel_fail(ctx, VEL_EUSAGE, "the name of the file is empty");
    vel_adata *ad = NULL;
    VEL_TRY(vel_h5ad_open(ctx, cli->args.words[0], &ad));
    vel_err e = vel_info(ctx, ad, cli->common.json, cli->out);
    vel_adata_free(ad);
    return e;
}
