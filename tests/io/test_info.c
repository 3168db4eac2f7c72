#include "io/info.h"

#include <jansson.h>

#include "tests/io/files.h"

static vel_adata *example(files *f) {
    vel_adata *ad;
    vel_field *x;
    OK(f, vel_adata_new(&f->ctx, CELLS, GENES, &ad));
    OK(f, vel_put_dense(&f->ctx, ad, "layers/Ms", VEL_F32, vel_matrix(CELLS, GENES), &x));
    OK(f, vel_put_sparse(&f->ctx, ad, "X", VEL_F64, vel_matrix(CELLS, GENES), 2, &x));
    memcpy(x->indptr, (int64_t[]){0, 1, 1, 1, 2}, sizeof(int64_t[CELLS + 1]));
    OK(f, vel_put_int(&f->ctx, ad, "uns/neighbors/params/n_neighbors", 30));
    OK(f, vel_put_text(&f->ctx, ad, "uns/velocity_params/mode", "stochastic"));
    OK(f, vel_put_bool(&f->ctx, ad, "uns/recover_dynamics/use_raw", false));
    OK(f, vel_put_text(&f->ctx, ad, "uns/vel/steps/moments/mode", "connectivities"));
    OK(f, vel_put_texts(&f->ctx, ad, "uns/clusters_colors", cell_names, CELLS));
    return ad;
}

static char *told(files *f, vel_adata *ad, bool json) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    OK(f, vel_info(&f->ctx, ad, json, out));
    fclose(out);
    return text;
}

static void json_tells_shape_fields_and_parameters(void **state) {
    files *f = *state;
    vel_adata *ad = example(f);
    char *text = told(f, ad, true);
    json_t *all = json_loads(text, 0, NULL);
    assert_non_null(all);
    assert_int_equal(json_integer_value(json_object_get(all, "n_obs")), CELLS);
    json_t *row, *computed = json_object_get(all, "computed"), *fields = json_object_get(all, "fields");
    size_t i, stored = 0;
    json_array_foreach(fields, i, row) {
        if (strcmp(json_string_value(json_object_get(row, "path")), "X") != 0) continue;
        stored = (size_t)json_integer_value(json_object_get(row, "stored"));
        assert_string_equal(json_string_value(json_object_get(row, "encoding")), "csr_matrix");
        assert_string_equal(json_string_value(json_object_get(row, "dtype")), "float64");
        assert_int_equal(json_integer_value(json_array_get(json_object_get(row, "shape"), 1)), GENES);
    }
    assert_int_equal(stored, 2);
    json_t *neighbors = json_object_get(computed, "neighbors/params");
    assert_int_equal(json_integer_value(json_object_get(neighbors, "n_neighbors")), 30);
    json_t *steps = json_object_get(json_object_get(computed, "vel"), "steps");
    json_t *mode = json_object_get(json_object_get(steps, "moments"), "mode");
    assert_string_equal(json_string_value(mode), "connectivities");
    assert_true(json_is_false(json_object_get(json_object_get(computed, "recover_dynamics"), "use_raw")));
    assert_null(json_object_get(computed, "clusters_colors"));
    json_decref(all);
    free(text);
    vel_adata_free(ad);
}

static void the_text_names_every_field_and_parameter(void **state) {
    files *f = *state;
    vel_adata *ad = example(f);
    static const char *const words[] = {"4 cells x 3 genes", "layers/Ms",         "csr_matrix",     "2 stored",
                                        "n_neighbors = 30",  "mode = stochastic", "use_raw = false"};
    char *text = told(f, ad, false);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) assert_non_null(strstr(text, words[i]));
    free(text);
    vel_adata_free(ad);
}

static void names_that_are_no_utf8_and_the_largest_integers_are_told(void **state) {
    files *f = *state;
    vel_adata *ad;
    vel_field *x;
    OK(f, vel_adata_new(&f->ctx, CELLS, GENES, &ad));
    OK(f, vel_put_dense(&f->ctx, ad, "uns/\xe9_params/largest", VEL_U64, vel_scalar(), &x));
    *(uint64_t *)x->data = UINT64_MAX;
    OK(f, vel_put_text(&f->ctx, ad, "uns/\xe9_params/caf\xe9", "\xe9"));
    char *text = told(f, ad, true);
    json_t *all = json_loads(text, 0, NULL);
    json_t *params = json_object_get(json_object_get(all, "computed"), "\xef\xbf\xbd_params");
    assert_true(json_number_value(json_object_get(params, "largest")) == 0x1p64);
    assert_string_equal(json_string_value(json_object_get(params, "caf\xef\xbf\xbd")), "\xef\xbf\xbd");
    json_decref(all);
    free(text);
    vel_adata_free(ad);
}

static void an_output_that_fails_is_an_error(void **state) {
    files *f = *state;
    vel_adata *ad = example(f);
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(vel_info(&f->ctx, ad, true, full), VEL_EWRITE);
    assert_int_equal(vel_info(&f->ctx, ad, false, full), VEL_EWRITE);
    fclose(full);
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(json_tells_shape_fields_and_parameters),
        FILES_CLAIM(the_text_names_every_field_and_parameter),
        FILES_CLAIM(names_that_are_no_utf8_and_the_largest_integers_are_told),
        FILES_CLAIM(an_output_that_fails_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
