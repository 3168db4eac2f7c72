#include "pipelines/plan.h"

#include <string.h>

#include "pipelines/key.h"

enum { MOST_KEYS = 64, DEEPEST = 8 };

typedef struct {
    vel_adata *ad;
    vel_arena *arena;
    vel_plan *plan;
    int depth;
} planner;

/* Whether an earlier step writes the field, its group, or a member of it; not if it will not, since what that depends
 * on is there. */
static bool is_made(const planner *p, const char *path) {
    for (int i = 0; i < p->plan->n_steps; i++) {
        const vel_planned *s = &p->plan->steps[i];
        for (int k = 0; k < s->n_writes; k++)
            if ((s->writes[k].likely || !s->writes[k].key->unless) &&
                (vel_key_covers(s->writes[k].path, path) || vel_key_covers(path, s->writes[k].path)))
                return true;
    }
    return false;
}

/* ---- the message about a missing field: what else its group holds */

typedef struct {
    const char *group;
    size_t length;
    vel_text names;
    int n;
} listing;

static vel_err list_member(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)ctx, (void)ad;
    listing *l = arg;
    if (strncmp(path, l->group, l->length) || strchr(path + l->length, '/') || l->n == 40) return VEL_OK;
    if (!strcmp(path + l->length, "_index")) return VEL_OK; /* the names, no column */
    vel_text_add(&l->names, "%s%s", l->n ? ", " : "", path + l->length);
    l->n++;
    return VEL_OK;
}

/* What to do about counts that are not there. */
static const char *hint(const char *path, const char *there) {
    bool counts = !strcmp(path, "layers/spliced") || !strcmp(path, "layers/unspliced");
    if (!counts) return "";
    return *there ? " (--spliced and --unspliced name others)" : " (velocyto, STARsolo, kb or alevin-fry count them)";
}

static vel_err refuse_missing(vel_ctx *ctx, const planner *p, const vel_step *step, const char *path) {
    const char *slash = strrchr(path, '/');
    listing l = {.group = path, .length = slash ? (size_t)(slash - path) + 1 : 0, .names = vel_text_new(p->arena)};
    if (p->ad) VEL_TRY(vel_each(ctx, p->ad, list_member, &l));
    const char *names;
    VEL_TRY(vel_text_done(ctx, &l.names, &names));
    return vel_fail(ctx, VEL_EKEY, "%s needs %s, which %s does not have; %.*s has: %s%s", step->name, path,
                    p->ad ? vel_adata_name(p->ad) : "the data", slash ? (int)(slash - path) : 8,
                    slash ? path : "the file", *names ? names : "nothing", hint(path, names));
}

/* ---- planning */

static vel_err plan_call(vel_ctx *ctx, planner *p, const vel_call *call, const char *made_for, const char *made_by);

static vel_err plan_maker(vel_ctx *ctx, planner *p, const vel_step *step, const vel_key *key, const char *path) {
    vel_call call = {.name = key->maker, .step = vel_step_find(key->maker)};
    if (!call.step || p->depth == DEEPEST) return refuse_missing(ctx, p, step, path);
    p->depth++;
    vel_err e = plan_call(ctx, p, &call, path, step->name);
    p->depth--;
    return e;
}

static bool is_there(const planner *p, const char *path) { return is_made(p, path) || (p->ad && vel_has(p->ad, path)); }

/* Looks a read up; *there says whether the step will find it. */
static vel_err plan_read(vel_ctx *ctx, planner *p, const vel_step *step, const vel_key *key, vel_planned_key *read,
                         bool *there) {
    *there = false;
    if (key->unless && is_there(p, key->unless)) return VEL_OK;
    bool made = is_made(p, read->path);
    read->in_file = !made && p->ad && vel_has(p->ad, read->path);
    *there = made || read->in_file;
    if (*there || key->optional) return VEL_OK;
    if (!key->maker) return refuse_missing(ctx, p, step, read->path);
    VEL_TRY(plan_maker(ctx, p, step, key, read->path));
    *there = is_made(p, read->path);
    return *there ? VEL_OK : refuse_missing(ctx, p, step, read->path);
}

static bool is_listed(const vel_planned_key *list, int n, const char *path) {
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].path, path)) return true;
    return false;
}

bool vel_planned_reads(const vel_planned *s, const char *path) { return is_listed(s->reads, s->n_reads, path); }

/* Of several rows of one field the first that counts. */
static vel_err keys_of(vel_ctx *ctx, planner *p, const vel_step *step, const vel_key *keys, vel_planned *s,
                       vel_planned_key **list, int *n) {
    *list = vel_arena_alloc(p->arena, MOST_KEYS, sizeof **list);
    if (!*list) return vel_no_memory(ctx, MOST_KEYS, sizeof **list);
    *n = 0;
    for (const vel_key *key = keys; key && key->name; key++) {
        if (!vel_key_counts(key, step->opts, s->opts) || *n == MOST_KEYS) continue;
        const char *path;
        VEL_TRY(vel_key_path(ctx, p->arena, key, step->opts, s->opts, &path));
        if (path && !is_listed(*list, *n, path)) (*list)[(*n)++] = (vel_planned_key){.key = key, .path = path};
    }
    return VEL_OK;
}

static vel_err plan_reads(vel_ctx *ctx, planner *p, vel_planned *s) {
    int kept = 0;
    for (int i = 0; i < s->n_reads; i++) {
        bool there;
        VEL_TRY(plan_read(ctx, p, s->call.step, s->reads[i].key, &s->reads[i], &there));
        if (there) s->reads[kept++] = s->reads[i];
    }
    s->n_reads = kept;
    return VEL_OK;
}

static void plan_writes(const planner *p, vel_planned *s) {
    for (int i = 0; i < s->n_writes; i++) {
        const vel_key *key = s->writes[i].key;
        s->writes[i].likely = !key->optional || (key->unless && !is_there(p, key->unless));
    }
}

static vel_err plan_call(vel_ctx *ctx, planner *p, const vel_call *call, const char *made_for, const char *made_by) {
    const vel_step *step = call->step;
    vel_planned s = {.call = *call, .made_for = made_for, .made_by = made_by};
    VEL_TRY(vel_call_opts(ctx, p->arena, call, &s.opts));
    VEL_TRY(keys_of(ctx, p, step, step->reads, &s, &s.reads, &s.n_reads));
    VEL_TRY(keys_of(ctx, p, step, step->writes, &s, &s.writes, &s.n_writes));
    VEL_TRY(plan_reads(ctx, p, &s));
    plan_writes(p, &s);
    if (p->plan->n_steps == VEL_MOST_PLANNED)
        return vel_fail(ctx, VEL_EUSAGE, "more than %d steps to run", VEL_MOST_PLANNED);
    p->plan->steps[p->plan->n_steps++] = s;
    return VEL_OK;
}

vel_err vel_plan_make(vel_ctx *ctx, vel_adata *ad, const vel_recipe *recipe, vel_plan *plan) {
    *plan =
        (vel_plan){.recipe = recipe, .steps = vel_arena_alloc(recipe->arena, VEL_MOST_PLANNED, sizeof *plan->steps)};
    if (!plan->steps) return vel_no_memory(ctx, VEL_MOST_PLANNED, sizeof *plan->steps);
    planner p = {.ad = ad, .arena = recipe->arena, .plan = plan};
    for (int i = 0; i < recipe->n_calls; i++) {
        if (i == 0 && !ad && recipe->calls[i].step->inputs)
            return vel_fail(ctx, VEL_EUSAGE, "step %s needs an input file", recipe->calls[i].name);
        VEL_TRY(plan_call(ctx, &p, &recipe->calls[i], NULL, NULL));
    }
    return VEL_OK;
}
