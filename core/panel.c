#include "core/panel.h"

#include <string.h>

enum { ROWS = VEL_PANEL_ROWS, COLS = VEL_PANEL_COLS };

vel_panel_bodies vel_panel_at(vel_cpu level) {
#if defined(__x86_64__)
    if (level != VEL_CPU_PLAIN) return (vel_panel_bodies){vel_panel_add_avx2, vel_panel_dot_avx2};
#else
    (void)level;
#endif
    return (vel_panel_bodies){vel_panel_add_plain, vel_panel_dot_plain};
}

/* A panel and its vectors, with zeros for the rows and columns that are missing. */
typedef struct {
    double values[ROWS][COLS], of_rows[ROWS], of_cols[COLS];
    const void *row[ROWS];
} copy;

static vel_panel fill_up(const vel_panel *p, copy *c) {
    memset(c, 0, sizeof *c);
    for (int64_t r = 0; r < ROWS; r++) c->row[r] = c->values[r];
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t j = 0; j < p->cols; j++) c->values[r][j] = vel_real_at(p->type, p->row[r], p->first + j);
    return (vel_panel){VEL_F64, c->row, ROWS, 0, COLS};
}

void vel_panel_add(const vel_panel_bodies *bodies, const vel_panel *p, const double *by, double *y) {
    copy c;
    if (p->rows == ROWS && p->cols == COLS) {
        bodies->add(p, by, y);
        return;
    }
    vel_panel full = fill_up(p, &c);
    memcpy(c.of_rows, by, (size_t)p->rows * sizeof *by);
    memcpy(c.of_cols, y, (size_t)p->cols * sizeof *y);
    bodies->add(&full, c.of_rows, c.of_cols);
    memcpy(y, c.of_cols, (size_t)p->cols * sizeof *y);
}

void vel_panel_dot(const vel_panel_bodies *bodies, const vel_panel *p, const double *y, double *sum) {
    copy c;
    if (p->rows == ROWS && p->cols == COLS) {
        bodies->dot(p, y, sum);
        return;
    }
    vel_panel full = fill_up(p, &c);
    memcpy(c.of_cols, y, (size_t)p->cols * sizeof *y);
    memcpy(c.of_rows, sum, (size_t)p->rows * sizeof *sum);
    bodies->dot(&full, c.of_cols, c.of_rows);
    memcpy(sum, c.of_rows, (size_t)p->rows * sizeof *sum);
}
