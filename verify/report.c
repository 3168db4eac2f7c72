#include "verify/report.h"

#include <string.h>

#include "io/json.h"

const char *vel_strictness_name(vel_strictness s) {
    static const char *const names[] = {[VEL_SPEC] = "spec", [VEL_LOOSE] = "loose", [VEL_EXACT] = "exact"};
    return names[s];
}

const char *vel_verdict_name(vel_verdict v) {
    static const char *const names[] = {
        [VEL_AGREES] = "PASS", [VEL_DRIFTS] = "DRIFT", [VEL_LACKS] = "MISSING", [VEL_MISSHAPEN] = "SHAPE"};
    return names[v];
}

static const char *verdict_of(const vel_parity *p) { return vel_parity_passes(p) ? "PASS" : "DRIFT"; }

/* ---- for people */

static const char *paint(const vel_report_style *style, bool good) {
    if (!style->colour) return "";
    return good ? "\033[32m" : "\033[31m";
}

static const char *unpaint(const vel_report_style *style) { return style->colour ? "\033[0m" : ""; }

static void print_tolerance(FILE *out, const vel_comparison *c) {
    if (!c->numeric || c->tolerance.bits)
        fprintf(out, "equal%s", c->numeric ? " bits" : "");
    else if (c->tolerance.atol == 0 && c->tolerance.rtol == 0)
        fprintf(out, "equal values");
    else
        fprintf(out, "atol %.2g rtol %.2g", c->tolerance.atol, c->tolerance.rtol);
}

static void print_figures(FILE *out, const vel_comparison *c) {
    double share = c->gap.n ? 100.0 * (double)c->gap.same_bits / (double)c->gap.n : 100;
    fprintf(out, "%10lld %9lld ", (long long)c->gap.n, (long long)c->gap.outside);
    if (c->numeric)
        fprintf(out, "%9.2e %9.2e ", c->gap.max_abs, c->gap.max_rel);
    else
        fprintf(out, "%9s %9s ", "-", "-");
    fprintf(out, "%8.3f  ", share);
    print_tolerance(out, c);
}

static void print_worst(FILE *out, const char *what, const vel_worst *w, int n) {
    if (!n) return;
    fprintf(out, "         worst %s:", what);
    for (int k = 0; k < n; k++) {
        fprintf(out, k ? ", " : " ");
        if (w[k].name)
            fprintf(out, "%s", w[k].name);
        else
            fprintf(out, "[%lld]", (long long)w[k].index);
        fprintf(out, " (%lld outside, max_abs %.2e)", (long long)w[k].outside, w[k].max_abs);
    }
    fprintf(out, "\n");
}

static void print_field(FILE *out, const vel_outcome *o, int width, const vel_report_style *style) {
    const vel_comparison *c = &o->got;
    fprintf(out, "%s%-7s%s  %-*s ", paint(style, c->verdict == VEL_AGREES), vel_verdict_name(c->verdict),
            unpaint(style), width, o->path);
    if (c->verdict == VEL_LACKS)
        fprintf(out, "the reference has it, the result lacks it");
    else
        print_figures(out, c);
    fprintf(out, "\n");
    if (c->verdict == VEL_AGREES) return;
    if (c->gap.nan_differs)
        fprintf(out, "         NaN in one file only: %lld elements\n", (long long)c->gap.nan_differs);
    if (c->why[0]) fprintf(out, "         %s\n", c->why);
    print_worst(out, "genes", o->genes, o->n_genes);
    print_worst(out, "cells", o->cells, o->n_cells);
}

void vel_report_table(FILE *out, const vel_parity *p, const vel_report_style *style) {
    int width = 5;
    for (int64_t i = 0; i < p->n; i++)
        if ((int)strlen(p->outcomes[i].path) > width) width = (int)strlen(p->outcomes[i].path);
    if (p->n)
        fprintf(out, "%-7s  %-*s %10s %9s %9s %9s %8s  %s\n", "", width, "field", "elements", "outside", "max_abs",
                "max_rel", "% bits", "allowed");
    for (int64_t i = 0; i < p->n; i++) print_field(out, &p->outcomes[i], width, style);
    if (p->why[0]) fprintf(out, "%s\n", p->why);
    if (!p->n && !p->why[0]) fprintf(out, "nothing to compare: the reference has no field that these steps write\n");
    fprintf(out, "%s%s%s  %lld/%lld fields (%s)\n", paint(style, vel_parity_passes(p)), verdict_of(p), unpaint(style),
            (long long)p->passed, (long long)p->n, vel_strictness_name(style->strictness));
}

/* ---- for programs */

static json_t *json_worst(const vel_worst *w, int n) {
    json_t *list = json_array();
    for (int k = 0; k < n; k++)
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:I, s:o}", "name", vel_json_text(w[k].name), "index", (json_int_t)w[k].index,
                            "outside", (json_int_t)w[k].outside, "max_abs", vel_json_real(w[k].max_abs)));
    return list;
}

static json_t *json_field(const vel_outcome *o) {
    const vel_comparison *c = &o->got;
    const vel_gap *g = &c->gap;
    json_t *field = json_pack("{s:o, s:s, s:s, s:o}", "field", vel_json_text(o->path), "step", o->step, "verdict",
                              vel_verdict_name(c->verdict), "why", vel_json_text(c->why[0] ? c->why : NULL));
    if (!field || c->verdict == VEL_LACKS) return field;
    json_t *figures =
        json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "elements", (json_int_t)g->n, "outside", (json_int_t)g->outside,
                  "nan_differs", (json_int_t)g->nan_differs, "same_bits", (json_int_t)g->same_bits, "max_abs",
                  c->numeric ? vel_json_real(g->max_abs) : json_null(), "max_rel",
                  c->numeric ? vel_json_real(g->max_rel) : json_null());
    json_object_update_new(field, figures);
    json_object_set_new(
        field, "tolerance",
        json_pack("{s:o, s:o, s:b, s:f}", "atol", vel_json_real(c->tolerance.atol), "rtol",
                  vel_json_real(c->tolerance.rtol), "bits", c->tolerance.bits, "outliers", c->tolerance.outliers));
    json_object_set_new(field, "worst_genes", json_worst(o->genes, o->n_genes));
    json_object_set_new(field, "worst_cells", json_worst(o->cells, o->n_cells));
    return field;
}

static json_t *json_report(const vel_report_style *style, const char *verdict, const char *why, json_t *fields) {
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o}", "reference", vel_json_text(style->reference), "result",
                     vel_json_text(style->result), "tolerance", vel_strictness_name(style->strictness), "verdict",
                     verdict, "why", vel_json_text(why), "fields", fields);
}

json_t *vel_report_json(const vel_parity *p, const vel_report_style *style) {
    json_t *fields = json_array();
    for (int64_t i = 0; i < p->n; i++) json_array_append_new(fields, json_field(&p->outcomes[i]));
    json_t *report = json_report(style, verdict_of(p), p->why[0] ? p->why : NULL, fields);
    if (!report) return NULL;
    json_object_set_new(report, "passed", json_integer((json_int_t)p->passed));
    json_object_set_new(report, "total", json_integer((json_int_t)p->n));
    return report;
}

json_t *vel_report_failure_json(const char *why, const vel_report_style *style) {
    return json_report(style, "ERROR", why, json_array());
}
