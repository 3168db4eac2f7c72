#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "io/packing.h"
#include "pipelines/estimate_impl.h"

/* Measured: what a process takes before it has any data, and for each worker. */
enum { BASE = 141 << 17, WORKER = 1 << 19 };
/* What writing of what lies in a scratch file takes. */
enum { WRITING = 1 << 19 };
/* Of each worker that compresses, chunks on their way and its tables. */
enum { PACKER = 3 << 18 };
/* A cell's name, as it is looked at, and more when it is carried over; that of a gene, with the columns of var. */
enum { NAME = 60, NAME_CARRIED = 30, GENE = 160 };

/* Room for what is foretold too low, a share of it and some bytes, more where a chain of steps leaves something behind:
 * a limit must hold. */
#define MARGIN 1.02
enum { SPARE = 3 << 19, SPARE_OF_CHAIN = 7 << 18 };

static double packing(const vel_tally *t) {
    return t->plan->packs ? VEL_PACKED_AT_ONCE + (double)PACKER * t->threads : 0;
}

/* All fields are there, or with layers in a scratch file one after the other. */
static void count_writing(vel_tally *t, const char *last) {
    double names = NAME_CARRIED * t->n_obs, moved = vel_tally_carrying(t, t->kept),
           most = vel_tally_carrying(t, t->most_kept);
    vel_tally_note(t->lasting + vel_tally_resident(t) + moved + names, last, &t->peak, &t->e->peak_step);
    t->sure = fmax(t->sure, t->lasting + vel_tally_most_resident(t) + most + names);
    for (int i = 0; i < t->n_fields; i++) most = fmax(most, vel_tally_writing(t, &t->fields[i]));
    most += WRITING + packing(t) + names;
    vel_tally_note(vel_tally_small_fields(t) + t->lasting + most, "writing", &t->least, &t->e->least_step);
}

/* The neighbours that the file's own graph has. */
static double neighbors_in(const vel_adata *ad) {
    vel_entry e = vel_entry_of(ad, "obsp/distances");
    return e.kind == VEL_SPARSE && e.rows ? round((double)e.stored / (double)e.rows) + 1 : 30;
}

/* Beyond 2^62, as a damaged file may claim, it is all the same. */
static int64_t whole(double bytes) { return (int64_t)fmin(bytes, 0x1p62); }

static int64_t with_room(const vel_plan *plan, int64_t bytes) {
    return (int64_t)(MARGIN * (double)bytes) + (plan->n_steps > 1 ? SPARE_OF_CHAIN : SPARE);
}

/* Cells, genes and neighbours at the start. */
static void begin(vel_tally *t) {
    if (t->ad) {
        t->n_obs = (double)vel_n_obs(t->ad);
        t->n_vars = (double)vel_n_vars(t->ad);
        t->n_neighbors = neighbors_in(t->ad);
    } else if (t->plan->n_steps) {
        vel_option_number(&t->plan->steps[0], "n_obs", &t->n_obs);
        vel_option_number(&t->plan->steps[0], "n_vars", &t->n_vars);
    }
    t->e->n_obs = (int64_t)t->n_obs;
    t->e->n_vars = (int64_t)t->n_vars;
}

vel_estimate vel_estimate_make(vel_ctx *ctx, const vel_adata *ad, const vel_plan *plan) {
    vel_estimate e = {.peak_step = "reading", .least_step = "reading"};
    vel_tally t = {.ctx = ctx, .ad = ad, .plan = plan, .threads = ctx->threads, .n_neighbors = 30, .e = &e};
    begin(&t);
    for (int i = 0; i < plan->n_steps; i++) vel_tally_step(&t, &plan->steps[i]);
    if (plan->n_steps) count_writing(&t, plan->steps[plan->n_steps - 1].call.step->name);
    int64_t base = BASE + (int64_t)WORKER * ctx->threads + NAME * e.n_obs + GENE * e.n_vars;
    double packed = packing(&t); /* beside the pages that steps have left, if these lie in no scratch file */
    e.inputs = whole(t.inputs);
    e.results = whole(t.results);
    e.peak = whole(t.peak + packed) + base;
    e.sure = with_room(plan, whole(t.sure + packed) + base);
    e.least = vel_bytes_up(with_room(plan, whole(fmin(t.least + t.spilled_tables, t.sure + packed)) + base));
    return e;
}

vel_err vel_estimate_check(vel_ctx *ctx, const vel_estimate *e, bool *spill) {
    *spill = ctx->max_memory && e->sure > ctx->max_memory;
    if (!*spill || e->least <= ctx->max_memory) return VEL_OK;
    char need[16], allowed[16];
    return vel_fail(ctx, VEL_EBUDGET, "at least %s of memory would be needed (in %s), --max-memory allows %s",
                    vel_bytes_text(e->least, need), e->least_step, vel_bytes_text(ctx->max_memory, allowed));
}

char *vel_bytes_text(int64_t bytes, char text[16]) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double x = (double)bytes;
    int unit = 0;
    while (x >= 999.5 && unit < 5) x /= 1000, unit++;
    snprintf(text, 16, unit && x < 9.995 ? "%.2f %s" : unit && x < 99.95 ? "%.1f %s" : "%.0f %s", x, units[unit]);
    return text;
}

int64_t vel_bytes_up(int64_t bytes) {
    int64_t step = 1;
    while (bytes / step >= 1000) step *= 10;
    return bytes + (bytes % step ? step - bytes % step : 0);
}

bool vel_bytes_parse(const char *text, int64_t *bytes) {
    static const char letters[] = "kmgtp";
    char *end;
    double x = vel_decimal_read(text, &end);
    if (end == text || !(x > 0)) return false;
    if (*end == ' ' && end[1]) end++;
    const char *letter = *end ? strchr(letters, *end | 0x20) : NULL;
    if (letter) {
        end++;
        double unit = *end == 'i' ? 1024 : 1000;
        for (int i = 0; i <= letter - letters; i++) x *= unit;
        if (*end == 'i') end++;
    }
    if (*end == 'B' || *end == 'b') end++;
    if (*end || x >= 9e18) return false;
    *bytes = (int64_t)round(x);
    return *bytes > 0;
}
