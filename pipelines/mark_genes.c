#include "pipelines/mark_genes.h"

#include <string.h>

#include "core/text.h"

static bool mark_name(char *const *genes, int64_t n, const char *name, bool every, uint8_t *marks) {
    bool found = false;
    for (int64_t g = 0; g < n && (every || !found); g++)
        if (!strcmp(genes[g], name)) marks[g] = found = true;
    return found;
}

vel_err vel_mark_genes(vel_ctx *ctx, vel_adata *ad, const char *option, const vel_value *names, bool every,
                       uint8_t *marks) {
    enum { SHOWN = 5 };
    bool list = names->kind == VEL_VLIST;
    int64_t n = list ? names->n_items : 1, unknown = 0;
    vel_text t = vel_text_new(ctx->scratch);
    const char *missing;
    char **genes;
    VEL_TRY(vel_var_names(ctx, ad, &genes));
    for (int64_t i = 0; i < n; i++) {
        const vel_value *name = list ? &names->items[i] : names;
        if (name->text && mark_name(genes, vel_n_vars(ad), name->text, every, marks)) continue;
        if (unknown < SHOWN) vel_text_add(&t, "%s", unknown ? ", " : "");
        if (unknown++ < SHOWN) vel_text_value(&t, name);
    }
    if (!unknown) return VEL_OK;
    VEL_TRY(vel_text_done(ctx, &t, &missing));
    vel_say(ctx, VEL_WARN, "%s: %lld of %lld names are no genes of %s: %s%s", option, (long long)unknown, (long long)n,
            vel_adata_name(ad), missing, unknown > SHOWN ? ", …" : "");
    return VEL_OK;
}
