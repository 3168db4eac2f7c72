/* report.h - a parity report for people (a table on a stream) and for programs (JSON). */
#ifndef VEL_VERIFY_REPORT_H
#define VEL_VERIFY_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "verify/parity.h"

typedef struct {
    const char *reference, *result; /* the files */
    vel_strictness strictness;
    bool colour;
} vel_report_style;

const char *vel_strictness_name(vel_strictness s); /* "spec", "loose", "exact" */
const char *vel_verdict_name(vel_verdict v);       /* "PASS", "DRIFT", "MISSING", "SHAPE" */

/* One line a field, the worst genes and cells of those that drift, the verdict as the last line. */
void vel_report_table(FILE *out, const vel_parity *p, const vel_report_style *style);

/* The whole report; the caller gives it back with json_decref. NaN and infinities are null. NULL: out of memory. */
json_t *vel_report_json(const vel_parity *p, const vel_report_style *style);

/* The report of a comparison that did not come about: the verdict ERROR, why, and no fields. */
json_t *vel_report_failure_json(const char *why, const vel_report_style *style);

#endif
