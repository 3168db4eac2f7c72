#include "tests/io/files.h"

#include "io/h5_virtual.h"

/* layers/spliced of a.h5ad, whose elements lie in a dataset of another file. */
static void virtual_layer(files *f, const char *source, const char *object) {
    const hsize_t dims[] = {CELLS, GENES};
    hid_t file = bare_file(f->path), space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_virtual(list, space, source, object, space) >= 0);
    hid_t made = H5Dcreate2(file, "layers/spliced", H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(made >= 0);
    H5Dclose(made);
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
}

static void sevens(const char *path) {
    const hsize_t dims[] = {CELLS, GENES};
    float x[CELLS * GENES];
    for (int i = 0; i < CELLS * GENES; i++) x[i] = 7;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    array(file, "counts", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, dims, x);
    H5Fclose(file);
}

static void sources_that_are_there_are_read(void **state) {
    files *f = *state;
    const char *const sources[] = {"b.h5ad", f->other}; /* beside the file, by its full name */
    sevens(f->other);
    for (int i = 0; i < 2; i++) {
        vel_adata *ad;
        const vel_field *x;
        virtual_layer(f, sources[i], "counts");
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        OK(f, vel_get_matrix(&f->ctx, ad, "layers/spliced", &x));
        for (int k = 0; k < CELLS * GENES; k++) assert_true(((const float *)x->data)[k] == 7);
        vel_adata_free(ad);
    }
}

static void sources_that_are_missing_are_named(void **state) {
    files *f = *state;
    const char *const sources[][2] = {{"nowhere.h5", "counts"}, {"b.h5ad", "no_counts"}, {".", "no_counts"}};
    sevens(f->other);
    for (int i = 0; i < 3; i++) {
        vel_adata *ad;
        const vel_field *x;
        char words[64];
        snprintf(words, sizeof words, "%s of %s, where", sources[i][1], sources[i][0]);
        virtual_layer(f, sources[i][0], sources[i][1]);
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        FAILS(f, vel_get_matrix(&f->ctx, ad, "layers/spliced", &x), VEL_EREAD, words);
        vel_adata_free(ad);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(sources_that_are_there_are_read),
        FILES_CLAIM(sources_that_are_missing_are_named),
    };
    return cmocka_run_group_tests_name("io/h5_virtual", tests, NULL, NULL);
}
