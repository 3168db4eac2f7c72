#include "pipelines/told.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool reader_has_left(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

vel_err vel_told(vel_ctx *ctx) {
    const bool flushed = fflush(stdout) == 0;
    const int failure = errno;
    if ((flushed && !ferror(stdout)) || (!flushed && failure == EPIPE) || reader_has_left()) return VEL_OK;
    return vel_fail(ctx, VEL_EWRITE, "stdout cannot be written: %s",
                    flushed ? "what went before has been lost" : strerror(failure));
}
