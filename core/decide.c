#include "core/decide_bodies.h"

#include "core/cpu.h"

/* ---- exactly */

static double exact_mean(const vel_average *avg, int64_t c, const double *x, vel_tag tag) {
    int64_t end = avg->indptr[c + 1];
    if (tag != VEL_SINGLE) {
        double w = avg->weight[c], sum = 0;
        for (int64_t e = avg->indptr[c]; e < end; e++) sum += w * x[avg->indices[e]];
        return sum;
    }
    float w = avg->weight[c], sum = 0;
    for (int64_t e = avg->indptr[c]; e < end; e++) sum += w * (float)x[avg->indices[e]];
    return (double)sum;
}

static uint8_t least(int count, const double *mean) {
    int best = 0;
    for (int r = 1; r < count && mean[best] == mean[best]; r++)
        if (!(mean[r] >= mean[best])) best = r;
    return (uint8_t)best;
}

uint8_t vel_decide_cell(const vel_choice *q, int64_t c) {
    double mean[VEL_DECIDE_ROWS];
    for (int r = 0; r < q->count; r++)
        mean[r] = q->nearby ? exact_mean(q->nearby->average, c, q->row[r], q->tag) : q->row[r][c];
    return least(q->count, mean);
}

void vel_decide_plain(const vel_choice *q, uint8_t *state) {
    for (int64_t c = 0; c < q->n; c++) state[c] = vel_decide_cell(q, c);
}

/* ---- by screening */

static vel_decide_body *body_at(vel_cpu level) {
    return level == VEL_CPU_PLAIN ? vel_decide_screened : vel_decide_screened_avx2;
}

void vel_decide(const vel_choice *q, double *work, uint8_t *state) {
    vel_quad *cell = (vel_quad *)(void *)work;
    if (!q->nearby || !body_at(vel_cpu_level())(q, cell, state)) vel_decide_plain(q, state);
}
