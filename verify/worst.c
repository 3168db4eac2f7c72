#include "verify/worst.h"

static bool is_worse(const vel_gap *a, const vel_gap *b) {
    return a->outside != b->outside ? a->outside > b->outside : a->max_abs > b->max_abs;
}

static bool differs(const vel_gap *g) { return g->outside > 0 || g->max_abs > 0; }

int vel_worst_of(const vel_gap *gaps, int64_t n, int most, int64_t *order) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!differs(&gaps[i])) continue;
        int at = found;
        while (at > 0 && is_worse(&gaps[i], &gaps[order[at - 1]])) at--;
        if (at >= most) continue;
        if (found < most) found++;
        for (int k = found - 1; k > at; k--) order[k] = order[k - 1];
        order[at] = i;
    }
    return found;
}
