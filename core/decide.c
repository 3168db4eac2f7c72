#include "core/decide_bodies.h"

#include <string.h>

#include "core/cpu.h"

#define LARGEST 1e30 /* above this float32 has no room for sums */

/* ---- exactly */

/* The averages of rows 0 and 1, or 2 and 3: two sums side by side, since each waits for its last addition. */
static void exact_means(const vel_choice *q, int first, int64_t c, double *mean) {
    const double *x = q->row[first], *y = q->row[first + 1];
    const float w = vel_segments_weight(q->segments, c);
    int32_t term[VEL_SEGMENT_PIECE];
    double a = 0, b = 0;
    float single_a = 0, single_b = 0;
    for (int64_t from = 0, n; (n = vel_segments_terms(q->segments, c, from, term)); from += n) {
        for (int64_t k = 0; k < n && q->tag != VEL_SINGLE; k++) {
            a += (double)w * x[term[k]];
            b += (double)w * y[term[k]];
        }
        for (int64_t k = 0; k < n && q->tag == VEL_SINGLE; k++) {
            single_a += w * (float)x[term[k]];
            single_b += w * (float)y[term[k]];
        }
    }
    mean[first] = q->tag != VEL_SINGLE ? a : (double)single_a;
    mean[first + 1] = q->tag != VEL_SINGLE ? b : (double)single_b;
}

static uint8_t least(int count, const double *mean) {
    int best = 0;
    for (int r = 1; r < count && mean[best] == mean[best]; r++)
        if (!(mean[r] >= mean[best])) best = r;
    return (uint8_t)best;
}

static uint8_t decide_cell(const vel_choice *q, int count, int64_t c) {
    double mean[VEL_DECIDE_ROWS];
    for (int r = 0; r < count; r += 2) {
        if (q->segments) {
            exact_means(q, r, c, mean);
        } else {
            mean[r] = q->row[r][c];
            mean[r + 1] = q->row[r + 1][c];
        }
    }
    return least(count, mean);
}

void vel_decide_plain(const vel_choice *q, int count, uint8_t *state) {
    for (int64_t c = 0; c < q->n; c++) state[c] = decide_cell(q, count, c);
}

/* ---- by screening */

const vel_decide_bodies *vel_decide_bodies_now(void) {
    return vel_cpu_level() == VEL_CPU_PLAIN ? &vel_decide_bodies_plain : &vel_decide_bodies_avx2;
}

vel_err vel_screen_new(vel_ctx *ctx, const vel_segments *segments, vel_part part, vel_screen *screen) {
    *screen = (vel_screen){.part = part, .voices = part.duet ? part.duet->voices : 1};
    if (!segments) return VEL_OK;
    int64_t n = segments->n;
    if (part.duet)
        screen->cell = part.duet->cell + part.voice;
    else
        VEL_TRY(VEL_ALLOC(ctx, screen->cell, segments->places));
    void *room;
    VEL_TRY(vel_duet_room(ctx, part, n, &room));
    screen->sum = room;
    screen->near = (uint8_t *)(screen->sum + n + VEL_SEGMENT_BLOCK);
    return VEL_ALLOC(ctx, screen->all, n);
}

/* What is to be done with sums once they are there. */
typedef struct {
    const vel_choice *choice;
    uint8_t *two, *all; /* NULL: not wanted */
} comparison;

static void use_sums(void *arg, const vel_two *sum) {
    const comparison *c = arg;
    const vel_decide_bodies *bodies = vel_decide_bodies_now();
    if (c->two && c->all)
        bodies->compare_twice(c->choice, sum, c->two, c->all);
    else
        bodies->compare(c->choice, c->two ? 2 : c->choice->count, sum, c->two ? c->two : c->all);
}

static void add_up(const vel_choice *q, const vel_screen *screen, void (*use)(void *, const vel_two *), void *arg) {
    if (screen->part.duet) {
        vel_duet_sum(screen->part, use, arg);
    } else {
        vel_decide_bodies_now()->sum(q->segments, 1, screen->cell, NULL, screen->sum);
        use(arg, screen->sum);
    }
}

static void compare_all(const vel_choice *q, const vel_screen *screen, uint8_t *two, uint8_t *all) {
    comparison c = {q, two, all};
    add_up(q, screen, use_sums, &c);
}

static bool interleave(const vel_choice *q, const vel_screen *screen) {
    return vel_decide_bodies_now()->interleave(q, screen->voices, screen->cell) < LARGEST;
}

bool vel_decide_sums(const vel_choice *q, vel_screen *screen, void (*use)(void *arg, const vel_two *sum), void *arg) {
    if (!interleave(q, screen)) return false;
    add_up(q, screen, use, arg);
    return true;
}

static void decide_the_rest(const vel_choice *q, int count, uint8_t *state) {
    uint8_t *end = state + q->n, *at = state;
    while ((at = memchr(at, VEL_UNDECIDED, (size_t)(end - at)))) *at = decide_cell(q, count, at - state);
}

void vel_decide(const vel_choice *q, vel_screen *screen, uint8_t *state) {
    screen->usable = q->segments && interleave(q, screen);
    if (!screen->usable) {
        vel_decide_plain(q, 2, state);
        return;
    }
    compare_all(q, screen, state, screen->few ? screen->all : NULL);
    decide_the_rest(q, 2, state);
}

/* Takes over the changed values; returns how many neighbours their cells have. */
static int64_t replace(const vel_choice *q, const vel_changed changed[2], vel_screen *screen) {
    const float *terms = q->segments->terms;
    int64_t neighbors = 0;
    double total = 0;
    for (int r = 0; r < 2; r++)
        for (int64_t k = 0; k < changed[r].n; k++) {
            int32_t c = changed[r].cell[k];
            double x = q->row[r][c];
            screen->cell[vel_segment_place(c) * screen->voices][r] = (float)x;
            total += x;
            neighbors += (int64_t)terms[c];
        }
    screen->usable = total < LARGEST;
    return neighbors;
}

/* Marks the neighbours of the changed cells. */
static void mark(const vel_choice *q, const vel_changed changed[2], uint8_t *wanted) {
    int32_t term[VEL_SEGMENT_PIECE];
    memset(wanted, 0, (size_t)q->n);
    for (int r = 0; r < 2; r++)
        for (int64_t k = 0; k < changed[r].n; k++)
            for (int64_t from = 0, n; (n = vel_segments_terms(q->segments, changed[r].cell[k], from, term)); from += n)
                for (int64_t i = 0; i < n; i++) wanted[term[i]] = 1;
}

void vel_decide_rest(const vel_choice *q, uint8_t *state) { decide_the_rest(q, q->count, state); }

bool vel_decide_again(const vel_choice *q, const vel_changed changed[2], vel_screen *screen, uint8_t *state) {
    const vel_decide_bodies *bodies = vel_decide_bodies_now();
    int64_t neighbors = screen->usable ? replace(q, changed, screen) : 0;
    if (!screen->usable) {
        memset(state, VEL_UNDECIDED, (size_t)q->n);
        return q->n > 0;
    }
    const bool known = screen->few;
    screen->few = q->segments->symmetric && neighbors < 2 * q->n; /* more have nearly all cells as neighbours */
    if (known && screen->few) {
        mark(q, changed, screen->near);
        bodies->sum(q->segments, screen->voices, screen->cell, screen->near, screen->sum);
        bodies->compare_wanted(q, screen->sum, screen->near, screen->all);
        memcpy(state, screen->all, (size_t)q->n);
    } else {
        compare_all(q, screen, NULL, state);
    }
    return memchr(state, VEL_UNDECIDED, (size_t)q->n);
}
