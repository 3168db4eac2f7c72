#include "io/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/field.h"

static vel_ctx with_scratch(vel_scratch *scratch) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 2};
    assert_int_equal(vel_scratch_open(&ctx, "/tmp", 1 << 16, scratch), VEL_OK);
    ctx.spill = &scratch->spill;
    return ctx;
}

/* Pages of the process that come from mapped files, in kB. */
static long mapped_kb(void) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kb = -1, shmem = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "RssFile: %ld", &kb) == 1) continue;
        if (sscanf(line, "RssShmem: %ld", &shmem) == 1) kb += shmem; /* /tmp may be in memory */
    }
    if (f) fclose(f);
    return kb;
}

static void keeps_what_is_written_while_it_rests(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    vel_field f;
    const int64_t n = 100000;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(n, 3), &f), VEL_OK);
    assert_non_null(f.spill);
    double *x = f.data;
    for (int64_t i = 0; i < 3 * n; i++) assert_true(x[i] == 0);
    for (int64_t i = 0; i < 3 * n; i++) x[i] = (double)i;
    vel_field_rest(&f, 0, 3 * n);
    for (int64_t i = 0; i < 3 * n; i++) assert_true(x[i] == (double)i);
    vel_field_free(&f);
    vel_arena_free(ctx.scratch);
}

static void leaves_ram_when_it_rests(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    vel_field f;
    const int64_t n = 4 << 20; /* 32 MiB */
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(n, 1), &f), VEL_OK);
    memset(f.data, 1, (size_t)n * 8);
    long before = mapped_kb();
    vel_field_rest(&f, 0, n);
    if (before >= 0) assert_true(mapped_kb() < before - 30000);
    vel_field_free(&f);
    vel_arena_free(ctx.scratch);
}

/* Of layers of few cells each gene is less than a page. */
static void leaves_ram_when_it_rests_in_pieces_of_any_length(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    static const int64_t lengths[] = {1, 50, 511, 512, 513, 1000, 100000};
    const int64_t n = 2 << 20; /* 16 MiB */
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        vel_field f;
        assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(n, 1), &f), VEL_OK);
        memset(f.data, 1, (size_t)n * 8);
        long before = mapped_kb();
        for (int64_t i = 0; i < n; i += lengths[k]) vel_field_rest(&f, i, i + lengths[k] < n ? lengths[k] : n - i);
        if (before >= 0) assert_true(mapped_kb() < before - 16000);
        vel_field_free(&f);
    }
    vel_arena_free(ctx.scratch);
}

/* However the system caches the file: 64 kB around a page that is read is what Linux maps of small pieces. */
static void a_touch_maps_little_around_it(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    vel_field f;
    const int64_t n = 4 << 20, step = (2 << 20) / 8, touches = n / step;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(n, 1), &f), VEL_OK);
    double *x = f.data, sum = 0;
    for (int64_t i = 0; i < n; i++) x[i] = 1;
    vel_field_rest(&f, 0, n);
    long before = mapped_kb();
    for (int64_t i = 0; i < n; i += step) sum += x[i];
    if (before >= 0) assert_true(mapped_kb() - before <= touches * 64 + 256);
    vel_field_want(&f, 0, n);
    for (int64_t i = 1; i < n; i += step) sum += x[i];
    assert_true(sum == 2.0 * (double)touches);
    vel_field_free(&f);
    vel_arena_free(ctx.scratch);
}

static void small_fields_stay_in_memory(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    vel_field f;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(10, 3), &f), VEL_OK);
    assert_null(f.spill);
    vel_field_rest(&f, 0, 30);
    vel_field_free(&f);
    vel_arena_free(ctx.scratch);
}

static void cutting_a_spilled_field_gives_the_bits_of_a_resident_one(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = with_scratch(&scratch);
    enum { ROWS = 500, COLS = 60 };
    static uint8_t rows[ROWS], cols[COLS];
    for (int i = 0; i < ROWS; i++) rows[i] = i % 3 != 1;
    for (int j = 0; j < COLS; j++) cols[j] = j % 4 != 2;
    vel_field spilled, resident;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(ROWS, COLS), &spilled), VEL_OK);
    ctx.spill = NULL;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(ROWS, COLS), &resident), VEL_OK);
    assert_non_null(spilled.spill);
    for (int i = 0; i < ROWS * COLS; i++) ((double *)spilled.data)[i] = ((double *)resident.data)[i] = i * 0.5;
    static int32_t places[COLS];
    vel_field_places(cols, COLS, places);
    vel_field_cut(&spilled, rows, places);
    vel_field_cut(&resident, rows, places);
    assert_int_equal(spilled.rows, resident.rows);
    assert_int_equal(spilled.cols, resident.cols);
    assert_memory_equal(spilled.data, resident.data, (size_t)(resident.rows * resident.cols) * 8);
    vel_field_free(&spilled);
    vel_field_free(&resident);
    vel_arena_free(ctx.scratch);
}

static void a_folder_without_room_is_an_error(void **state) {
    (void)state;
    vel_scratch scratch;
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    assert_int_equal(vel_scratch_open(&ctx, "/nowhere/at/all", 1 << 16, &scratch), VEL_OK);
    ctx.spill = &scratch.spill;
    vel_field f;
    assert_int_equal(vel_field_dense(&ctx, VEL_F64, vel_matrix(100000, 3), &f), VEL_ENOMEM);
    assert_non_null(strstr(ctx.message, "scratch file in /nowhere/at/all cannot take 300000 elements"));
    assert_non_null(strstr(ctx.message, "No such file"));
    assert_int_equal(f.kind, VEL_ABSENT);
    vel_arena_free(ctx.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_written_while_it_rests),
        cmocka_unit_test(leaves_ram_when_it_rests),
        cmocka_unit_test(leaves_ram_when_it_rests_in_pieces_of_any_length),
        cmocka_unit_test(a_touch_maps_little_around_it),
        cmocka_unit_test(small_fields_stay_in_memory),
        cmocka_unit_test(cutting_a_spilled_field_gives_the_bits_of_a_resident_one),
        cmocka_unit_test(a_folder_without_room_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
