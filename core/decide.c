#include "core/decide.h"

#include <math.h>
#include <string.h>

typedef float quad __attribute__((vector_size(16))); /* the rows of one cell */

#define UNIT 0x1p-24f
#define SAFETY 8.0f  /* twice the error of a float32 sum on either side, once more for averages that are single */
#define TINY 1e-30f  /* below this float32 has no relative precision to rely on */
#define LARGEST 1e30 /* and above this no room for sums */

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

static uint8_t decide_exactly(const vel_choice *q, int64_t c) {
    double mean[VEL_DECIDE_ROWS];
    for (int r = 0; r < q->count; r++)
        mean[r] = q->average ? exact_mean(q->average, c, q->row[r], q->tag) : q->row[r][c];
    return least(q->count, mean);
}

void vel_decide_plain(const vel_choice *q, uint8_t *state) {
    for (int64_t c = 0; c < q->n; c++) state[c] = decide_exactly(q, c);
}

/* ---- by screening */

/* The rows of each cell side by side, in float32; false if there are values that float32 sums cannot hold. Missing
 * rows are never least. */
static bool interleave(const vel_choice *q, quad *cell) {
    const double *r0 = q->row[0], *r1 = q->row[1], *r2 = q->row[2], *r3 = q->row[3];
    double total = 0;
    for (int64_t c = 0; c < q->n; c++) {
        total += r0[c] + r1[c];
        cell[c] = (quad){(float)r0[c], (float)r1[c], 0, 0};
    }
    for (int64_t c = 0; c < q->n && q->count == VEL_DECIDE_ROWS; c++) {
        total += r2[c] + r3[c];
        cell[c][2] = (float)r2[c];
        cell[c][3] = (float)r3[c];
    }
    return total < LARGEST;
}

static quad sum_over(const vel_average *avg, int64_t c, const quad *cell) {
    int64_t e = avg->indptr[c], end = avg->indptr[c + 1];
    quad a = {0}, b = {0}, d = {0}, f = {0};
    for (; e + 4 <= end; e += 4) {
        a += cell[avg->indices[e]];
        b += cell[avg->indices[e + 1]];
        d += cell[avg->indices[e + 2]];
        f += cell[avg->indices[e + 3]];
    }
    for (; e < end; e++) a += cell[avg->indices[e]];
    return (a + b) + (d + f);
}

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a < b ? b : a; }

/* The least of the sums, if no other is within the factor `margin` of it. */
static bool clear_least(quad s, int count, float margin, uint8_t *best) {
    float low = smaller(s[0], s[1]), second = larger(s[0], s[1]);
    uint8_t at = s[1] < s[0];
    if (count == VEL_DECIDE_ROWS) {
        float low2 = smaller(s[2], s[3]), high2 = larger(s[2], s[3]);
        uint8_t at2 = (uint8_t)(2 + (s[3] < s[2]));
        second = smaller(larger(low, low2), smaller(second, high2));
        at = low2 < low ? at2 : at;
        low = smaller(low, low2);
    }
    *best = at;
    return second > low * margin + TINY;
}

void vel_decide(const vel_choice *q, double *work, uint8_t *state) {
    quad *cell = (quad *)(void *)work;
    if (!q->average || !interleave(q, cell)) {
        vel_decide_plain(q, state);
        return;
    }
    const vel_average *avg = q->average;
    for (int64_t c = 0; c < q->n; c++) {
        float degree = (float)(avg->indptr[c + 1] - avg->indptr[c]);
        float margin = 1 + SAFETY * UNIT * (degree + 4);
        if (!clear_least(sum_over(avg, c, cell), q->count, margin, &state[c])) state[c] = decide_exactly(q, c);
    }
}
