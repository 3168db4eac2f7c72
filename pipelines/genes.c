#include "pipelines/genes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

typedef struct {
    char **names; /* sorted */
    uint8_t *used;
    int64_t n;
} gene_list;

static char *trimmed(char *line) {
    line += strspn(line, " \t\r\n");
    size_t n = strlen(line);
    while (n && strchr(" \t\r\n", line[n - 1])) n--;
    line[n] = 0;
    return line;
}

/* The whole file as one string, in scratch. */
static vel_err read_text(vel_ctx *ctx, const char *file, char **text) {
    FILE *f = fopen(file, "rb");
    if (!f) return vel_fail(ctx, VEL_EREAD, "%s: %s", file, strerror(errno));
    vel_text t = vel_text_new(ctx->scratch);
    char part[4096];
    vel_text_add(&t, "%s", "");
    bool is_text = true;
    for (size_t n; is_text && !t.failed && (n = fread(part, 1, sizeof part, f)) > 0;) {
        is_text = !memchr(part, 0, n);
        vel_text_add(&t, "%.*s", (int)n, part);
    }
    bool bad = ferror(f) != 0;
    fclose(f);
    if (!is_text) return vel_fail(ctx, VEL_EFORMAT, "%s is no text: it has bytes that are zero", file);
    if (bad) return vel_fail(ctx, VEL_EREAD, "%s: cannot be read", file);
    if (t.failed) return vel_no_memory(ctx, t.length, 1);
    *text = t.chars;
    return VEL_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static vel_err read_list(vel_ctx *ctx, const char *file, gene_list *list) {
    char *text;
    VEL_TRY(read_text(ctx, file, &text));
    int64_t lines = 1;
    for (const char *s = text; *s; s++) lines += *s == '\n';
    VEL_TRY(VEL_ALLOC(ctx, list->names, lines));
    VEL_TRY(VEL_ZALLOC(ctx, list->used, lines));
    list->n = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        line = trimmed(line);
        if (*line) list->names[list->n++] = line;
    }
    if (list->n) qsort(list->names, (size_t)list->n, sizeof *list->names, by_name);
    int64_t kept = 0;
    for (int64_t i = 0; i < list->n; i++)
        if (!kept || strcmp(list->names[kept - 1], list->names[i]) != 0) list->names[kept++] = list->names[i];
    list->n = kept;
    return VEL_OK;
}

static vel_err say_unknown(vel_ctx *ctx, const gene_list *list, const char *file) {
    enum { SHOWN = 5 };
    vel_text t = vel_text_new(ctx->scratch);
    int64_t unknown = 0;
    for (int64_t i = 0; i < list->n; i++) {
        if (list->used[i]) continue;
        if (unknown < SHOWN) vel_text_add(&t, "%s%s", unknown ? ", " : "", list->names[i]);
        unknown++;
    }
    if (!unknown) return VEL_OK;
    const char *names;
    VEL_TRY(vel_text_done(ctx, &t, &names));
    vel_say(ctx, VEL_WARN, "%lld of %lld names in %s are no genes here: %s%s", (long long)unknown, (long long)list->n,
            file, names, unknown > SHOWN ? ", …" : "");
    return VEL_OK;
}

vel_err vel_genes_keep(vel_ctx *ctx, vel_adata *ad, const char *file) {
    gene_list list;
    VEL_TRY(read_list(ctx, file, &list));
    char **names;
    VEL_TRY(vel_var_names(ctx, ad, &names));
    int64_t n = vel_n_vars(ad), kept = 0;
    uint8_t *keep;
    VEL_TRY(VEL_ALLOC(ctx, keep, n));
    for (int64_t g = 0; g < n; g++) {
        char **found = list.n ? bsearch(&names[g], list.names, (size_t)list.n, sizeof *list.names, by_name) : NULL;
        keep[g] = found != NULL;
        kept += keep[g];
        if (found) list.used[found - list.names] = 1;
    }
    if (!kept)
        return vel_fail(ctx, VEL_EKEY, "none of the %lld names in %s is a gene of %s", (long long)list.n, file,
                        vel_adata_name(ad));
    VEL_TRY(say_unknown(ctx, &list, file));
    return vel_keep_vars(ctx, ad, keep);
}
