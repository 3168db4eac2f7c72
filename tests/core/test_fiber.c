#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/fiber.h"

typedef struct {
    vel_fiber *self;
    double sum;
    int rests, deepest;
} counter;

/* Rests in the depth of a recursion, a local value kept over each. */
static void count(counter *c, int depth) {
    double here = 1.0 / (depth + 1);
    if (depth < c->deepest) count(c, depth + 1);
    vel_fiber_rest(c->self);
    c->rests++;
    c->sum += here;
}

static void body(void *arg) { count(arg, 0); }

static void goes_on_where_it_rested(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    counter c = {.deepest = 9};
    assert_int_equal(vel_fiber_new(&ctx, body, &c, &c.self), VEL_OK);
    double expected = 0;
    for (int k = 0; k < 10; k++) {
        assert_true(vel_fiber_resume(c.self));
        assert_int_equal(c.rests, k);
        assert_true(c.sum == expected);
        expected += 1.0 / (10 - k);
    }
    assert_false(vel_fiber_resume(c.self));
    assert_int_equal(c.rests, 10);
    vel_arena_free(ctx.scratch);
}

static void two_take_turns_and_each_has_its_own_values(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    counter a = {.deepest = 4}, b = {.deepest = 2};
    assert_int_equal(vel_fiber_new(&ctx, body, &a, &a.self), VEL_OK);
    assert_int_equal(vel_fiber_new(&ctx, body, &b, &b.self), VEL_OK);
    for (bool go_a = true, go_b = true; go_a || go_b;) {
        if (go_a) go_a = vel_fiber_resume(a.self);
        if (go_b) go_b = vel_fiber_resume(b.self);
    }
    assert_true(a.sum == ((1.0 / 5 + 1.0 / 4) + 1.0 / 3) + 1.0 / 2 + 1.0);
    assert_true(b.sum == (1.0 / 3 + 1.0 / 2) + 1.0);
    vel_arena_free(ctx.scratch);
}

static void call(void *arg) { *(bool *)arg = true; }

static void one_that_never_rests_has_ended_at_once(void **state) {
    (void)state;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    bool called = false;
    vel_fiber *f;
    assert_int_equal(vel_fiber_new(&ctx, call, &called, &f), VEL_OK);
    assert_false(vel_fiber_resume(f));
    assert_true(called);
    vel_arena_free(ctx.scratch);
}

/* Goes deeper by frames of some bytes until a hundred kilobytes are in use, all of them written to. */
enum { TOO_DEEP = 100 << 10, FRAME = 1 << 10 };

static int descend(int left) {
    volatile char frame[FRAME];
    for (int k = 0; k < FRAME; k++) frame[k] = (char)left;
    return left > 0 ? descend(left - FRAME) + frame[left % FRAME] : frame[0];
}

static void fall(void *arg) { *(int *)arg = descend(TOO_DEEP); }

/* In a program of its own, which ends well only if it got away with it. */
static void fall_on_a_fiber(void) {
    const struct rlimit no_core = {0, 0};
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    int sum;
    vel_fiber *f;
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    char *before = vel_arena_alloc(ctx.scratch, TOO_DEEP, 1); /* what lies below may well be ours */
    memset(before, 0, TOO_DEEP);
    if (vel_fiber_new(&ctx, fall, &sum, &f) == VEL_OK) vel_fiber_resume(f);
    _exit(0);
}

static void one_that_runs_out_of_its_stack_ends_the_program(void **state) {
    (void)state;
    int status = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) fall_on_a_fiber();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_where_it_rested),
        cmocka_unit_test(two_take_turns_and_each_has_its_own_values),
        cmocka_unit_test(one_that_never_rests_has_ended_at_once),
        cmocka_unit_test(one_that_runs_out_of_its_stack_ends_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
