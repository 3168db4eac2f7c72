#include "verify/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    int64_t index;
} entry;

static int by_name(const void *a, const void *b) { return strcmp(((const entry *)a)->name, ((const entry *)b)->name); }

static vel_err sorted(vel_ctx *ctx, char **names, int64_t n, entry **out) {
    VEL_TRY(VEL_ALLOC(ctx, *out, n));
    for (int64_t i = 0; i < n; i++) (*out)[i] = (entry){names[i] ? names[i] : "", i};
    qsort(*out, (size_t)n, sizeof **out, by_name);
    return VEL_OK;
}

static bool unique(const entry *e, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (strcmp(e[i - 1].name, e[i].name) == 0) return false;
    return true;
}

static bool same_order(char **names, char **others, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (strcmp(names[i] ? names[i] : "", others[i] ? others[i] : "") != 0) return false;
    return true;
}

static vel_err permute(vel_ctx *ctx, const entry *a, const entry *b, int64_t n, vel_match *match) {
    int64_t *to, *from;
    VEL_TRY(VEL_ALLOC(ctx, to, n));
    VEL_TRY(VEL_ALLOC(ctx, from, n));
    for (int64_t i = 0; i < n; i++) {
        if (strcmp(a[i].name, b[i].name) != 0) {
            bool lacks = strcmp(a[i].name, b[i].name) < 0;
            snprintf(match->why, sizeof match->why, "%.100s is only in the %s", lacks ? a[i].name : b[i].name,
                     lacks ? "reference" : "result");
            match->differ = true;
            return VEL_OK;
        }
        to[a[i].index] = b[i].index;
        from[b[i].index] = a[i].index;
    }
    match->to = to;
    match->from = from;
    return VEL_OK;
}

vel_err vel_match_names(vel_ctx *ctx, char **names, int64_t n, char **others, int64_t m, vel_match *match) {
    *match = (vel_match){.n = n, .names = names};
    if (n != m) {
        match->differ = true;
        snprintf(match->why, sizeof match->why, "%lld in the reference, %lld in the result", (long long)n,
                 (long long)m);
        return VEL_OK;
    }
    if (same_order(names, others, n)) return VEL_OK;
    entry *a, *b;
    VEL_TRY(sorted(ctx, names, n, &a));
    VEL_TRY(sorted(ctx, others, n, &b));
    return unique(a, n) && unique(b, n) ? permute(ctx, a, b, n, match) : VEL_OK;
}
