#include "bench/ladder_climb.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/wire.h"
#include "tests/bench/made_ladder.h"

/* ---- this program as the one that is measured: test_bench_ladder_climb --fake MODE, then what a worker is given */

#define SLOW_S 0.3

static int fake(int argc, char **argv) {
    const char *mode = argv[2], *result = NULL, *op = "";
    const int fd = bench_result_fd();
    bool untimed = false;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--untimed") == 0 || strcmp(argv[i], "--counts") == 0) untimed = true;
        if (strcmp(argv[i], "--result") == 0) result = argv[i + 1];
        if (strcmp(argv[i], "--op") == 0) op = argv[i + 1];
    }
    FILE *file = result ? fopen(result, "w") : NULL;
    if (file) fclose(file);
    if (untimed && strcmp(mode, "no-fixture") == 0) return fputs("no space left\n", stderr), 4;
    if (untimed && strcmp(mode, "slow-fixture") == 0) usleep(SLOW_S * 1000000);
    if (untimed) return !bench_tell_frame(fd, "{}");
    if (strcmp(mode, "fail") == 0 && strstr(op, "moments")) return fputs("a reason\n", stderr), 3;
    if (!bench_tell_begin(fd)) return 1;
    if (!bench_tell_end(fd, 2000000)) return 1;
    return !bench_tell_frame(fd, "{\"cells\": 7, \"genes\": 9}");
}

/* ---- a ladder in a folder of its own */

typedef struct {
    vel_ctx *ctx;
    bench_ladder ladder;
    char folder[64];
} world;

static void climb(world *w, const char *cells, double budget_s) {
    const bench_ladder_request request = {.cells = cells, .genes = "none", .budget_s = budget_s};
    bench_run *run = w->ladder.run;
    w->ladder = (bench_ladder){.run = run};
    assert_int_equal(bench_ladder_plan(w->ctx, &request, &w->ladder), VEL_OK);
    assert_int_equal(bench_ladder_climb(w->ctx, &w->ladder), VEL_OK);
}

static world *new_world(const char *mode, const char *only, const char *cells, double budget_s) {
    world *w = calloc(1, sizeof *w);
    w->ctx = made_ctx();
    bench_run *run = w->ladder.run = made_run();
    snprintf(w->folder, sizeof w->folder, "/tmp/velbench-ladder-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    const char **command = vel_arena_zalloc(run->arena, 4, sizeof *command);
    command[0] = "/proc/self/exe";
    command[1] = "--fake";
    command[2] = mode;
    run->backends[0].command = command;
    run->request.out = run->request.cache = w->folder;
    run->request.only = only;
    run->request.repeat = 2;
    climb(w, cells, budget_s);
    return w;
}

static void free_world(world *w) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", w->folder);
    assert_int_equal(system(command), 0);
    made_run_free(w->ladder.run);
    made_ctx_free(w->ctx);
    free(w);
}

static const bench_climb *climb_of(const world *w, const char *name) {
    const bench_side *side = &w->ladder.sides[BENCH_OVER_CELLS];
    for (int i = 0; i < side->n_climbs; i++)
        if (strcmp(side->climbs[i].step->name, name) == 0) return &side->climbs[i];
    fail_msg("no climb %s", name);
    return NULL;
}

static void every_rung_has_its_repeats(void **state) {
    world *w = new_world("good", NULL, "50,100", 120);
    const bench_side *side = &w->ladder.sides[BENCH_OVER_CELLS];
    assert_int_equal(side->n_climbs, bench_n_ladder_steps);
    for (int i = 0; i < side->n_climbs; i++)
        for (int r = 0; r < 2; r++) {
            const bench_rung *rung = &side->climbs[i].rung[r];
            assert_int_equal(rung->state, BENCH_RUNG_RAN);
            assert_int_equal(rung->n, 2);
            assert_true(rung->wall_s == 0.002 && rung->cells == 7 && rung->genes == 9);
        }
    free_world(w);
    (void)state;
}

/* By n^2 the second rung takes 10^6 times a child of some milliseconds: hundreds of seconds and more. */
static void the_budget_stops_the_climb_and_says_so(void **state) {
    world *w = new_world("good", "pca", "50,50k,60k", 60);
    const bench_climb *climb = climb_of(w, "pca");
    assert_int_equal(climb->rung[0].state, BENCH_RUNG_RAN);
    assert_int_equal(climb->rung[1].state, BENCH_RUNG_STOPPED);
    assert_non_null(strstr(climb->rung[1].reason, "budget"));
    assert_int_equal(climb->rung[2].state, BENCH_RUNG_STOPPED);
    assert_int_equal(bench_ladder_exit(&w->ladder), 0);
    free_world(w);
    (void)state;
}

/* To find an input takes a thousandth of what it takes to make the next: that is no growth. */
static void an_input_that_was_there_foretells_nothing(void **state) {
    world *w = new_world("slow-fixture", "moments", "50", 30);
    climb(w, "50,100,200", 30);
    const bench_side *side = &w->ladder.sides[BENCH_OVER_CELLS];
    for (int r = 0; r < 3; r++) {
        const double making_s = side->making_s[BENCH_LADDER_MOMENTS][r];
        assert_int_equal(climb_of(w, "moments")->rung[r].state, BENCH_RUNG_RAN);
        assert_true(side->ready[BENCH_LADDER_MOMENTS][r]);
        assert_true(r ? making_s >= SLOW_S : making_s == 0);
    }
    free_world(w);
    (void)state;
}

static void a_failure_stays_with_its_step(void **state) {
    world *w = new_world("fail", NULL, "50,100", 120);
    assert_int_equal(climb_of(w, "moments")->rung[0].state, BENCH_RUNG_FAILED);
    assert_non_null(strstr(climb_of(w, "moments")->rung[0].reason, "a reason"));
    assert_int_equal(climb_of(w, "moments")->rung[1].state, BENCH_RUNG_STOPPED);
    assert_int_equal(climb_of(w, "pca")->rung[1].state, BENCH_RUNG_RAN);
    assert_int_equal(bench_ladder_exit(&w->ladder), 3);
    free_world(w);
    (void)state;
}

static void an_input_that_cannot_be_made_is_said(void **state) {
    world *w = new_world("no-fixture", "velocity_dynamical", "50", 120);
    const bench_rung *rung = &climb_of(w, "velocity_dynamical")->rung[0];
    assert_int_equal(rung->state, BENCH_RUNG_FAILED);
    assert_non_null(strstr(rung->reason, "no space left"));
    free_world(w);
    (void)state;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--fake") == 0) return fake(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rung_has_its_repeats),
        cmocka_unit_test(the_budget_stops_the_climb_and_says_so),
        cmocka_unit_test(an_input_that_was_there_foretells_nothing),
        cmocka_unit_test(a_failure_stays_with_its_step),
        cmocka_unit_test(an_input_that_cannot_be_made_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
