#include "bench/data.h"

#include <jansson.h>
#include <unistd.h>

#include "bench/files.h"
#include "io/h5ad.h"
#include "tests/bench/made.h"

static char *listed(const char *folder, bool json) {
    vel_ctx *ctx = made_ctx();
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    assert_int_equal(bench_data_list(ctx, out, folder, json), VEL_OK);
    fclose(out);
    made_ctx_free(ctx);
    return text;
}

static void every_workflow_names_its_file_source_and_shape(void **state) {
    char *text = listed(NULL, false);
    int workflows = 0;
    for (int i = 0; i < bench_n_rows; i++)
        if (bench_rows[i].kind == BENCH_VENDOR) {
            assert_non_null(strstr(text, bench_rows[i].name));
            workflows++;
        }
    assert_int_equal(workflows, 5);
    assert_non_null(strstr(text, "endocrinogenesis_day15.h5ad"));
    assert_non_null(strstr(text, "https://"));
    assert_non_null(strstr(text, "3696 cells"));
    free(text);
    (void)state;
}

static void a_file_that_is_there_shows_its_real_shape_and_a_broken_one_why(void **state) {
    vel_ctx *ctx = made_ctx();
    char folder[64] = "/tmp/velbench-test-XXXXXX", path[128];
    vel_adata *ad;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/endocrinogenesis_day15.h5ad", folder);
    assert_int_equal(vel_adata_new(ctx, 7, 9, &ad), VEL_OK);
    assert_int_equal(vel_h5ad_write(ctx, ad, path), VEL_OK);
    vel_adata_free(ad);
    snprintf(path, sizeof path, "%s/pbmc68k.h5ad", folder);
    assert_int_equal(bench_write_whole(ctx, path, "no HDF5", 7), VEL_OK);
    char *text = listed(folder, true);
    json_t *list = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(json_array_size(list), 5);
    size_t i;
    json_t *entry;
    int there = 0, broken = 0;
    json_array_foreach(list, i, entry) {
        const json_t *found = json_object_get(entry, "found");
        there += json_is_true(json_object_get(entry, "there"));
        broken += json_is_string(json_object_get(entry, "error"));
        if (json_is_object(found)) assert_int_equal(json_integer_value(json_object_get(found, "cells")), 7);
    }
    assert_true(there == 2 && broken == 1);
    json_decref(list);
    free(text);
    bench_remove_folder(folder);
    made_ctx_free(ctx);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workflow_names_its_file_source_and_shape),
        cmocka_unit_test(a_file_that_is_there_shows_its_real_shape_and_a_broken_one_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
