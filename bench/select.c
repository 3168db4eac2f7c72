#include "bench/select.h"

#include <fnmatch.h>

const char *bench_set_word(bench_set set) {
    static const char *const words[] = {"long", "quick", "extra-long", "vendor-only", "steps", "steps-long"};
    return words[set];
}

static bool in_set(const bench_row *row, bench_set set) {
    switch (set) {
        case BENCH_SET_LONG:
            return row->tier == BENCH_QUICK || row->tier == BENCH_LONG;
        case BENCH_SET_QUICK:
            return row->tier == BENCH_QUICK;
        case BENCH_SET_EXTRA_LONG:
            return row->tier == BENCH_EXTRA_LONG;
        case BENCH_SET_VENDOR:
            return row->kind == BENCH_VENDOR;
        case BENCH_SET_STEPS:
            return row->tier == BENCH_STEPS;
        case BENCH_SET_STEPS_LONG:
            return row->tier == BENCH_STEPS_LONG;
        case BENCH_N_SETS:
            break;
    }
    return false;
}

static int matching(bench_set set, const char *only, const bench_row **list) {
    int n = 0;
    for (int i = 0; i < bench_n_rows; i++)
        if (in_set(&bench_rows[i], set) && (!only || fnmatch(only, bench_rows[i].name, 0) == 0))
            list[n++] = &bench_rows[i];
    return n;
}

vel_err bench_select(vel_ctx *ctx, bench_set set, const char *only, const bench_row **list, int *n) {
    *n = matching(set, only, list);
    if (*n) return VEL_OK;
    for (bench_set other = BENCH_SET_LONG; other < BENCH_N_SETS; other++)
        if (matching(other, only, list))
            return vel_fail(ctx, VEL_EUSAGE, "--only %s matches no bench of --%s, but of --%s it does", only,
                            bench_set_word(set), bench_set_word(other));
    return vel_fail(ctx, VEL_EUSAGE, "--only %s matches no bench; velbench --list --long shows their names", only);
}
