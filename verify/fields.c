#include "verify/fields.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "pipelines/key.h"

/* ---- a key's name, filled in */

static const char *default_of(const vel_step *step, const char *option) {
    const vel_opt *row = step->opts ? vel_opt_find(step->opts, option) : NULL;
    return row && row->def && strcmp(row->def, "none") != 0 ? row->def : "*";
}

vel_err vel_key_for(vel_ctx *ctx, const vel_step *step, const char *name, const char *vkey, const char **path) {
    vel_text t = vel_text_new(ctx->scratch);
    for (const char *c = name; *c;) {
        size_t plain = strcspn(c, "{");
        vel_text_add(&t, "%.*s", (int)plain, c);
        c += plain;
        if (!*c) break;
        char option[64];
        size_t length = strcspn(++c, "}");
        snprintf(option, sizeof option, "%.*s", (int)length, c);
        vel_text_add(&t, "%s", strcmp(option, "vkey") == 0 ? vkey : default_of(step, option));
        c += length + (c[length] == '}');
    }
    return vel_text_done(ctx, &t, path);
}

/* ---- the vkeys of a file: uns/VKEY_params */

typedef struct {
    const char **names;
    int64_t n, room;
} words;

static vel_err push(vel_ctx *ctx, words *w, const char *word) {
    if (w->n == w->room) {
        int64_t room = w->room ? 2 * w->room : 16;
        const char **grown;
        VEL_TRY(VEL_ALLOC(ctx, grown, room));
        if (w->n) memcpy(grown, w->names, (size_t)w->n * sizeof *grown);
        w->names = grown;
        w->room = room;
    }
    w->names[w->n++] = word;
    return VEL_OK;
}

static vel_err push_path(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)ad;
    char *kept = vel_arena_strdup(ctx->scratch, path);
    return kept ? push(ctx, arg, kept) : vel_no_memory(ctx, strlen(path) + 1, 1);
}

static vel_err find_vkeys(vel_ctx *ctx, const words *paths, words *vkeys) {
    static const char head[] = "uns/", tail[] = "_params";
    for (int64_t i = 0; i < paths->n; i++) {
        const char *path = paths->names[i];
        size_t length = strlen(path), ends = strlen(head) + strlen(tail);
        if (length <= ends || strncmp(path, head, strlen(head)) != 0 || strchr(path + strlen(head), '/')) continue;
        if (strcmp(path + length - strlen(tail), tail) != 0) continue;
        char *vkey = vel_arena_strdup(ctx->scratch, path + strlen(head));
        if (!vkey) return vel_no_memory(ctx, length, 1);
        vkey[length - ends] = 0;
        VEL_TRY(push(ctx, vkeys, vkey));
    }
    return vkeys->n ? VEL_OK : push(ctx, vkeys, "velocity");
}

/* ---- every key of the steps asked for, with every vkey */

typedef struct {
    const char *path;
    const vel_key *key;
    const char *step;
} pattern;

typedef struct {
    pattern *rows;
    int64_t n, room;
} patterns;

static bool is_listed(const char *list, const vel_step *step) {
    if (!list) return true;
    for (const char *c = list; *c; c += strcspn(c, ","), c += *c == ',') {
        char name[64];
        size_t length = strcspn(c, ",");
        if (length >= sizeof name) continue;
        memcpy(name, c, length);
        name[length] = 0;
        if (vel_step_find(name) == step) return true;
    }
    return false;
}

static vel_err check_list(vel_ctx *ctx, const char *list) {
    for (const char *c = list; c && *c; c += strcspn(c, ","), c += *c == ',') {
        int length = (int)strcspn(c, ",");
        char name[64] = "";
        if (length < (int)sizeof name) memcpy(name, c, (size_t)length);
        if (!vel_step_find(name)) return vel_fail(ctx, VEL_EUSAGE, "there is no step %.*s", length, c);
    }
    return VEL_OK;
}

static int64_t count_keys(void) {
    int64_t n = 0;
    for (int s = 0; s < vel_n_steps; s++)
        for (const vel_key *k = vel_steps[s]->writes; k && k->name; k++) n++;
    return n;
}

static vel_err fill_in(vel_ctx *ctx, const char *steps, const words *vkeys, patterns *out) {
    VEL_TRY(VEL_ALLOC(ctx, out->rows, count_keys() * vkeys->n));
    for (int s = 0; s < vel_n_steps; s++) {
        if (!is_listed(steps, vel_steps[s])) continue;
        for (const vel_key *key = vel_steps[s]->writes; key && key->name; key++) {
            int64_t fills = strstr(key->name, "{vkey}") ? vkeys->n : 1;
            for (int64_t v = 0; v < fills; v++) {
                pattern *p = &out->rows[out->n++];
                *p = (pattern){.key = key, .step = vel_steps[s]->name};
                VEL_TRY(vel_key_for(ctx, vel_steps[s], key->name, vkeys->names[v], &p->path));
            }
        }
    }
    return VEL_OK;
}

/* ---- the fields that they match */

static bool is_wild(const pattern *p) { return strchr(p->path, '*') != NULL; }

static const pattern *find_cover(const patterns *all, const char *path, bool wild) {
    for (int64_t i = 0; i < all->n; i++) {
        const pattern *p = &all->rows[i];
        if (is_wild(p) == wild && vel_key_covers(p->path, path)) return p;
    }
    return NULL;
}

/* The first key that means this very field, else the first that may mean any. */
static const pattern *writer_of(const patterns *all, const char *path) {
    const pattern *named = find_cover(all, path, false);
    return named ? named : find_cover(all, path, true);
}

static bool is_comparable(const vel_adata *ad, const char *path) {
    vel_kind kind = vel_entry_of(ad, path).kind;
    return kind != VEL_ABSENT && kind != VEL_DICT && kind != VEL_OTHER;
}

vel_err vel_subjects_of(vel_ctx *ctx, vel_adata *reference, const char *steps, const char *only, vel_subject **subjects,
                        int64_t *n) {
    words paths = {0}, vkeys = {0};
    patterns all = {0};
    VEL_TRY(check_list(ctx, steps));
    VEL_TRY(vel_each(ctx, reference, push_path, &paths));
    VEL_TRY(find_vkeys(ctx, &paths, &vkeys));
    VEL_TRY(fill_in(ctx, steps, &vkeys, &all));
    VEL_TRY(VEL_ALLOC(ctx, *subjects, paths.n));
    *n = 0;
    for (int64_t i = 0; i < paths.n; i++) {
        const char *path = paths.names[i];
        const pattern *p = writer_of(&all, path);
        if (!p || !is_comparable(reference, path) || (only && fnmatch(only, path, 0) != 0)) continue;
        vel_subject *s = &(*subjects)[(*n)++];
        *s = (vel_subject){.path = path, .step = p->step, .shape = p->key->shape, .optional = is_wild(p)};
        if (s->optional || strcmp(p->path, path) == 0) continue;
        s->mapping = p->path;
        s->shape = VEL_ANY_SHAPE;
    }
    return VEL_OK;
}

bool vel_subject_is_due(const vel_subject *s, const vel_adata *result) {
    if (s->optional) return false;
    return !s->mapping || !vel_has(result, s->mapping);
}
