#include "core/duet.h"

#include "core/decide_bodies.h"

typedef struct {
    vel_ctx ctx; /* of its own, so that each keeps its own message */
    vel_part part;
    vel_duet_body body;
    void *arg;
    vel_err err;
} player;

static void play(void *arg) {
    player *p = arg;
    p->err = p->body(&p->ctx, p->part, p->arg);
}

void vel_duet_sum(vel_part part, void (*use)(void *arg, const vel_two *sum), void *arg) {
    part.duet->wish[part.voice] = (struct vel_duet_wish){use, arg};
    vel_fiber_rest(part.duet->fiber[part.voice]);
}

/* Those that rest go on; returns whether any rests again. */
static bool go_on(vel_duet *duet) {
    bool any = false;
    for (int v = 0; v < duet->voices; v++) {
        if (duet->fiber[v] && !vel_fiber_resume(duet->fiber[v])) duet->fiber[v] = NULL;
        any |= duet->fiber[v] != NULL;
    }
    return any;
}

static void add_up(vel_duet *duet) {
    const vel_decide_bodies *bodies = vel_decide_bodies_now();
    vel_two *sum[VEL_VOICES], *room = duet->room;
    for (int v = 0; v < VEL_VOICES; v++)
        sum[v] = duet->wish[v].use ? room + v * (duet->segments->n + VEL_SEGMENT_BLOCK) : NULL;
    if (duet->voices == 1)
        bodies->sum(duet->segments, 1, duet->cell, NULL, sum[0]);
    else
        bodies->sum_both(duet->segments, duet->cell, sum);
    for (int v = 0; v < VEL_VOICES; v++) {
        if (sum[v]) duet->wish[v].use(duet->wish[v].arg, sum[v]);
        duet->wish[v].use = NULL;
    }
}

vel_err vel_duet_run(vel_ctx *ctx, const vel_segments *segments, int voices, vel_duet_body body, void *arg) {
    vel_duet duet = {.segments = segments, .voices = voices};
    player players[VEL_VOICES];
    for (int v = 0; v < voices; v++) { /* first: behind a stack an arena begins a new block */
        players[v] = (player){*ctx, {&duet, v}, body, arg, VEL_OK};
        VEL_TRY(vel_fiber_new(ctx, play, &players[v], &duet.fiber[v]));
    }
    VEL_TRY(VEL_ZALLOC(ctx, duet.cell, segments->places * voices));
    VEL_TRY(vel_duet_room(ctx, (vel_part){0}, segments->n, &duet.room));
    VEL_TRY(vel_poll(ctx));
    while (go_on(&duet)) {
        VEL_TRY(vel_poll(ctx));
        add_up(&duet);
    }
    for (int v = 0; v < voices; v++)
        if (players[v].err) return vel_fail(ctx, players[v].err, "%s", players[v].ctx.message);
    return VEL_OK;
}

vel_err vel_duet_room(vel_ctx *ctx, vel_part part, int64_t n, void **room) {
    char *own;
    *room = part.duet ? part.duet->room : NULL;
    if (*room) return VEL_OK;
    VEL_TRY(VEL_ALLOC(ctx, own, VEL_DUET_ROOM(n)));
    *room = own;
    return VEL_OK;
}
