#include "pipelines/told.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

vel_err vel_told(vel_ctx *ctx) {
    if (fflush(stdout) == 0 || errno == EPIPE) return VEL_OK;
    return vel_fail(ctx, VEL_EWRITE, "stdout cannot be written: %s", strerror(errno));
}
