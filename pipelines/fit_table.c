#include "pipelines/fit_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    const char *path;
    size_t offset;
} column;

/* In the reference's order. */
static const column columns[VEL_FIT_COLUMNS] = {
    {"var/fit_alpha", offsetof(vel_dynamics_solution, alpha)},
    {"var/fit_beta", offsetof(vel_dynamics_solution, beta)},
    {"var/fit_gamma", offsetof(vel_dynamics_solution, gamma)},
    {"var/fit_t_", offsetof(vel_dynamics_solution, switch_at)},
    {"var/fit_scaling", offsetof(vel_dynamics_solution, sigma)},
    {"var/fit_std_u", offsetof(vel_dynamics_solution, std_u)},
    {"var/fit_std_s", offsetof(vel_dynamics_solution, std_s)},
    {"var/fit_likelihood", offsetof(vel_dynamics_solution, likelihood)},
    {"var/fit_u0", offsetof(vel_dynamics_solution, u0)},
    {"var/fit_s0", offsetof(vel_dynamics_solution, s0)},
    {"var/fit_pval_steady", offsetof(vel_dynamics_solution, p_steady)},
    {"var/fit_steady_u", offsetof(vel_dynamics_solution, steady_u)},
    {"var/fit_steady_s", offsetof(vel_dynamics_solution, steady_s)},
    {"var/fit_variance", offsetof(vel_dynamics_solution, variance)},
};

static const char alignment_path[] = "var/fit_alignment_scaling", status_path[] = "var/fit_status",
                  loss_path[] = "varm/loss";

enum { LEAST_WIDTH = 2 };

static const char *status_name(int32_t status) {
    return status == VEL_NOT_SELECTED ? "not selected" : vel_fit_status_words((vel_fit_status)status);
}

static void fill(double *x, int64_t n, double value) {
    for (int64_t i = 0; i < n; i++) x[i] = value;
}

static vel_err read_column(vel_ctx *ctx, vel_adata *ad, const char *path, double absent, double **x) {
    int64_t n = vel_n_vars(ad);
    if (vel_has(ad, path)) return vel_get_reals(ctx, ad, path, n, x);
    VEL_TRY(VEL_ALLOC(ctx, *x, n));
    fill(*x, n, absent);
    return VEL_OK;
}

static vel_err read_status(vel_ctx *ctx, vel_adata *ad, vel_fit_table *t) {
    const char **words = NULL;
    VEL_TRY(VEL_ALLOC(ctx, t->status, t->n));
    if (vel_has(ad, status_path)) VEL_TRY(vel_get_texts(ctx, ad, status_path, t->n, &words));
    for (int64_t g = 0; g < t->n; g++) {
        t->status[g] = VEL_NOT_SELECTED;
        for (int32_t k = 0; words && words[g] && k < VEL_NOT_SELECTED; k++)
            if (!strcmp(words[g], status_name(k))) t->status[g] = k;
    }
    return VEL_OK;
}

static vel_err read_loss(vel_ctx *ctx, vel_adata *ad, vel_fit_table *t) {
    const vel_field *old = NULL;
    t->width = LEAST_WIDTH;
    if (vel_has(ad, loss_path)) {
        VEL_TRY(vel_get(ctx, ad, loss_path, &old));
        if (old->kind != VEL_DENSE || old->type != VEL_F64 || old->ndim != 2) old = NULL;
    }
    if (old) t->width = old->cols;
    if (t->room < t->width) t->room = t->width;
    if (t->room > INT64_MAX / 8 / (t->n + 1)) return vel_no_memory(ctx, (size_t)t->n, (size_t)t->room);
    VEL_TRY(VEL_ALLOC(ctx, t->loss, t->n * t->room));
    fill(t->loss, t->n * t->room, NAN);
    for (int64_t g = 0; old && g < t->n; g++)
        memcpy(t->loss + g * t->room, (const double *)old->data + g * old->cols, (size_t)old->cols * sizeof *t->loss);
    return VEL_OK;
}

vel_err vel_fit_table_read(vel_ctx *ctx, vel_adata *ad, int64_t room, bool aligned, vel_fit_table *table) {
    *table = (vel_fit_table){.n = vel_n_vars(ad), .room = room};
    for (int k = 0; k < VEL_FIT_COLUMNS; k++) VEL_TRY(read_column(ctx, ad, columns[k].path, NAN, &table->column[k]));
    if (aligned) VEL_TRY(read_column(ctx, ad, alignment_path, 1, &table->alignment));
    VEL_TRY(read_status(ctx, ad, table));
    return read_loss(ctx, ad, table);
}

void vel_fit_table_set(vel_fit_table *table, int64_t gene, const vel_dynamics_solution *solution, int64_t losses,
                       double m) {
    for (int k = 0; k < VEL_FIT_COLUMNS; k++)
        table->column[k][gene] = *(const double *)((const char *)solution + columns[k].offset);
    if (table->alignment) table->alignment[gene] = m;
    double *row = table->loss + gene * table->room;
    memcpy(row, solution->loss, (size_t)losses * sizeof *row);
    fill(row + losses, table->room - losses, NAN);
}

static int64_t losses_of(const vel_fit_table *t, int64_t gene) {
    int64_t k = t->room;
    while (k > 0 && isnan(t->loss[gene * t->room + k - 1])) k--;
    return k;
}

static vel_err write_loss(vel_ctx *ctx, vel_adata *ad, const vel_fit_table *t) {
    int64_t width = t->width;
    for (int64_t g = 0; g < t->n; g++) {
        int64_t k = losses_of(t, g);
        if (k > width) width = k;
    }
    vel_field *f;
    VEL_TRY(vel_put_dense(ctx, ad, loss_path, VEL_F64, vel_matrix(t->n, width), &f));
    for (int64_t g = 0; g < t->n; g++)
        memcpy((double *)f->data + g * width, t->loss + g * t->room, (size_t)width * sizeof *t->loss);
    return VEL_OK;
}

vel_err vel_fit_table_write(vel_ctx *ctx, vel_adata *ad, const vel_fit_table *table) {
    for (int k = 0; k < VEL_FIT_COLUMNS; k++)
        VEL_TRY(vel_put_reals(ctx, ad, columns[k].path, table->column[k], table->n));
    if (table->alignment) {
        for (int64_t g = 0; g < table->n; g++)
            if (table->alignment[g] == 1) table->alignment[g] = NAN;
        VEL_TRY(vel_put_reals(ctx, ad, alignment_path, table->alignment, table->n));
    }
    const char *names[VEL_NOT_SELECTED + 1];
    for (int32_t k = 0; k <= VEL_NOT_SELECTED; k++) names[k] = status_name(k);
    VEL_TRY(vel_put_categorical(ctx, ad, status_path, table->status, table->n, names, VEL_NOT_SELECTED + 1));
    return write_loss(ctx, ad, table);
}
