#include "io/packing.h"

#include <string.h>

vel_err vel_packing_parse(vel_ctx *ctx, const char *compression, int64_t level, vel_packing *packing) {
    static const char *const words[] = {"none", "gzip", "lzf"};
    enum { DEFAULT_LEVEL = 4, MOST = 9 };
    int kind = 0;
    while (compression && kind < 3 && strcmp(words[kind], compression) != 0) kind++;
    if (kind == 3) return vel_fail(ctx, VEL_EUSAGE, "--compression takes gzip, lzf or none, found %s", compression);
    if (level != -1 && kind != VEL_GZIP)
        return vel_fail(ctx, VEL_EUSAGE, "--compression-opts is the level of --compression gzip, here %s", words[kind]);
    if (level < -1 || level > MOST)
        return vel_fail(ctx, VEL_EUSAGE, "--compression-opts takes a level from 0 to 9, found %lld", (long long)level);
    *packing = (vel_packing){kind, level < 0 ? DEFAULT_LEVEL : (int)level};
    return VEL_OK;
}
