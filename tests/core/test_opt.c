#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/opt.h"

typedef struct {
    bool flag;
    int64_t count;
    double share;
    const char *mode, *column;
    vel_value any, word, perhaps, most, least;
    int64_t few;
    double level;
    vel_value rate, limit, hops;
} options;

static const vel_opt rows[] = {
    VEL_OPT(options, flag, VEL_OBOOL, "false", NULL, ""),
    VEL_OPT(options, count, VEL_OINT, "30", NULL, ""),
    VEL_OPT(options, share, VEL_OREAL, "0.5", NULL, ""),
    VEL_OPT(options, mode, VEL_OTEXT, "fast", "fast|exact", ""),
    VEL_OPT(options, column, VEL_OTEXT, "none", NULL, ""),
    VEL_OPT(options, any, VEL_OANY, "none", NULL, ""),
    VEL_OPT(options, word, VEL_OANY, "none", "all|few", ""),
    VEL_OPT(options, perhaps, VEL_OSWITCH, "true", NULL, ""),
    VEL_OPT(options, most, VEL_OCOUNT, "30", NULL, ""),
    VEL_OPT(options, least, VEL_ONUMBER, "0.01", NULL, ""),
    VEL_OPT(options, few, VEL_OINT, "3", "2 to 5", ""),
    VEL_OPT(options, level, VEL_OREAL, "99", "0 to 100", ""),
    VEL_OPT(options, rate, VEL_ONUMBER, "none", "above 0", ""),
    VEL_OPT(options, limit, VEL_ONUMBER, "none", "0 to inf", ""),
    VEL_OPT(options, hops, VEL_OCOUNT, "none", "at least -1", ""),
    {0},
};

static vel_ctx ctx;

static int setup(void **state) {
    (void)state;
    ctx = (vel_ctx){.scratch = vel_arena_new(), .threads = 1};
    return ctx.scratch == NULL;
}

static int teardown(void **state) {
    (void)state;
    vel_arena_free(ctx.scratch);
    return 0;
}

static vel_value text(const char *s) { return (vel_value){.kind = VEL_VTEXT, .text = s}; }
static vel_value integer(int64_t x) { return (vel_value){.kind = VEL_VINT, .integer = x, .real = (double)x}; }
static vel_value real(double x) { return (vel_value){.kind = VEL_VREAL, .real = x}; }
static vel_value none(void) { return (vel_value){.kind = VEL_VNONE}; }
static vel_value truth(bool b) { return (vel_value){.kind = VEL_VBOOL, .boolean = b}; }

static vel_err set(options *o, const char *name, vel_value v) {
    ctx.message[0] = 0;
    return vel_opt_set(&ctx, vel_opt_find(rows, name), &v, o);
}

static void dashes_and_underscores_are_the_same(void **state) {
    (void)state;
    static const vel_opt dashed[] = {{"n_neighbors", VEL_OINT, 0, "30", NULL, ""}, {0}};
    assert_ptr_equal(vel_opt_find(dashed, "n-neighbors"), &dashed[0]);
    assert_ptr_equal(vel_opt_find(dashed, "n_neighbors"), &dashed[0]);
    assert_null(vel_opt_find(dashed, "n_neighbours"));
    assert_null(vel_opt_find(NULL, "n_neighbors"));
}

static void the_nearest_name_is_found_and_far_ones_are_not(void **state) {
    (void)state;
    assert_string_equal(vel_opt_nearest(rows, "cuont")->name, "count");
    assert_string_equal(vel_opt_nearest(rows, "sharee")->name, "share");
    assert_null(vel_opt_nearest(rows, "temperature"));
}

static void a_value_goes_where_the_row_says_and_comes_back(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "flag", truth(true)), VEL_OK);
    assert_int_equal(set(&o, "count", integer(7)), VEL_OK);
    assert_int_equal(set(&o, "share", integer(2)), VEL_OK);
    assert_int_equal(set(&o, "mode", text("exact")), VEL_OK);
    assert_int_equal(set(&o, "any", text("x")), VEL_OK);
    assert_true(o.flag && o.count == 7 && o.share == 2.0);
    assert_string_equal(o.mode, "exact");
    assert_int_equal(vel_opt_get(&rows[1], &o).integer, 7);
    assert_true(vel_opt_get(&rows[0], &o).boolean);
    assert_string_equal(vel_opt_get(&rows[5], &o).text, "x");
}

static void an_integral_real_is_a_whole_number(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "count", real(1e3)), VEL_OK);
    assert_int_equal(o.count, 1000);
    assert_int_equal(set(&o, "count", real(2.5)), VEL_EUSAGE);
    assert_int_equal(set(&o, "count", real(1e300)), VEL_EUSAGE);
    assert_int_equal(set(&o, "count", real(NAN)), VEL_EUSAGE);
}

static void none_is_taken_only_where_it_is_the_default(void **state) {
    (void)state;
    options o = {.column = "x"};
    assert_int_equal(set(&o, "column", none()), VEL_OK);
    assert_null(o.column);
    assert_true(vel_opt_get(&rows[4], &o).kind == VEL_VNONE);
    assert_int_equal(set(&o, "mode", none()), VEL_EUSAGE);
    assert_int_equal(set(&o, "count", none()), VEL_EUSAGE);
}

static void a_refusal_names_option_expected_and_found(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "mode", text("slow")), VEL_EUSAGE);
    assert_non_null(strstr(ctx.message, "mode"));
    assert_non_null(strstr(ctx.message, "fast|exact"));
    assert_non_null(strstr(ctx.message, "slow"));
    assert_int_equal(set(&o, "mode", text("fas")), VEL_EUSAGE);
    assert_int_equal(set(&o, "flag", integer(1)), VEL_EUSAGE);
    assert_int_equal(set(&o, "word", text("some")), VEL_EUSAGE);
    assert_int_equal(set(&o, "word", integer(3)), VEL_OK);
}

static void what_may_be_none_takes_none_whatever_the_default_is(void **state) {
    (void)state;
    static const char *const names[] = {"perhaps", "most", "least"};
    for (int i = 0; i < 3; i++) {
        options o = {.perhaps = truth(true), .most = integer(1), .least = integer(1)};
        assert_int_equal(set(&o, names[i], none()), VEL_OK);
        assert_true(vel_opt_get(vel_opt_find(rows, names[i]), &o).kind == VEL_VNONE);
        assert_int_equal(set(&o, names[i], text("banana")), VEL_EUSAGE);
        assert_non_null(strstr(ctx.message, names[i]));
        assert_non_null(strstr(ctx.message, ", or none, found banana"));
    }
}

static void a_switch_takes_no_number_and_a_number_no_switch(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "perhaps", truth(false)), VEL_OK);
    assert_true(vel_is_false(&o.perhaps));
    assert_int_equal(set(&o, "perhaps", integer(1)), VEL_EUSAGE);
    assert_int_equal(set(&o, "least", real(2.5)), VEL_OK);
    assert_true(o.least.real == 2.5);
    assert_int_equal(set(&o, "least", truth(true)), VEL_EUSAGE);
    assert_int_equal(set(&o, "most", real(2.5)), VEL_EUSAGE);
    assert_int_equal(set(&o, "most", real(1e3)), VEL_OK);
    assert_true(o.most.kind == VEL_VINT && o.most.integer == 1000 && o.most.real == 1000);
}

static void infinity_is_a_number_and_nan_is_none(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "share", real(INFINITY)), VEL_OK);
    assert_int_equal(set(&o, "share", real(NAN)), VEL_EUSAGE);
    assert_int_equal(set(&o, "least", real(-INFINITY)), VEL_OK);
    assert_int_equal(set(&o, "least", real(NAN)), VEL_EUSAGE);
}

static void a_range_has_both_its_ends_and_nothing_beyond(void **state) {
    (void)state;
    const struct {
        const char *name;
        double x;
        bool within;
    } tries[] = {{"few", 2, true},          {"few", 5, true},     {"few", 1, false},         {"few", 6, false},
                 {"level", 0, true},        {"level", 100, true}, {"level", -1e-300, false}, {"level", 100.5, false},
                 {"rate", 1e-300, true},    {"rate", 0, false},   {"rate", INFINITY, false}, {"rate", -INFINITY, false},
                 {"hops", -1, true},        {"hops", 1e9, true},  {"hops", -2, false},       {"hops", INFINITY, false},
                 {"limit", INFINITY, true}, {"limit", 0, true},   {"limit", -1, false}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        options o = {0};
        if ((set(&o, tries[i].name, real(tries[i].x)) == VEL_OK) != tries[i].within)
            fail_msg("%s=%g: %s", tries[i].name, tries[i].x, ctx.message);
    }
}

static void a_number_out_of_range_is_told_with_the_range(void **state) {
    (void)state;
    options o = {0};
    assert_int_equal(set(&o, "few", integer(7)), VEL_EUSAGE);
    assert_string_equal(ctx.message, "option few takes a whole number, 2 to 5, found 7");
    assert_int_equal(set(&o, "rate", real(-2.5)), VEL_EUSAGE);
    assert_string_equal(ctx.message, "option rate takes a number, above 0, or none, found -2.5");
    ctx.message[0] = 0;
    assert_int_equal(vel_opt_refuse(&ctx, "t_max", "false or a number", &(vel_value){.kind = VEL_VNONE}), VEL_EUSAGE);
    assert_string_equal(ctx.message, "option t_max takes false or a number, found none");
    assert_string_equal(vel_opt_range(vel_opt_find(rows, "few")), "2 to 5");
    assert_null(vel_opt_range(vel_opt_find(rows, "mode")));
    assert_null(vel_opt_range(vel_opt_find(rows, "count")));
}

static void a_number_can_name_a_column(void **state) {
    (void)state;
    options o = {0};
    vel_value v = integer(1);
    v.text = "01";
    assert_int_equal(set(&o, "column", v), VEL_OK);
    assert_string_equal(o.column, "01");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dashes_and_underscores_are_the_same),
        cmocka_unit_test(the_nearest_name_is_found_and_far_ones_are_not),
        cmocka_unit_test(a_value_goes_where_the_row_says_and_comes_back),
        cmocka_unit_test(an_integral_real_is_a_whole_number),
        cmocka_unit_test(none_is_taken_only_where_it_is_the_default),
        cmocka_unit_test(a_refusal_names_option_expected_and_found),
        cmocka_unit_test(what_may_be_none_takes_none_whatever_the_default_is),
        cmocka_unit_test(a_switch_takes_no_number_and_a_number_no_switch),
        cmocka_unit_test(infinity_is_a_number_and_nan_is_none),
        cmocka_unit_test(a_range_has_both_its_ends_and_nothing_beyond),
        cmocka_unit_test(a_number_out_of_range_is_told_with_the_range),
        cmocka_unit_test(a_number_can_name_a_column),
    };
    return cmocka_run_group_tests_name("core/opt", tests, setup, teardown);
}
