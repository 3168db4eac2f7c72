#include "bench/program.h"

#include "tests/bench/made.h"

static char *list_of(bench_set set, const char *only, double scale, bool json, vel_err expected) {
    vel_ctx *ctx = made_ctx();
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    const bench_command command = {.request = {.set = set, .only = only, .scale = scale}, .json = json, .list = true};
    assert_int_equal(bench_list(ctx, out, &command), expected);
    fclose(out);
    made_ctx_free(ctx);
    return text;
}

static void a_line_a_bench_and_its_name_first(void **state) {
    char *text = list_of(BENCH_SET_QUICK, NULL, 1, false, VEL_OK);
    int lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char name[64];
        assert_int_equal(sscanf(line, "%63s", name), 1);
        bool known = false;
        for (int i = 0; i < bench_n_rows; i++) known = known || strcmp(bench_rows[i].name, name) == 0;
        assert_true(known);
        assert_null(strstr(line, "scaled"));
        lines++;
    }
    assert_int_equal(lines, 7);
    free(text);
    (void)state;
}

static void a_scaled_list_says_so(void **state) {
    char *text = list_of(BENCH_SET_QUICK, "speed_velocity_20k", 0.05, false, VEL_OK);
    assert_non_null(strstr(text, "1000 x 100"));
    assert_non_null(strstr(text, "(scaled)"));
    free(text);
    (void)state;
}

static void json_has_an_object_a_line(void **state) {
    char *text = list_of(BENCH_SET_VENDOR, NULL, 1, true, VEL_OK);
    int objects = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) objects += line[0] == '{';
    assert_int_equal(objects, 5);
    free(text);
    (void)state;
}

static void nothing_to_list_is_wrong_usage(void **state) {
    free(list_of(BENCH_SET_QUICK, "nothing", 1, false, VEL_EUSAGE));
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_a_bench_and_its_name_first),
        cmocka_unit_test(a_scaled_list_says_so),
        cmocka_unit_test(json_has_an_object_a_line),
        cmocka_unit_test(nothing_to_list_is_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
