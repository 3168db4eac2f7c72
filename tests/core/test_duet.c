#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/duet.h"
#include "tests/core/gene.h"

enum { N = GENE_CELLS, MOST_SUMS = 5 };

typedef struct {
    vel_ctx ctx;
    const vel_segments *segments;
    int voices;                            /* 0: both */
    int sums[VEL_VOICES];                  /* how often each asks */
    vel_two got[VEL_VOICES][MOST_SUMS][N]; /* what each got */
    vel_err result[VEL_VOICES];
    int turns[VEL_VOICES]; /* for which it got sums */
    int last;              /* turn in which the first voice is interrupted, from 1; 0: in none */
    volatile sig_atomic_t cancel;
} stage;

static vel_two value(int voice, int turn, int64_t c) {
    float x = (float)(1 + c % 17 + 100 * voice + 10 * turn);
    return (vel_two){x, 2 * x};
}

static int voices_of(const stage *s) { return s->voices ? s->voices : VEL_VOICES; }

static void copy(void *out, const vel_two *sum) { memcpy(out, sum, N * sizeof *sum); }

static vel_err sing(vel_ctx *ctx, vel_part part, void *arg) {
    stage *s = arg;
    for (int turn = 0; turn < s->sums[part.voice]; turn++) {
        for (int64_t c = 0; c < N; c++)
            part.duet->cell[voices_of(s) * vel_segment_place(c) + part.voice] = value(part.voice, turn, c);
        if (part.voice == 0 && turn + 1 == s->last) s->cancel = SIGINT;
        vel_duet_sum(part, copy, s->got[part.voice][turn]);
        s->turns[part.voice]++;
    }
    return s->result[part.voice] ? vel_fail(ctx, s->result[part.voice], "of voice %d", part.voice) : VEL_OK;
}

/* Small whole numbers: every order of additions gives the same sums. */
static void check(const stage *s) {
    for (int v = 0; v < VEL_VOICES; v++)
        for (int turn = 0; turn < s->turns[v]; turn++)
            for (int64_t c = 0; c < N; c++) {
                vel_two sum = {0};
                int32_t term[VEL_SEGMENT_PIECE];
                for (int64_t from = 0, n; (n = vel_segments_terms(s->segments, c, from, term)); from += n)
                    for (int64_t k = 0; k < n; k++) sum += value(v, turn, term[k]);
                for (int r = 0; r < 2; r++) assert_true(s->got[v][turn][c][r] == sum[r]);
            }
}

static vel_err play(stage *s) {
    static gene g;
    s->ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1, .cancel = &s->cancel};
    vel_csr graph = make_neighbors(&g);
    vel_segments segments;
    assert_int_equal(vel_segments_make(&s->ctx, &graph, &segments), VEL_OK);
    s->segments = &segments;
    vel_err e = vel_duet_run(&s->ctx, &segments, voices_of(s), sing, s);
    check(s);
    vel_arena_free(s->ctx.scratch);
    return e;
}

static void each_voice_gets_its_own_sums(void **state) {
    (void)state;
    static stage s = {.sums = {MOST_SUMS, MOST_SUMS}};
    assert_int_equal(play(&s), VEL_OK);
    assert_int_equal(s.turns[0], MOST_SUMS);
    assert_int_equal(s.turns[1], MOST_SUMS);
}

static void a_voice_that_ends_early_leaves_the_other_alone(void **state) {
    (void)state;
    static stage first = {.sums = {2, 5}}, second = {.sums = {5, 1}}, silent = {.sums = {0, 3}},
                 both = {.sums = {0, 0}};
    assert_int_equal(play(&first), VEL_OK);
    assert_int_equal(play(&second), VEL_OK);
    assert_int_equal(play(&silent), VEL_OK);
    assert_int_equal(play(&both), VEL_OK);
}

static void the_failure_of_the_first_voice_is_returned_and_the_other_sings_on(void **state) {
    (void)state;
    static stage s = {.sums = {1, 4}, .result = {VEL_EVALUE, VEL_ENOMEM}};
    static stage later = {.sums = {4, 1}, .result = {VEL_OK, VEL_ENOMEM}};
    assert_int_equal(play(&s), VEL_EVALUE);
    assert_string_equal(s.ctx.message, "of voice 0");
    assert_int_equal(play(&later), VEL_ENOMEM);
    assert_string_equal(later.ctx.message, "of voice 1");
}

static void the_message_is_of_the_failure_that_is_returned_even_if_the_other_failed_before(void **state) {
    (void)state;
    static stage s = {.sums = {4, 1}, .result = {VEL_EVALUE, VEL_ENOMEM}};
    assert_int_equal(play(&s), VEL_EVALUE);
    assert_string_equal(s.ctx.message, "of voice 0");
}

static void a_single_voice_gets_its_sums_and_stops_between_them(void **state) {
    (void)state;
    static stage whole = {.voices = 1, .sums = {MOST_SUMS}}, silent = {.voices = 1}, stopped;
    assert_int_equal(play(&whole), VEL_OK);
    assert_int_equal(whole.turns[0], MOST_SUMS);
    assert_int_equal(play(&silent), VEL_OK);
    for (int last = 1; last <= MOST_SUMS; last++) {
        stopped = (stage){.voices = 1, .sums = {MOST_SUMS}, .last = last};
        assert_int_equal(play(&stopped), VEL_EINTR);
        assert_int_equal(stopped.turns[0], last - 1);
    }
}

static void both_stop_at_their_next_sums_once_that_is_asked_for(void **state) {
    (void)state;
    for (int last = 1; last <= MOST_SUMS; last++) {
        static stage s;
        s = (stage){.sums = {MOST_SUMS, MOST_SUMS}, .last = last};
        assert_int_equal(play(&s), VEL_EINTR);
        for (int v = 0; v < VEL_VOICES; v++) assert_int_equal(s.turns[v], last - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_voice_gets_its_own_sums),
        cmocka_unit_test(a_voice_that_ends_early_leaves_the_other_alone),
        cmocka_unit_test(the_failure_of_the_first_voice_is_returned_and_the_other_sings_on),
        cmocka_unit_test(the_message_is_of_the_failure_that_is_returned_even_if_the_other_failed_before),
        cmocka_unit_test(a_single_voice_gets_its_sums_and_stops_between_them),
        cmocka_unit_test(both_stop_at_their_next_sums_once_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
