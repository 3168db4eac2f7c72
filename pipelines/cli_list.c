#include <string.h>

#include "pipelines/cli.h"
#include "pipelines/named.h"

static const char *const shapes[] = {
    [VEL_ANY_SHAPE] = "any",
    [VEL_OBS] = "obs",
    [VEL_VAR] = "var",
    [VEL_OBS_VAR] = "obs x var",
    [VEL_OBS_OBS] = "obs x obs",
    [VEL_OBS_TIES] = "obs x obs",
    [VEL_OBS_HOPS] = "obs x obs",
    [VEL_OBS_ANY] = "obs x k",
    [VEL_VAR_ANY] = "var x k",
    [VEL_UNS] = "uns",
};
static const char *const kinds[] = {
    [VEL_OBOOL] = "bool",   [VEL_OINT] = "int",   [VEL_OREAL] = "real",   [VEL_OTEXT] = "text",
    [VEL_OSWITCH] = "bool", [VEL_OCOUNT] = "int", [VEL_ONUMBER] = "real", [VEL_OANY] = "any",
};

static void add_string(vel_text *t, const char *key, const char *s) {
    vel_text_add(t, "\"%s\":", key);
    if (s)
        vel_text_json(t, s);
    else
        vel_text_add(t, "null");
}

static void add_keys(vel_text *t, const char *title, const vel_key *keys) {
    vel_text_add(t, ",\"%s\":[", title);
    for (const vel_key *k = keys; k && k->name; k++) {
        vel_text_add(t, "%s{", k == keys ? "" : ",");
        add_string(t, "name", k->name);
        vel_text_add(t, ",");
        add_string(t, "shape", shapes[k->shape]);
        vel_text_add(t, ",");
        add_string(t, "type", k->type ? vel_type_name(k->type) : NULL);
        vel_text_add(t, ",");
        add_string(t, "when", k->when);
        vel_text_add(t, ",\"optional\":%s,", k->optional ? "true" : "false");
        add_string(t, "maker", k->maker);
        vel_text_add(t, "}");
    }
    vel_text_add(t, "]");
}

static void add_options(vel_text *t, const vel_opt *rows) {
    vel_text_add(t, ",\"options\":[");
    for (const vel_opt *row = rows; row && row->name; row++) {
        vel_text_add(t, "%s{", row == rows ? "" : ",");
        add_string(t, "name", row->name);
        vel_text_add(t, ",");
        add_string(t, "type", kinds[row->type]);
        vel_text_add(t, ",");
        add_string(t, "default", row->def);
        vel_text_add(t, ",");
        add_string(t, "choices", vel_opt_range(row) ? NULL : row->choices);
        vel_text_add(t, ",");
        add_string(t, "range", vel_opt_range(row));
        vel_text_add(t, ",");
        add_string(t, "help", row->help);
        vel_text_add(t, "}");
    }
    vel_text_add(t, "]");
}

static void add_step(vel_text *t, const vel_step *step) {
    vel_text_add(t, "{");
    add_string(t, "name", step->name);
    vel_text_add(t, ",");
    add_string(t, "help", step->help);
    vel_text_add(t, ",");
    add_string(t, "example", step->example);
    vel_text_add(t, ",\"inputs\":%d,\"once\":%s", step->inputs, step->once ? "true" : "false");
    add_keys(t, "reads", step->reads);
    add_keys(t, "writes", step->writes);
    add_options(t, step->opts);
    vel_text_add(t, "}");
}

/* A field may have a row for each condition: it is listed once, as needed or made if it is so in one of them. */
static bool is_told(const vel_key *keys, const vel_key *key) {
    for (const vel_key *k = keys; k < key; k++)
        if (!strcmp(k->name, key->name)) return true;
    return false;
}

static bool is_sure(const vel_key *keys, const vel_key *key) {
    for (const vel_key *k = keys; k->name; k++)
        if (!strcmp(k->name, key->name) && !k->optional) return true;
    return false;
}

static void print_keys(FILE *out, const char *title, const vel_key *keys) {
    fprintf(out, "  %-8s", title);
    for (const vel_key *k = keys; k && k->name; k++)
        if (!is_told(keys, k)) fprintf(out, " %s%s", k->name, is_sure(keys, k) ? "" : "?");
    fputs(keys && keys->name ? "\n" : " -\n", out);
}

static void print_step(FILE *out, const vel_step *step) {
    fprintf(out, "%s - %s\n", step->name, step->help);
    print_keys(out, "reads", step->reads);
    print_keys(out, "writes", step->writes);
    fprintf(out, "  %-8s", "options");
    for (const vel_opt *row = step->opts; row && row->name; row++) fprintf(out, " %s=%s", row->name, row->def);
    fputs("\n\n", out);
}

static vel_err no_words(vel_cli *cli, const char *command) {
    if (cli->args.n_flags)
        return vel_fail(cli->ctx, VEL_EUSAGE, "vel %s has no option --%s", command, cli->args.flags[0].name);
    if (cli->args.n_words)
        return vel_fail(cli->ctx, VEL_EUSAGE, "vel %s takes no file, found %s", command, cli->args.words[0]);
    return VEL_OK;
}

static vel_err print_json(vel_cli *cli, vel_text *t) {
    const char *text;
    VEL_TRY(vel_text_done(cli->ctx, t, &text));
    fprintf(cli->out, "[%s]\n", text);
    return VEL_OK;
}

vel_err vel_cli_steps(vel_cli *cli, const char *command) {
    VEL_TRY(no_words(cli, command));
    vel_text t = vel_text_new(cli->arena);
    for (int i = 0; i < vel_n_steps; i++) {
        if (!cli->common.json) {
            print_step(cli->out, vel_steps[i]);
            continue;
        }
        if (i) vel_text_add(&t, ",\n");
        add_step(&t, vel_steps[i]);
    }
    return cli->common.json ? print_json(cli, &t) : VEL_OK;
}

/* A named recipe with the recipes that it names replaced by their steps. */
static vel_err expanded(vel_cli *cli, const vel_named *named, const char **text) {
    vel_recipe recipe;
    VEL_TRY(vel_recipe_parse(cli->ctx, cli->arena, named->recipe, &recipe));
    return vel_recipe_text(cli->ctx, &recipe, text);
}

vel_err vel_cli_recipes(vel_cli *cli, const char *command) {
    VEL_TRY(no_words(cli, command));
    vel_text t = vel_text_new(cli->arena);
    for (int i = 0; i < vel_n_named; i++) {
        const vel_named *named = vel_named_rows[i];
        const char *recipe, *lacks;
        VEL_TRY(expanded(cli, named, &recipe));
        VEL_TRY(vel_recipe_lacks(cli->ctx, cli->arena, named, &lacks));
        if (!cli->common.json) {
            fprintf(cli->out, "%s - %s\n  %s\n", named->name, named->help, recipe);
            if (*lacks) fprintf(cli->out, "  this version does not have: %s\n", lacks);
            fputc('\n', cli->out);
            continue;
        }
        vel_text_add(&t, "%s{", i ? ",\n" : "");
        add_string(&t, "name", named->name);
        vel_text_add(&t, ",");
        add_string(&t, "help", named->help);
        vel_text_add(&t, ",");
        add_string(&t, "recipe", recipe);
        vel_text_add(&t, ",");
        add_string(&t, "lacks", lacks);
        vel_text_add(&t, ",");
        add_string(&t, "data", named->data);
        vel_text_add(&t, ",");
        add_string(&t, "source", named->source);
        if (named->n_obs)
            vel_text_add(&t, ",\"n_obs\":%lld,\"n_vars\":%lld", (long long)named->n_obs, (long long)named->n_vars);
        vel_text_add(&t, ",");
        add_string(&t, "notes", named->notes);
        vel_text_add(&t, "}");
    }
    return cli->common.json ? print_json(cli, &t) : VEL_OK;
}
