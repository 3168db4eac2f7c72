#include "bench/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/fixture.h"
#include "bench/format.h"
#include "io/h5ad.h"
#include "pipelines/named.h"
#include "pipelines/recipe.h"

/* The recipe with named ones replaced (NULL: ""), and the first step that this program does not have (NULL: all). */
static vel_err expand(vel_ctx *ctx, vel_arena *arena, const char *text, const char **expanded, const char **lacking) {
    vel_recipe recipe;
    *lacking = NULL;
    if (!text || !*text) return bench_keep(ctx, arena, "", expanded);
    VEL_TRY(vel_recipe_parse(ctx, ctx->scratch, text, &recipe));
    for (int i = 0; i < recipe.n_calls && !*lacking; i++)
        if (!recipe.calls[i].step) VEL_TRY(bench_keep(ctx, arena, recipe.calls[i].name, lacking));
    VEL_TRY(vel_recipe_text(ctx, &recipe, &text));
    return bench_keep(ctx, arena, text, expanded);
}

static vel_err skip(vel_ctx *ctx, bench_run *run, bench_line *line, const char *format, const char *what) {
    line->state = BENCH_LINE_SKIPPED;
    const char *reason;
    VEL_TRY(bench_format(ctx, run->arena, &reason, "%s%s", format, what));
    line->reason = reason;
    return VEL_OK;
}

/* The cells and genes that the file really has. */
static vel_err look_into(vel_ctx *ctx, bench_line *line) {
    vel_adata *ad;
    VEL_TRY(vel_h5ad_open(ctx, line->input, &ad));
    line->cells = vel_n_obs(ad);
    line->genes = vel_n_vars(ad);
    vel_adata_free(ad);
    return VEL_OK;
}

static vel_err find_file(vel_ctx *ctx, bench_run *run, bench_line *line) {
    const vel_named *workflow = vel_named_find(line->row->op);
    const char *file = workflow && workflow->data ? workflow->data : line->row->op;
    if (run->request.data) {
        VEL_TRY(bench_format(ctx, run->arena, &line->input, "%s/%s", run->request.data, file));
        if (access(line->input, R_OK) == 0) {
            if (look_into(ctx, line) == VEL_OK) return VEL_OK;
            const char *why;
            VEL_TRY(bench_keep(ctx, run->arena, ctx->message, &why));
            ctx->message[0] = '\0';
            return skip(ctx, run, line, "", why);
        }
    }
    if (!run->request.stand_in)
        return skip(ctx, run, line, "the data is not there (--data DIR, or --stand-in): ", file);
    line->stand_in = true;
    line->input = NULL;
    return VEL_OK;
}

/* `simulate` alone makes data of the row's shape. */
static vel_err shape_what_is_made(vel_ctx *ctx, bench_run *run, bench_line *line) {
    line->makes_data = strcmp(line->op, "simulate") == 0;
    return line->makes_data ? bench_simulate_recipe(ctx, run->arena, line->cells, line->genes, &line->op) : VEL_OK;
}

vel_err bench_plan_line(vel_ctx *ctx, bench_run *run, const bench_row *row, bench_line *line) {
    const char *lacking, *lacking_before;
    *line = (bench_line){.row = row,
                         .cells = bench_scaled_cells(row, run->request.scale),
                         .genes = row->genes,
                         .threads = row->threads ? row->threads : run->request.threads,
                         .bytes = {-1, -1, -1, -1, -1},
                         .wants_parity = row->parity || run->request.scale != 1};
    for (int b = 0; b < run->n_backends; b++) {
        line->cell[b].samples =
            vel_arena_zalloc(run->arena, (size_t)run->request.repeat, sizeof *line->cell[b].samples);
        if (!line->cell[b].samples)
            return vel_no_memory(ctx, (size_t)run->request.repeat, sizeof *line->cell[b].samples);
    }
    line->plain_s = vel_arena_zalloc(run->arena, (size_t)run->request.repeat, sizeof *line->plain_s);
    line->load_s = vel_arena_zalloc(run->arena, (size_t)run->request.repeat, sizeof *line->load_s);
    if (!line->plain_s || !line->load_s) return vel_no_memory(ctx, (size_t)run->request.repeat, sizeof *line->plain_s);
    VEL_TRY(expand(ctx, run->arena, row->op, &line->op, &lacking));
    VEL_TRY(expand(ctx, run->arena, row->before, &line->before, &lacking_before));
    if (lacking || lacking_before)
        return skip(ctx, run, line, "this program does not have the step ", lacking ? lacking : lacking_before);
    if (row->kind == BENCH_VENDOR) return find_file(ctx, run, line);
    return shape_what_is_made(ctx, run, line);
}
