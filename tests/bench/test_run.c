#include "bench/run.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/report.h"
#include "bench/wire.h"
#include "tests/bench/made.h"

/* ---- this program as a backend: test_bench_run --fake MODE --input … --op … [--result FILE] [--untimed] */

static void use_cpu(int64_t ns) {
    const int64_t until = bench_now_ns() + ns;
    while (bench_now_ns() < until)
        ;
}

static int make_file(const char *path) {
    FILE *f = path ? fopen(path, "w") : NULL;
    return f && fclose(f) == 0 ? 0 : 1;
}

static int fake(int argc, char **argv) {
    const char *mode = argv[2], *result = NULL;
    const int fd = bench_result_fd();
    bool fixture = false;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--untimed") == 0) fixture = true;
        if (strcmp(argv[i], "--result") == 0) result = argv[i + 1];
    }
    if (fixture) {
        if (strcmp(mode, "no-fixture") == 0) return fputs("no space left\n", stderr), 4;
        return make_file(result) || !bench_tell_frame(fd, "{}");
    }
    if (strcmp(mode, "skip") == 0) return !bench_tell_frame(fd, "{\"skipped\": \"it cannot do this\"}");
    if (!bench_tell_begin(fd)) return 1;
    if (strcmp(mode, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would answer it */
        raise(SIGSEGV);
    }
    if (strcmp(mode, "fail") == 0) return fputs("a reason\n", stderr), 3;
    if (strcmp(mode, "sleep") == 0) pause();
    if (strcmp(mode, "silent") == 0) return 0;
    if (strcmp(mode, "garbage") == 0) return write(fd, "garbage\n", 8) != 8;
    if (strcmp(mode, "greedy") == 0)
        for (char *p; (p = malloc(1 << 20));) memset(p, 1, 1 << 20);
    if (strcmp(mode, "greedy") == 0) return fputs("out of memory\n", stderr), 5;
    const int64_t start = bench_now_ns();
    use_cpu(strcmp(mode, "slow") == 0 ? 40000000 : 5000000);
    if (!bench_tell_end(fd, bench_now_ns() - start)) return 1;
    return !bench_tell_frame(fd, "{\"versions\": {\"vel\": \"1\"}, \"threads\": 1, \"cells\": 7, \"genes\": 9}");
}

/* ---- a run in a folder of its own */

typedef struct {
    vel_ctx *ctx;
    bench_run *run;
    char folder[64];
    volatile sig_atomic_t cancel;
    int cancel_at_line, told, written;
} world;

#define SMALL(called, limit) .name = called, .cells = 100, .genes = 20, .limit_s = limit
static const bench_row quick_row = {SMALL("quick_row", 20)};
static const bench_row other_row = {SMALL("other_row", 20), .kind = BENCH_MEMORY};
static const bench_row hasty_row = {SMALL("hasty_row", 1)};
static const bench_row unknown_row = {SMALL("unknown_row", 1), .op = "no_such_step"};
static const bench_row vendor_row = {SMALL("vendor_pancreas_tutorial", 20), .kind = BENCH_VENDOR, .tier = BENCH_LONG,
                                     .op = "", .parity = true};

static void add(world *w, const char *mode) {
    const char **command = vel_arena_zalloc(w->run->arena, 4, sizeof *command);
    command[0] = "/proc/self/exe";
    command[1] = "--fake";
    command[2] = mode;
    w->run->backends[w->run->n_backends++] = (bench_backend){.name = mode, .command = command};
}

static world *new_world(const char *mode) {
    world *w = calloc(1, sizeof *w);
    w->ctx = made_ctx();
    w->run = calloc(1, sizeof *w->run);
    w->run->arena = vel_arena_new();
    strcpy(w->folder, "/tmp/velbench-test-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    w->run->request = (bench_request){
        .set = BENCH_SET_QUICK, .scale = 1, .repeat = 2, .threads = 1, .out = w->folder, .cache = w->folder};
    w->run->started = "2026-01-02T03:04:05Z";
    w->cancel_at_line = -1;
    w->ctx->cancel = &w->cancel;
    add(w, mode);
    return w;
}

static void free_world(world *w) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", w->folder);
    assert_int_equal(system(command), 0);
    vel_arena_free(w->run->arena);
    free(w->run);
    made_ctx_free(w->ctx);
    free(w);
}

static void on_start(void *user, const bench_run *run, int line, int backend, int repeat) {
    world *w = user;
    (void)run;
    w->told++;
    if (line == w->cancel_at_line && backend == 0 && repeat == 0) w->cancel = SIGINT;
}

static vel_err on_done(void *user, bench_run *run, int line) {
    world *w = user;
    (void)line;
    w->written++;
    return bench_report_write(w->ctx, run);
}

static vel_err go(world *w, const bench_row *const *rows, int n) {
    const bench_listener listener = {w, on_start, on_done};
    assert_int_equal(bench_run_plan(w->ctx, w->run, rows, n), VEL_OK);
    return bench_run_all(w->ctx, w->run, &listener);
}

static bool there(const world *w, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    return access(path, R_OK) == 0;
}

/* ---- the tests */

static void repeats_are_interleaved_and_every_output_is_there_after_each_bench(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&quick_row, &other_row};
    add(w, "slow");
    assert_int_equal(go(w, rows, 2), VEL_OK);
    const bench_line *line = &w->run->lines[0];
    assert_int_equal(line->state, BENCH_LINE_RAN);
    assert_int_equal(line->genes, 9); /* as the child found */
    assert_int_equal(line->cell[0].n, 2);
    assert_int_equal(line->cell[1].n, 2);
    /* own, slow, then the other way round */
    assert_int_equal(line->cell[0].samples[0].order, 0);
    assert_int_equal(line->cell[1].samples[0].order, 1);
    assert_int_equal(line->cell[1].samples[1].order, 2);
    assert_int_equal(line->cell[0].samples[1].order, 3);
    assert_true(line->cell[1].wall.ratio > 1);
    assert_int_equal(w->told, 8);
    assert_int_equal(w->written, 2);
    assert_int_equal(bench_exit_code(w->run), 0);
    const char *const outputs[] = {"benchmark_table.md", "benchmark_results.json", "benchmark_history.jsonl",
                                   "report.html"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) assert_true(there(w, outputs[i]));
    free_world(w);
    (void)state;
}

static void every_way_to_fail_is_a_result_and_the_run_goes_on(void **state) {
    const struct {
        const char *mode, *cell;
        int exit_code;
    } rows[] = {{"crash", "CRASH", 3},   {"fail", "FAILED", 3},    {"sleep", "TIMEOUT", 0}, {"greedy", "OOM", 0},
                {"silent", "FAILED", 3}, {"garbage", "FAILED", 3}, {"skip", "SKIPPED", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        world *w = new_world("own");
        const bench_row *row = strcmp(rows[i].mode, "sleep") == 0 ? &hasty_row : &quick_row;
        const bench_row *benches[] = {row, row};
        w->run->request.repeat = 1;
        w->run->request.memory = (int64_t)400 << 20; /* OpenBLAS takes 128 MiB of it where the limit is on addresses */
        add(w, rows[i].mode);
        assert_int_equal(go(w, benches, 2), VEL_OK);
        const bench_line *line = &w->run->lines[1];
        assert_string_equal(bench_cell_word(line, &line->cell[1]), rows[i].cell);
        assert_non_null(line->cell[1].reason);
        assert_null(bench_cell_word(line, &line->cell[0]));
        assert_int_equal(bench_exit_code(w->run), rows[i].exit_code);
        free_world(w);
    }
    (void)state;
}

static void our_own_failure_of_any_kind_is_exit_3(void **state) {
    world *w = new_world("sleep");
    const bench_row *rows[] = {&hasty_row};
    w->run->request.repeat = 1;
    assert_int_equal(go(w, rows, 1), VEL_OK);
    assert_string_equal(bench_cell_word(&w->run->lines[0], &w->run->lines[0].cell[0]), "TIMEOUT");
    assert_int_equal(bench_exit_code(w->run), 3);
    free_world(w);
    (void)state;
}

static void a_fixture_that_cannot_be_made_is_told_and_the_run_goes_on(void **state) {
    world *w = new_world("no-fixture");
    const bench_row *rows[] = {&quick_row, &other_row};
    assert_int_equal(go(w, rows, 2), VEL_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(w->run->lines[i].state, BENCH_LINE_FIXTURE);
        assert_string_equal(bench_cell_word(&w->run->lines[i], &w->run->lines[i].cell[0]), "FIXTURE");
        assert_non_null(strstr(w->run->lines[i].reason, "exit status 4"));
        assert_non_null(strstr(w->run->lines[i].words, "no space left"));
    }
    assert_int_equal(bench_exit_code(w->run), 3);
    free_world(w);
    (void)state;
}

static void a_fixture_is_made_once(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&quick_row, &other_row};
    struct stat first, second;
    w->run->request.repeat = 1;
    assert_int_equal(go(w, rows, 2), VEL_OK);
    assert_string_equal(w->run->lines[0].input, w->run->lines[1].input);
    assert_int_equal(stat(w->run->lines[0].input, &first), 0);
    w->run->n_lines = 0;
    assert_int_equal(go(w, rows, 1), VEL_OK);
    assert_int_equal(stat(w->run->lines[0].input, &second), 0);
    assert_true(first.st_ino == second.st_ino);
    free_world(w);
    (void)state;
}

static void a_missing_step_and_a_missing_file_are_skipped_by_name(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&unknown_row, &vendor_row};
    assert_int_equal(go(w, rows, 2), VEL_OK);
    assert_int_equal(w->run->lines[0].state, BENCH_LINE_SKIPPED);
    assert_non_null(strstr(w->run->lines[0].reason, "no_such_step"));
    assert_int_equal(w->run->lines[1].state, BENCH_LINE_SKIPPED);
    assert_non_null(strstr(w->run->lines[1].reason, "--stand-in"));
    assert_int_equal(w->told, 0);
    assert_int_equal(bench_exit_code(w->run), 0);
    free_world(w);
    (void)state;
}

/* A file of that name, last used so many seconds ago. */
static void leave(const world *w, const char *name, int ago) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    const struct timespec then = {time(NULL) - ago, 0}, times[2] = {then, then};
    assert_int_equal(make_file(path), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void fixtures_of_other_programs_go_once_nobody_uses_them(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&quick_row};
    leave(w, "input-100x20-0-0.h5ad", 7200);
    leave(w, "input-100x20-1-1.h5ad", 60);   /* another run may be at work on it */
    leave(w, "input-100x21-0-0.h5ad", 7200); /* another shape */
    assert_int_equal(go(w, rows, 1), VEL_OK);
    assert_false(there(w, "input-100x20-0-0.h5ad"));
    assert_true(there(w, "input-100x20-1-1.h5ad"));
    assert_true(there(w, "input-100x21-0-0.h5ad"));
    assert_int_equal(access(w->run->lines[0].input, R_OK), 0);
    free_world(w);
    (void)state;
}

static void a_stand_in_is_marked(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&vendor_row};
    w->run->request.stand_in = true;
    w->run->request.repeat = 1;
    assert_int_equal(go(w, rows, 1), VEL_OK);
    assert_int_equal(w->run->lines[0].state, BENCH_LINE_RAN);
    assert_true(w->run->lines[0].stand_in);
    assert_non_null(strstr(w->run->lines[0].input, "/input-100x20-"));
    free_world(w);
    (void)state;
}

static void interrupted_keeps_what_was_finished(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&quick_row, &other_row};
    w->cancel_at_line = 1;
    assert_int_equal(go(w, rows, 2), VEL_EINTR);
    assert_true(w->run->interrupted);
    assert_int_equal(w->run->lines[0].state, BENCH_LINE_RAN);
    assert_int_equal(w->run->lines[1].state, BENCH_LINE_PENDING);
    assert_int_equal(bench_exit_code(w->run), 130);
    assert_true(there(w, "benchmark_results.json"));
    free_world(w);
    (void)state;
}

static void a_scaled_run_wants_parity_of_every_row(void **state) {
    world *w = new_world("own");
    const bench_row *rows[] = {&quick_row};
    w->run->request.scale = 0.5;
    w->run->request.repeat = 1;
    assert_int_equal(go(w, rows, 1), VEL_OK);
    assert_true(w->run->lines[0].wants_parity);
    assert_int_equal(w->run->lines[0].cells, 50);
    free_world(w);
    (void)state;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--fake") == 0) return fake(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_are_interleaved_and_every_output_is_there_after_each_bench),
        cmocka_unit_test(every_way_to_fail_is_a_result_and_the_run_goes_on),
        cmocka_unit_test(our_own_failure_of_any_kind_is_exit_3),
        cmocka_unit_test(a_fixture_that_cannot_be_made_is_told_and_the_run_goes_on),
        cmocka_unit_test(a_fixture_is_made_once),
        cmocka_unit_test(a_missing_step_and_a_missing_file_are_skipped_by_name),
        cmocka_unit_test(fixtures_of_other_programs_go_once_nobody_uses_them),
        cmocka_unit_test(a_stand_in_is_marked),
        cmocka_unit_test(interrupted_keeps_what_was_finished),
        cmocka_unit_test(a_scaled_run_wants_parity_of_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
