/* centered_pair.h - a centred matrix in every storage beside the same by hand. */
#ifndef VEL_TESTS_CORE_CENTERED_PAIR_H
#define VEL_TESTS_CORE_CENTERED_PAIR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/centered.h"
#include "tests/context.h"
#include "tests/core/counts_pair.h"
#include "tests/random.h"

enum { CHOSEN = 6 };
static const int64_t genes[CHOSEN] = {0, 2, 3, 5, 6, 8};

static inline int setup(void **state) {
    static vel_ctx ctx;
    ctx = test_ctx(2);
    *state = &ctx;
    return 0;
}

static inline int teardown(void **state) {
    vel_arena_free(((vel_ctx *)*state)->scratch);
    return 0;
}

/* The matrix itself, its means taken off. */
static inline void centered_by_hand(const counts_pair *p, double x[PAIR_ROWS][CHOSEN]) {
    for (int g = 0; g < CHOSEN; g++) {
        double mean = 0;
        for (int i = 0; i < PAIR_ROWS; i++) mean += p->dense[i * PAIR_COLS + genes[g]] / PAIR_ROWS;
        for (int i = 0; i < PAIR_ROWS; i++) x[i][g] = p->dense[i * PAIR_COLS + genes[g]] - mean;
    }
}

typedef void (*law)(vel_ctx *ctx, const vel_centered *c, double x[PAIR_ROWS][CHOSEN]);

static inline void hold(vel_ctx *ctx, law check) {
    counts_pair p;
    double x[PAIR_ROWS][CHOSEN];
    counts_pair_make(&p, 1, 0.7);
    centered_by_hand(&p, x);
    const vel_counts *all[] = {&p.sparse, &p.sparse_f64, &p.row_major, &p.gene_major};
    for (int m = 0; m < 4; m++) {
        vel_centered c;
        assert_int_equal(vel_centered_make(ctx, all[m], genes, CHOSEN, &c), VEL_OK);
        check(ctx, &c, x);
    }
}

#endif
