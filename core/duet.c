#include "core/duet.h"

#include "core/decide_bodies.h"

typedef struct {
    vel_ctx *ctx;
    vel_part part;
    vel_duet_body body;
    void *arg;
    vel_err err;
} player;

static void play(void *arg) {
    player *p = arg;
    p->err = p->body(p->ctx, p->part, p->arg);
}

void vel_duet_sum(vel_part part, vel_quad *sum) {
    part.duet->sum[part.voice] = sum;
    vel_fiber_rest(part.duet->fiber[part.voice]);
}

vel_err vel_duet_run(vel_ctx *ctx, const vel_segments *segments, vel_duet_body body, void *arg) {
    vel_duet duet = {.segments = segments};
    player players[VEL_VOICES];
    VEL_TRY(VEL_ZALLOC(ctx, duet.cell, segments->places * VEL_VOICES));
    for (int v = 0; v < VEL_VOICES; v++) {
        players[v] = (player){ctx, {&duet, v}, body, arg, VEL_OK};
        VEL_TRY(vel_fiber_new(ctx, play, &players[v], &duet.fiber[v]));
    }
    for (bool any = true; any;) {
        VEL_TRY(vel_poll(ctx));
        any = false;
        for (int v = 0; v < VEL_VOICES; v++) {
            if (duet.fiber[v] && !vel_fiber_resume(duet.fiber[v])) duet.fiber[v] = NULL;
            any |= duet.fiber[v] != NULL;
        }
        if (any) vel_decide_bodies_now()->sum_both(segments, duet.cell, duet.sum);
    }
    for (int v = 0; v < VEL_VOICES; v++) VEL_TRY(players[v].err);
    return VEL_OK;
}

vel_err vel_duet_room(vel_ctx *ctx, vel_part part, size_t bytes, void **room) {
    char *own;
    *room = part.duet ? part.duet->room : NULL;
    if (*room) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, own, bytes));
    if (part.duet) part.duet->room = own;
    *room = own;
    return VEL_OK;
}
