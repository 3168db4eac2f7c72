#include "bench/data.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/benches.h"
#include "bench/format.h"
#include "io/h5ad.h"
#include "io/json.h"
#include "pipelines/named.h"

typedef struct {
    const bench_row *row;
    const vel_named *workflow;
    const char *path; /* NULL: no folder was given */
    bool there;
    int64_t n_obs, n_vars; /* of the file; 0 if it cannot be read */
    const char *wrong;     /* why it cannot be read; NULL: it can */
} entry;

static vel_err look(vel_ctx *ctx, const char *folder, entry *e) {
    vel_adata *ad;
    if (!folder) return VEL_OK;
    VEL_TRY(bench_format(ctx, ctx->scratch, &e->path, "%s/%s", folder, e->workflow->data));
    e->there = access(e->path, F_OK) == 0;
    if (!e->there) return VEL_OK;
    if (vel_h5ad_open(ctx, e->path, &ad) != VEL_OK) {
        VEL_TRY(bench_keep(ctx, ctx->scratch, ctx->message, &e->wrong));
        ctx->message[0] = '\0';
        return VEL_OK;
    }
    e->n_obs = vel_n_obs(ad);
    e->n_vars = vel_n_vars(ad);
    vel_adata_free(ad);
    return VEL_OK;
}

static void print(FILE *out, const entry *e) {
    fprintf(out, "%s\n  file      %s\n  source    %s\n  expected  %" PRId64 " cells, %" PRId64 " genes chosen\n",
            e->row->name, e->workflow->data, e->workflow->source, e->workflow->n_obs, e->workflow->n_vars);
    if (e->workflow->notes) fprintf(out, "  notes     %s\n", e->workflow->notes);
    if (e->wrong)
        fprintf(out, "  there     %s\n", e->wrong);
    else if (e->there)
        fprintf(out, "  there     yes: %" PRId64 " cells, %" PRId64 " genes (%s)\n", e->n_obs, e->n_vars, e->path);
    else
        fprintf(out, "  there     no%s%s\n", e->path ? ": " : " (no --data DIR)", e->path ? e->path : "");
}

static json_t *as_json(const entry *e) {
    json_t *found = e->there && !e->wrong
                        ? json_pack("{s:I, s:I}", "cells", (json_int_t)e->n_obs, "genes", (json_int_t)e->n_vars)
                        : json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:{s:I, s:I}, s:s?, s:o, s:b, s:o, s:o}", "bench", e->row->name, "workflow",
                     e->workflow->name, "file", e->workflow->data, "source", e->workflow->source, "expected", "cells",
                     (json_int_t)e->workflow->n_obs, "genes", (json_int_t)e->workflow->n_vars, "notes",
                     e->workflow->notes, "path", vel_json_text(e->path), "there", e->there, "found", found, "error",
                     vel_json_text(e->wrong));
}

vel_err bench_data_list(vel_ctx *ctx, FILE *out, const char *folder, bool json) {
    json_t *list = json_array();
    vel_err e = VEL_OK;
    for (int i = 0; i < bench_n_rows && e == VEL_OK; i++) {
        if (bench_rows[i].kind != BENCH_VENDOR) continue;
        entry this = {.row = &bench_rows[i], .workflow = vel_named_find(bench_rows[i].op)};
        if (!this.workflow || !this.workflow->data) continue;
        e = look(ctx, folder, &this);
        if (json)
            json_array_append_new(list, as_json(&this));
        else
            print(out, &this);
    }
    if (json && e == VEL_OK) {
        json_dumpf(list, out, JSON_INDENT(2));
        fputc('\n', out);
    }
    json_decref(list);
    return e;
}
