/* How many cells a velocity graph will lead to, as far as the neighbour graph of the file can tell. */
#include <math.h>
#include <string.h>

#include "core/csr_build.h"
#include "core/field.h"
#include "core/velocity_graph.h"
#include "pipelines/estimate_impl.h"
#include "pipelines/key.h"

/* Hops more lead nowhere else. */
enum { SAMPLED_CELLS = 1024, MOST_HOPS = 16 };

/* Of a standard error of the mean so many more at most. */
#define MOST_ERRORS 3

/* Neighbours of both directions for each of one: 1.6 to 1.9 on simulated data, 2 at most. In the second hop more ways
 * begin where cells have many. */
#define BOTH 1.7
#define MOST_BOTH 2
#define OF_HUBS 1.5
/* Of w ways among n cells 1 / (1 + MEET (w / n)^(5/8)) end where no other does. Simulated counts of 4,000 to 50,000
 * cells, 10 to 60 neighbours: right to 25 % for two hops, mostly to 30 % for three and four. Cells at random lead
 * to 1.6 times as many over two hops, 3 times over three. */
#define MEET 4.5

bool vel_tally_walks_ties(const vel_planned *s) { return vel_planned_holds(s, "mode_neighbors=connectivities"); }

static double hops_of(const vel_planned *s) {
    double kept, hops = 2;
    if (vel_option_number(s, "n_neighbors", &kept) || vel_tally_walks_ties(s)) hops = 1;
    vel_option_number(s, "n_recurse_neighbors", &hops);
    return hops;
}

/* Neighbours of both directions: of each cell those that it has, and those that have it. */
static vel_err both_ways(vel_ctx *ctx, const vel_neighbor_lists *lists, vel_neighbor_lists *both) {
    int64_t n = lists->n, *indptr, *next;
    int32_t *indices;
    VEL_TRY(VEL_ZALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, next, n));
    VEL_TRY(VEL_ALLOC(ctx, indices, 2 * lists->indptr[n]));
    for (int64_t e = 0; e < lists->indptr[n]; e++) indptr[lists->indices[e] + 1]++;
    for (int64_t i = 0; i < n; i++) {
        int64_t own = lists->indptr[i + 1] - lists->indptr[i];
        indptr[i + 1] += indptr[i] + own;
        memcpy(indices + indptr[i], lists->indices + lists->indptr[i], (size_t)own * sizeof *indices);
        next[i] = indptr[i] + own;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = lists->indptr[i]; e < lists->indptr[i + 1]; e++)
            indices[next[lists->indices[e]]++] = (int32_t)i;
    *both = (vel_neighbor_lists){n, indptr, indices};
    return VEL_OK;
}

/* Of cells at equal distances in the file: those that they lead to, in the mean. */
static vel_err sample(vel_ctx *ctx, const vel_neighbor_lists *lists, int64_t hops, double *mean, double *most) {
    int64_t n = lists->n, count = n < SAMPLED_CELLS ? n : SAMPLED_CELLS;
    vel_cell_set set;
    int32_t *cells;
    double sum = 0, square = 0;
    VEL_TRY(vel_cell_set_make(ctx, n, &set));
    VEL_TRY(VEL_ALLOC(ctx, cells, n));
    for (int64_t i = 0; i < count; i++) {
        double x = (double)vel_candidates(lists, i * n / count, hops, &set, cells) - 1;
        sum += x;
        square += x * x;
    }
    *mean = sum / (double)count;
    double spread = fmax(square / (double)count - *mean * *mean, 0) * (1 - (double)count / (double)n);
    *most = *mean + MOST_ERRORS * sqrt(spread / (double)count);
    return VEL_OK;
}

static vel_err walk(vel_ctx *ctx, const vel_planned *s, const vel_field *f, vel_tally *t) {
    vel_csr graph = {f->rows, f->cols, f->indptr, f->indices, f->data, f->type};
    vel_neighbor_lists lists;
    vel_neighbor_report report;
    double kept = 0;
    vel_option_number(s, "n_neighbors", &kept);
    VEL_TRY(vel_neighbor_lists_make(ctx, &graph, (int64_t)kept, &lists, &report));
    if (kept > (double)report.k) return VEL_ENONE;
    if (vel_tally_walks_ties(s)) VEL_TRY(both_ways(ctx, &lists, &lists));
    vel_graph_source source = {.lists = &lists, .hops = (int64_t)hops_of(s)};
    t->bound = (double)vel_graph_bound(&source);
    return sample(ctx, &lists, source.hops, &t->reach, &t->most_reach);
}

static bool is_made(const vel_tally *t, const vel_planned *before, const char *path) {
    for (const vel_planned *s = t->plan->steps; s < before; s++)
        for (int k = 0; k < s->n_writes; k++)
            if (s->writes[k].likely && vel_key_covers(s->writes[k].path, path)) return true;
    return false;
}

/* From the neighbour graph of the file; false if that cannot be. */
static bool walk_in_file(vel_tally *t, const vel_planned *s) {
    static const char path[] = "obsp/distances";
    if (!t->ad || !vel_store_of(t->ad) || t->ctx->message[0] || is_made(t, s, path)) return false;
    if (vel_entry_of(t->ad, path).kind != VEL_SPARSE) return false;
    vel_field f;
    vel_mark mark = vel_arena_mark(t->ctx->scratch);
    vel_err e = vel_peek(t->ctx, t->ad, path, NULL, &f);
    if (!e && (f.rows != f.cols || f.rows == 0)) e = VEL_ESHAPE;
    if (!e) e = walk(t->ctx, s, &f, t);
    if (e) t->ctx->message[0] = 0; /* the step will say it */
    vel_field_free(&f);
    vel_arena_release(t->ctx->scratch, mark);
    vel_arena_trim(t->ctx->scratch);
    return !e;
}

/* By the number of neighbours alone. A limit takes all ways to lead elsewhere. */
static void foretell(vel_tally *t, const vel_planned *s) {
    bool ties = vel_tally_walks_ties(s);
    double k = fmax(t->n_neighbors - 1, 0), kept = k;
    if (vel_option_number(s, "n_neighbors", &kept) && kept > t->n_neighbors)
        k = t->sought = fmin(kept, t->n_obs);
    else if (kept > 0)
        k = fmin(k, kept);
    double each = k * (ties ? BOTH : 1), most_each = k * (ties ? MOST_BOTH : 1), hops = hops_of(s), most = most_each;
    t->reach = hops < 1 ? 0 : fmin(each, t->n_obs);
    t->most_reach = hops < 1 ? 0 : fmin(most_each, t->n_obs);
    for (int hop = 2; hop <= hops && hop <= MOST_HOPS; hop++) {
        double by = ties && hop == 2 ? OF_HUBS : 1, ways = by * each * t->reach, root = sqrt(ways / by / t->n_obs);
        t->reach = fmax(t->reach, fmin(ways / (1 + MEET * root * sqrt(sqrt(root))), t->n_obs));
        most *= by * most_each;
        t->most_reach = fmin(t->most_reach + most, t->n_obs);
    }
    if (hops > MOST_HOPS) t->most_reach = t->n_obs;
    t->bound = t->most_reach + 1;
}

void vel_tally_walk(vel_tally *t, const vel_planned *s) {
    bool any = false;
    double chosen;
    t->reach = t->most_reach = t->bound = t->sought = 0;
    for (int k = 0; k < s->n_writes; k++) any |= s->writes[k].key->shape == VEL_OBS_HOPS;
    if (!any) return;
    if (!walk_in_file(t, s)) foretell(t, s);
    if (!vel_option_number(s, "random_neighbors_at_max", &chosen)) return;
    t->reach = fmin(t->reach, chosen);
    t->most_reach = fmin(t->most_reach, chosen);
    t->bound = fmin(t->bound, chosen);
}

double vel_tally_rows_at_once(const vel_tally *t) {
    return fmin((double)vel_csr_rows_a_run(t->threads, (int64_t)t->n_obs, (int64_t)fmin(t->bound, 0x1p40)), t->n_obs);
}

double vel_tally_bytes_at_once(const vel_tally *t, double reach) {
    return reach > 0 ? vel_tally_rows_at_once(t) * reach * (sizeof(int32_t) + sizeof(float)) : 0;
}
