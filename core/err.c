#include "core/err.h"

static const struct {
    int exit;
    const char *name, *words;
} rows[] = {
#define VEL_ERR_ROW(name, exit, words) {exit, #name, words},
    VEL_ERR_ROWS(VEL_ERR_ROW)
#undef VEL_ERR_ROW
};

int vel_err_exit(vel_err e) { return rows[e].exit; }

const char *vel_err_name(vel_err e) { return rows[e].name; }

const char *vel_err_words(vel_err e) { return rows[e].words; }
