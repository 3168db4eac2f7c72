#include "core/evaluate.h"

static vel_err new_times(vel_ctx *ctx, int64_t n, vel_times *t) {
    VEL_TRY(VEL_ALLOC(ctx, t->t.v, n));
    return VEL_ALLOC(ctx, t->on, n);
}

vel_err vel_evaluator_new(vel_ctx *ctx, vel_evaluator *e) {
    int64_t n = e->cells.n;
    for (int k = 0; k < VEL_EVALUATIONS; k++) e->entry[k] = (vel_evaluation){.used = 0};
    for (int k = 0; k < VEL_EVALUATED_TIMES; k++) VEL_TRY(new_times(ctx, n, &e->times[k]));
    e->kept = NULL;
    e->clock = 0;
    VEL_TRY(vel_assign_work_new(ctx, &e->cells, e->room, &e->work));
    e->misfit_work = vel_assign_spare(e->work);
    return VEL_OK;
}

static bool same_num(vel_num a, vel_num b) { return a.v == b.v && a.tag == b.tag; }

static bool same_ratio(const vel_ratio *a, const vel_ratio *b) {
    return a->fixed == b->fixed && (!a->fixed || same_num(a->rho, b->rho));
}

static vel_evaluation *find(vel_evaluator *e, const vel_trajectory *p, bool projected) {
    for (int k = 0; k < VEL_EVALUATIONS; k++) {
        vel_evaluation *x = &e->entry[k];
        if (x->used && x->projected == projected && vel_trajectory_same(&x->p, p)) return x;
    }
    return NULL;
}

static vel_evaluation *oldest(vel_evaluator *e) {
    vel_evaluation *best = NULL;
    for (int k = 0; k < VEL_EVALUATIONS; k++) {
        vel_evaluation *x = &e->entry[k];
        if (x != e->kept && (!best || x->used < best->used)) best = x;
    }
    return best;
}

static vel_evaluation *owner_of(vel_evaluator *e, const vel_times *times) {
    for (int k = 0; k < VEL_EVALUATIONS; k++)
        if (e->entry[k].times == times) return &e->entry[k];
    return NULL;
}

static bool less_wanted(const vel_evaluation *a, const vel_evaluation *b) { return !(a->loss <= b->loss); }

/* Times that are free, or those of the greatest loss, which are wanted least; they are x's now. */
static vel_times *take_times(vel_evaluator *e, vel_evaluation *x) {
    vel_times *best = NULL;
    vel_evaluation *before = NULL;
    for (int k = 0; k < VEL_EVALUATED_TIMES && (before || !best); k++) {
        vel_evaluation *owner = owner_of(e, &e->times[k]);
        if (owner && (owner == e->kept || (before && !less_wanted(owner, before)))) continue;
        best = &e->times[k];
        before = owner;
    }
    if (before) before->times = NULL;
    x->times = best;
    return best;
}

const vel_times *vel_evaluation_times(vel_evaluator *e, vel_evaluation *x) {
    if (x->times) return x->times;
    vel_times *times = take_times(e, x);
    vel_assign(&e->cells, &x->p, e->mode, e->work, times);
    return times;
}

vel_evaluation *vel_evaluate(vel_evaluator *e, const vel_trajectory *p) {
    bool projected = vel_assign_projects(p, e->mode);
    vel_evaluation *x = find(e, p, projected);
    bool found = x != NULL;
    if (!found) {
        x = oldest(e);
        x->times = NULL;
        x->p = *p;
        x->projected = projected;
    }
    x->used = ++e->clock;
    if (!found || !same_ratio(&x->ratio, &e->ratio)) {
        x->ratio = e->ratio;
        x->loss = vel_evaluate_loss(e, p, vel_evaluation_times(e, x)->t);
    }
    return x;
}

void vel_evaluation_keep(vel_evaluator *e, vel_evaluation *kept) {
    vel_evaluation_times(e, kept);
    e->kept = kept;
}

double vel_evaluate_loss(vel_evaluator *e, const vel_trajectory *p, vel_vec t) {
    return vel_loss(&e->cells, p, &e->ratio, e->mask, t, e->misfit_work);
}
