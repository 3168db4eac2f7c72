#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/assign.h"
#include "tests/core/gene.h"

static gene g;

typedef struct {
    vel_ctx ctx;
    vel_segments segments;
    vel_cells cells;
    vel_trajectory p;
    vel_assign_work *work;
    double t[GENE_CELLS], room[GENE_CELLS];
    uint8_t on[GENE_CELLS];
    vel_times times;
} setting;

static int begin(void **state) {
    static setting s;
    s = (setting){.ctx = {.scratch = vel_arena_new(), .threads = 1}};
    make_gene(&g);
    vel_csr graph = make_neighbors(&g);
    assert_int_equal(vel_segments_make(&s.ctx, &graph, &s.segments), VEL_OK);
    s.cells = (vel_cells){
        GENE_CELLS, {g.u, VEL_DOUBLE}, {g.s, VEL_DOUBLE}, vel_double(2.5), vel_double(4), &s.segments, true, {0}};
    assert_int_equal(vel_assign_work_new(&s.ctx, &s.cells, s.room, &s.work), VEL_OK);
    s.p = (vel_trajectory){{vel_double(5), vel_double(0.5), vel_double(0.3)}, vel_double(1), vel_double(10)};
    s.times = (vel_times){{s.t, VEL_DOUBLE}, s.on};
    *state = &s;
    return 0;
}

static int end(void **state) {
    vel_arena_free(((setting *)*state)->ctx.scratch);
    return 0;
}

/* Cells in the middle of each branch; those near the steady states have no time of their own. */
static void cells_get_about_their_true_times(void **state) {
    setting *s = *state;
    for (vel_assign_mode mode = VEL_ASSIGN_INVERSE; mode <= VEL_ASSIGN_PROJECT_ALL; mode++) {
        vel_assign(&s->cells, &s->p, mode, s->work, &s->times);
        for (int i = 10; i < 70; i++) assert_true(s->on[i] && fabs(s->t[i] - g.t[i]) < 2);
        for (int i = 130; i < 180; i++) assert_true(!s->on[i] && fabs(s->t[i] - g.t[i]) < 2);
    }
}

static void times_are_on_their_branch(void **state) {
    setting *s = *state;
    vel_assign(&s->cells, &s->p, VEL_ASSIGN_PROJECT, s->work, &s->times);
    for (int i = 0; i < GENE_CELLS; i++) {
        assert_true(s->t[i] >= 0);
        if (s->on[i])
            assert_true(s->t[i] <= 10);
        else
            assert_true(s->t[i] >= 10);
    }
}

static void unscaled_and_scaled_data_get_equal_times(void **state) {
    setting *s = *state;
    double scaled[GENE_CELLS], t[GENE_CELLS];
    vel_assign(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &s->times);
    memcpy(t, s->t, sizeof t);
    for (int i = 0; i < GENE_CELLS; i++) scaled[i] = 4 * g.u[i]; /* a power of two: exact */
    s->cells.u.v = scaled;
    s->cells.std_u = vel_double(10);
    s->p.sigma = vel_double(4);
    vel_assign(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &s->times);
    assert_memory_equal(t, s->t, sizeof t);
}

static void branches_hold_the_times_before_the_choice(void **state) {
    setting *s = *state;
    double on[GENE_CELLS], off[GENE_CELLS];
    vel_vec tau = {on, VEL_DOUBLE}, tau_off = {off, VEL_DOUBLE};
    vel_assign(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &s->times);
    vel_assign_branches(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &tau, &tau_off);
    for (int i = 0; i < GENE_CELLS; i++)
        if (s->on[i] && s->t[i] > 0) assert_true(s->t[i] == on[i]);
}

/* Held from before or found anew: the same branches. */
static void the_branches_found_last_are_held(void **state) {
    setting *s = *state;
    double on[2][GENE_CELLS], off[2][GENE_CELLS];
    vel_trajectory other = s->p, single = s->p;
    other.switch_at = vel_double(8);
    single.sigma = (vel_num){1, VEL_SINGLE};
    assert_false(vel_assign_holds(s->work, &s->p, VEL_ASSIGN_INVERSE));
    for (int k = 0; k < 2; k++) {
        vel_vec tau = {on[k], VEL_DOUBLE}, tau_off = {off[k], VEL_DOUBLE};
        vel_assign(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &s->times);
        assert_true(vel_assign_holds(s->work, &s->p, VEL_ASSIGN_INVERSE));
        assert_false(vel_assign_holds(s->work, &s->p, VEL_ASSIGN_PROJECT_ALL));
        assert_false(vel_assign_holds(s->work, &single, VEL_ASSIGN_INVERSE));
        if (k) vel_assign(&s->cells, &other, VEL_ASSIGN_INVERSE, s->work, &s->times);
        assert_int_equal(vel_assign_holds(s->work, &s->p, VEL_ASSIGN_INVERSE), !k);
        vel_assign_branches(&s->cells, &s->p, VEL_ASSIGN_INVERSE, s->work, &tau, &tau_off);
    }
    assert_memory_equal(on[0], on[1], sizeof on[0]);
    assert_memory_equal(off[0], off[1], sizeof off[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_get_about_their_true_times, begin, end),
        cmocka_unit_test_setup_teardown(times_are_on_their_branch, begin, end),
        cmocka_unit_test_setup_teardown(unscaled_and_scaled_data_get_equal_times, begin, end),
        cmocka_unit_test_setup_teardown(branches_hold_the_times_before_the_choice, begin, end),
        cmocka_unit_test_setup_teardown(the_branches_found_last_are_held, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
