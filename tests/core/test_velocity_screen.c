#include "core/velocity_screen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cpu.h"
#include "core/velocity_screen_bodies.h"
#include "tests/random.h"

enum { CELLS = 3000, MANY = 40000, GENES = VEL_DYNAMICAL_GENES, MOST = 24 };

/* Genes of n cells around curves, with neighbours that are near in time. */
typedef struct {
    vel_ctx ctx;
    int64_t n;
    vel_nearby nearby;
    vel_fitted_gene fit[GENES];
    double *u[GENES], *s[GENES], *on[GENES], *off[GENES];
    vel_dynamical_gene genes[GENES];
    vel_velocity_model models[GENES];
    uint64_t seed;
} world;

#define ROOM(w, pointer, n) assert_int_equal(VEL_ALLOC(&(w)->ctx, pointer, n), VEL_OK)

static vel_csr graph_of(world *w) {
    int64_t *indptr;
    int32_t *indices;
    ROOM(w, indptr, w->n + 1);
    ROOM(w, indices, w->n * MOST);
    indptr[0] = 0;
    for (int64_t c = 0, k = 0; c < w->n; c++) {
        const int64_t step = 1 + (int64_t)random_between(&w->seed, 0, 3);
        int64_t degree = c % 97 ? (int64_t)random_between(&w->seed, 1, MOST) : 0; /* some have none */
        for (int64_t j = c - degree / 2 * step; j < w->n && degree > 0; j += step)
            if (j >= 0 && j != c) indices[k++] = (int32_t)j, degree--;
        indptr[c + 1] = k;
    }
    return (vel_csr){w->n, w->n, indptr, indices, NULL, VEL_F32};
}

/* Of the cells at first a part has the time 0 on the branch "on": ties. Gene 5 has a NaN, gene 6 no noise. */
static void make_gene(world *w, int g) {
    w->fit[g] = (vel_fitted_gene){.alpha = 2 + g,
                                  .beta = 0.6,
                                  .gamma = 0.3 + 0.1 * g,
                                  .scaling = 1.25 - 0.1 * g,
                                  .switch_at = 4,
                                  .std_u = 1.5,
                                  .std_s = 1,
                                  .u0 = 0.1 * (g == 3),
                                  .s0 = 0.2 * (g == 3)};
    w->models[g] = vel_velocity_model_make(&w->fit[g]);
    const vel_velocity_engine e = vel_velocity_engine_now();
    ROOM(w, w->u[g], w->n);
    ROOM(w, w->s[g], w->n);
    ROOM(w, w->on[g], w->n);
    ROOM(w, w->off[g], w->n);
    for (int64_t c = 0; c < w->n; c++) {
        const double t = 10.0 * (double)c / (double)w->n, noise = g == 6 ? 0 : 0.2 + 0.1 * g;
        double u[4], s[4], tau[4] = {t < 4 ? t : t - 4};
        vel_velocity_follow(&e, &w->models[g], t < 4, 1, tau, u, s);
        w->u[g][c] = fabs(u[0] + noise * random_between(&w->seed, -1, 1)) * w->fit[g].scaling;
        w->s[g][c] = fabs(s[0] + noise * random_between(&w->seed, -1, 1));
        w->on[g][c] = t < 1 && g % 2 ? 0 : t < 4 ? t + 0.1 : 4;
        w->off[g][c] = t < 4 ? 4 - t : t - 4;
    }
    if (g == 5) w->u[g][w->n / 2] = NAN;
    w->genes[g] = (vel_dynamical_gene){w->fit[g], {w->n, VEL_F64, w->u[g], w->s[g]}, w->on[g], w->off[g], NULL, NULL};
}

static void make_world(world *w, int64_t n) {
    *w = (world){.ctx = {.scratch = vel_arena_new(), .threads = 1}, .n = n, .seed = 17};
    const vel_csr graph = graph_of(w);
    assert_int_equal(vel_nearby_make(&w->ctx, &graph, &w->nearby), VEL_OK);
    for (int g = 0; g < GENES; g++) make_gene(w, g);
}

static vel_velocity_rooms rooms_of(world *w) {
    vel_velocity_rooms r;
    ROOM(w, r.x, 8 * (w->n + 1));
    ROOM(w, r.y, 8 * (w->n + 3));
    ROOM(w, r.kinds, VEL_VELOCITY_TOGETHER * w->n);
    return r;
}

/* Of `count` genes those that are screened have the states of the averages; returns the others. */
static unsigned compare(world *w, int count) {
    const vel_velocity_engine e = vel_velocity_engine_now();
    const vel_dynamical_opts opts = {&w->nearby, NULL};
    const vel_velocity_rooms a = rooms_of(w), b = rooms_of(w);
    const unsigned open = vel_velocity_screen(&e, &opts, count, w->models, w->genes, &a);
    for (int g = 0; g < count; g++) vel_velocity_kinds(&e, &opts, g, 1, w->models, w->genes, &b);
    for (int64_t c = 0; c < w->n; c++)
        for (int g = 0; g < count; g++)
            if (!(open >> g & 1)) assert_int_equal(a.kinds[GENES * c + g], b.kinds[GENES * c + g]);
    return open;
}

static void screened_states_are_those_of_the_averages(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 3, 129, CELLS, MANY}; /* the last has wide numbers */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        world w;
        make_world(&w, sizes[i]);
        const unsigned open = compare(&w, GENES);
        assert_true(open >> 5 & 1);
        if (sizes[i] >= CELLS) assert_int_equal(open & ~(1U << 5 | 1U << 6), 0);
        assert_int_equal(compare(&w, 3), open & 7);
        vel_arena_free(w.ctx.scratch);
    }
}

static void ties_of_the_start_are_on_and_other_ties_are_averaged(void **state) {
    (void)state;
    world w;
    make_world(&w, CELLS);
    for (int64_t c = 0; c < CELLS / 4; c++) {
        w.on[0][c] = 0; /* equal rows */
        w.on[1][c] = c % 4 ? 0 : 1e-9;
        w.on[2][c] = 4, w.off[2][c] = 0; /* both branches at the switch */
        w.on[3][c] = c < CELLS / 20 ? 1e-9 : 0;
    }
    for (int64_t c = 0; c < CELLS / 4; c++)
        for (int g = 0; g < 4; g += 1 + (g == 1)) w.u[g][c] = w.s[g][c] = 0;
    const unsigned open = compare(&w, GENES);
    assert_int_equal(open & 0xb, 2); /* that with too many */
    const vel_velocity_engine e = vel_velocity_engine_now();
    const vel_velocity_rooms r = rooms_of(&w);
    vel_velocity_screen(&e, &(vel_dynamical_opts){&w.nearby, NULL}, GENES, w.models, w.genes, &r);
    for (int64_t c = 0; c < CELLS / 8; c++) assert_int_equal(r.kinds[GENES * c], VEL_ON);
    vel_arena_free(w.ctx.scratch);
}

static void distances_beyond_all_bounds_are_averaged(void **state) {
    (void)state;
    world w;
    make_world(&w, CELLS);
    for (int64_t c = 0; c < CELLS; c += 50) w.s[0][c] = 3e4, w.s[1][c] = 1e150, w.s[2][c] = INFINITY;
    w.fit[3].std_s = 0;
    w.fit[4].beta = w.fit[4].gamma, w.fit[4].scaling = 1;
    w.fit[7].std_u = w.fit[7].std_s = 1e-9;
    for (int g = 0; g < GENES; g++) w.models[g] = vel_velocity_model_make(&w.fit[g]);
    assert_int_equal(compare(&w, GENES) & 0x9f, 0x9f);
    vel_arena_free(w.ctx.scratch);
}

/* Gene 0 in other units: all that has some is multiplied by 2^power. */
static void in_units_of(world *w, int power) {
    vel_fitted_gene *f = &w->fit[0];
    f->alpha = ldexp(f->alpha, power);
    f->std_u = ldexp(f->std_u, power), f->std_s = ldexp(f->std_s, power);
    for (int64_t c = 0; c < w->n; c++) {
        w->u[0][c] = ldexp(w->u[0][c], power);
        w->s[0][c] = ldexp(w->s[0][c], power);
    }
    w->models[0] = vel_velocity_model_make(f);
}

static void deviations_have_any_size_and_beside_extreme_ones_all_is_averaged(void **state) {
    (void)state;
    static const int powers[] = {-1027, -500, -300, -100, 100, 300, 500, 1000};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        world w;
        make_world(&w, CELLS);
        in_units_of(&w, powers[i]);
        assert_int_equal(compare(&w, GENES) & 1, abs(powers[i]) >= 500);
        vel_arena_free(w.ctx.scratch);
    }
}

/* ---- the loops */

static const vel_screen_loops *fast(void) {
    return vel_cpu_level() == VEL_CPU_PLAIN ? &vel_screen_loops_plain : &vel_screen_loops_avx2;
}

static double float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x * VEL_SCREEN_SCALE;
}

static double square(double x) { return x * x; }

static void what_is_kept_is_known_to_a_two_thousandth(void **state) {
    (void)state;
    enum { N = 2000 };
    static double off[N], on[N], u[N], s[N];
    static int32_t place[N];
    static _Alignas(64) vel_screen_line plain[N], other[N];
    const vel_screen_cells cells = {off, on, u, s, 3, 5, 0.25, 0.7};
    uint64_t seed = 3;
    for (int i = 0; i < N; i++) {
        place[i] = (i * 7) % N;
        off[i] = ldexp(random_between(&seed, 1, 2), (int)random_between(&seed, -60, 30));
        on[i] = ldexp(random_between(&seed, 1, 2), (int)random_between(&seed, -60, 30));
        u[i] = ldexp(random_between(&seed, 1, 2), (int)random_between(&seed, -30, 12));
        s[i] = ldexp(random_between(&seed, 1, 2), (int)random_between(&seed, -30, 12));
    }
    off[5] = on[6] = u[7] = s[8] = NAN;
    off[9] = on[9] = u[9] = s[9] = 0;
    vel_screen_loops_plain.keep(N - 3, &cells, place, 2, plain);
    fast()->keep(N - 3, &cells, place, 2, other);
    assert_memory_equal(plain, other, sizeof plain);
    for (int i = 0; i < N - 3; i++) {
        const double d[4] = {[VEL_OFF] = off[i],
                             [VEL_ON] = on[i],
                             [VEL_STEADY_OFF] = square(u[i] / 0.25) + square(s[i] / 0.7),
                             [VEL_STEADY_ON] = square((u[i] - 3) / 0.25) + square((s[i] - 5) / 0.7)};
        for (int k = 0; k < 4; k++) {
            const uint32_t word = plain[place[i]].words[k / 2][2];
            const double kept = float_of((k % 2 ? word : word << 16) >> VEL_SCREEN_SHIFT);
            if (d[k] < VEL_SCREEN_MOST)
                assert_true(fabs(kept - d[k]) <= d[k] * 0x1p-11 * (1 + 0x1p-11) + 0x1p-48);
            else
                assert_true(kept >= VEL_SCREEN_MOST * (1 - 0x1p-10) && kept < VEL_SCREEN_MOST * (1 + 0x1p-10));
        }
    }
}

static void loops_agree_to_the_bit(void **state) {
    (void)state;
    world w;
    make_world(&w, CELLS);
    vel_screen_line *lines;
    vel_screen_limits limits;
    uint8_t *kinds[2];
    int64_t unsure[2][GENES];
    ROOM(&w, lines, CELLS + 1);
    memset(lines, 0, (CELLS + 1) * sizeof *lines);
    for (int b = 0; b < 2; b++) ROOM(&w, kinds[b], GENES * CELLS);
    for (int c = 0; c < CELLS; c++)
        for (int i = 0; i < 2 * GENES; i++)
            lines[c].words[i / GENES][i % GENES] = (uint32_t)random_between(&w.seed, 0, 0x1p32);
    for (int g = 0; g < GENES; g++)
        limits.limit[g] = g == 7 ? -INFINITY : (float)pow(10, g - 2), limits.surely[g] = 1e-7F;
    vel_screen_loops_plain.screen(&w.nearby, lines, &limits, kinds[0], unsure[0]);
    fast()->screen(&w.nearby, lines, &limits, kinds[1], unsure[1]);
    assert_memory_equal(kinds[0], kinds[1], GENES * CELLS);
    assert_memory_equal(unsure[0], unsure[1], sizeof unsure[0]);
    vel_arena_free(w.ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screened_states_are_those_of_the_averages),
        cmocka_unit_test(ties_of_the_start_are_on_and_other_ties_are_averaged),
        cmocka_unit_test(distances_beyond_all_bounds_are_averaged),
        cmocka_unit_test(deviations_have_any_size_and_beside_extreme_ones_all_is_averaged),
        cmocka_unit_test(what_is_kept_is_known_to_a_two_thousandth),
        cmocka_unit_test(loops_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
