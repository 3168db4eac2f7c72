#include "core/panel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/random.h"

enum { ROWS = VEL_PANEL_ROWS, COLS = VEL_PANEL_COLS, WIDTH = COLS + 9 };

typedef struct {
    float narrow[ROWS * WIDTH];
    double wide[ROWS * WIDTH], by[ROWS], y[COLS];
    const void *row[ROWS];
} data;

static void fill(data *d, vel_type type) {
    uint64_t seed = 3;
    for (int i = 0; i < ROWS * WIDTH; i++) d->wide[i] = d->narrow[i] = (float)random_between(&seed, -2, 2);
    for (int i = 0; i < ROWS; i++) d->by[i] = random_between(&seed, -1, 1);
    for (int i = 0; i < COLS; i++) d->y[i] = random_between(&seed, -1, 1);
    for (int r = 0; r < ROWS; r++)
        d->row[r] = type == VEL_F32 ? (const void *)(d->narrow + r * WIDTH) : (const void *)(d->wide + r * WIDTH);
}

/* Term after term, as the header says. */
static void by_hand(const data *d, const vel_panel *p, double *y, double *sum) {
    for (int64_t r = 0; r < p->rows; r++) {
        double part[4] = {0};
        for (int64_t j = 0; j < p->cols; j++) {
            double x = d->wide[r * WIDTH + p->first + j];
            y[j] += x * d->by[r];
            part[j % 4] += x * d->y[j];
        }
        sum[r] += (part[0] + part[1]) + (part[2] + part[3]);
    }
}

static void check(vel_cpu level, vel_type type, int64_t rows, int64_t first, int64_t cols) {
    data d;
    double y[2][COLS], sum[2][ROWS];
    vel_panel_bodies bodies = vel_panel_at(level);
    fill(&d, type);
    const vel_panel p = {type, d.row, rows, first, cols};
    for (int i = 0; i < COLS; i++) y[0][i] = y[1][i] = i % 5;
    for (int i = 0; i < ROWS; i++) sum[0][i] = sum[1][i] = i % 7;
    vel_panel_add(&bodies, &p, d.by, y[0]);
    vel_panel_dot(&bodies, &p, d.y, sum[0]);
    by_hand(&d, &p, y[1], sum[1]);
    assert_memory_equal(y[0], y[1], sizeof *y);
    assert_memory_equal(sum[0], sum[1], sizeof *sum);
}

static void every_body_adds_term_after_term(void **state) {
    (void)state;
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int64_t first = 0; first < WIDTH - COLS; first++) {
            check((vel_cpu)level, VEL_F32, ROWS, first, COLS);
            check((vel_cpu)level, VEL_F64, ROWS, first, COLS);
        }
}

static void rows_and_columns_may_be_missing(void **state) {
    (void)state;
    for (int level = VEL_CPU_PLAIN; level <= (int)vel_cpu_level(); level++)
        for (int64_t rows = 1; rows <= ROWS; rows++)
            for (int64_t cols = 1; cols <= COLS; cols++) {
                check((vel_cpu)level, VEL_F32, rows, 2, cols);
                check((vel_cpu)level, VEL_F64, rows, 0, cols);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_adds_term_after_term),
        cmocka_unit_test(rows_and_columns_may_be_missing),
    };
    return cmocka_run_group_tests_name("core/panel", tests, NULL, NULL);
}
