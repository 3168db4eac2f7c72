#include "verify/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/verify/fixture.h"

static vel_worst gene = {.name = "Actb", .index = 2, .outside = 1, .max_abs = 0.5};
static vel_outcome outcomes[] = {
    {.path = "layers/Ms", .step = "moments", .got = {.numeric = true, .gap = {.n = 12, .same_bits = 12}}},
    {.path = "var/fit_alpha",
     .step = "recover_dynamics",
     .got = {.verdict = VEL_DRIFTS,
             .numeric = true,
             .gap = {.n = 4, .outside = 1, .same_bits = 3, .max_abs = INFINITY, .max_rel = INFINITY}},
     .genes = &gene,
     .n_genes = 1},
    {.path = "layers/velocity", .step = "velocity", .got = {.verdict = VEL_LACKS}},
};
static const vel_parity drift = {.outcomes = outcomes, .n = 3, .passed = 1};
static const vel_parity pass = {.outcomes = outcomes, .n = 1, .passed = 1};
static const vel_report_style style = {.reference = "a.h5ad", .result = "b.h5ad"};

static char *table_of(const vel_parity *p, const vel_report_style *s) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    vel_report_table(out, p, s);
    fclose(out);
    return text;
}

static void the_table_ends_with_the_verdict(void **state) {
    (void)state;
    char *text = table_of(&pass, &style);
    assert_non_null(strstr(text, "\nPASS  1/1 fields (spec)\n"));
    free(text);
    text = table_of(&drift, &style);
    assert_non_null(strstr(text, "\nDRIFT  1/3 fields (spec)\n"));
    assert_non_null(strstr(text, "Actb (1 outside, max_abs 5.00e-01)"));
    assert_non_null(strstr(text, "MISSING  layers/velocity"));
    assert_null(strchr(text, '\033'));
    free(text);
}

static void colours_come_only_when_asked_for(void **state) {
    (void)state;
    vel_report_style coloured = style;
    coloured.colour = true;
    char *text = table_of(&drift, &coloured);
    assert_non_null(strchr(text, '\033'));
    free(text);
}

static void json_holds_the_verdict_and_every_figure(void **state) {
    (void)state;
    json_t *report = vel_report_json(&drift, &style);
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "verdict")), "DRIFT");
    assert_int_equal(json_integer_value(json_object_get(report, "passed")), 1);
    assert_int_equal(json_integer_value(json_object_get(report, "total")), 3);
    json_t *fields = json_object_get(report, "fields"), *alpha = json_array_get(fields, 1);
    assert_int_equal(json_array_size(fields), 3);
    assert_string_equal(json_string_value(json_object_get(alpha, "field")), "var/fit_alpha");
    assert_int_equal(json_integer_value(json_object_get(alpha, "outside")), 1);
    assert_true(json_is_null(json_object_get(alpha, "max_abs")));
    json_t *worst = json_array_get(json_object_get(alpha, "worst_genes"), 0);
    assert_string_equal(json_string_value(json_object_get(worst, "name")), "Actb");
    json_decref(report);
}

/* A Latin-1 file name, a gene of a file that is, and a `why` that was cut inside a letter. */
static void texts_that_are_no_utf8_leave_nothing_out_of_the_json(void **state) {
    (void)state;
    vel_worst odd_gene = {.name = "\xdf-actin"};
    vel_outcome odd = {.path = "obs/\xe9tat",
                       .step = "moments",
                       .got = {.verdict = VEL_DRIFTS, .why = "\"\xc3", .tolerance = {.atol = INFINITY}},
                       .genes = &odd_gene,
                       .n_genes = 1};
    const vel_parity p = {.outcomes = &odd, .n = 1, .why = "\xe9 is only in the reference"};
    const vel_report_style odd_style = {.reference = "\xe9.h5ad", .result = "\xe9.h5ad"};
    json_t *report = vel_report_json(&p, &odd_style);
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "result")), "\xef\xbf\xbd.h5ad");
    assert_non_null(json_string_value(json_object_get(report, "why")));
    json_t *field = json_array_get(json_object_get(report, "fields"), 0);
    assert_string_equal(json_string_value(json_object_get(field, "field")), "obs/\xef\xbf\xbdtat");
    assert_string_equal(json_string_value(json_object_get(field, "why")), "\"\xef\xbf\xbd");
    assert_true(json_is_null(json_object_get(json_object_get(field, "tolerance"), "atol")));
    json_t *worst = json_array_get(json_object_get(field, "worst_genes"), 0);
    assert_string_equal(json_string_value(json_object_get(worst, "name")), "\xef\xbf\xbd-actin");
    json_decref(report);
    report = vel_report_failure_json("\xe9.h5ad cannot be read", &odd_style);
    assert_non_null(report);
    json_decref(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_ends_with_the_verdict),
        cmocka_unit_test(colours_come_only_when_asked_for),
        cmocka_unit_test(json_holds_the_verdict_and_every_figure),
        cmocka_unit_test(texts_that_are_no_utf8_leave_nothing_out_of_the_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
