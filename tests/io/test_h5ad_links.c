/* Links to layers and columns, in the file or in another: as anndata, what they lead to is what is there. */
#include "tests/io/files.h"

#include <sys/stat.h>

static const double values[] = {1, 2, 3, 4};
static const int64_t indices[] = {0, 2, 1, 0}, indptr[] = {0, 2, 2, 3, 4};

static void put_sparse(hid_t file, const char *name) {
    sparse(file, &(sparse_parts){name, "csr_matrix", H5T_IEEE_F32LE, H5T_STD_I32LE, H5T_STD_I32LE, 4, CELLS + 1, values,
                                 indices, indptr});
}

static void put_dense(hid_t file, const char *name) {
    const float x[CELLS * GENES] = {1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0};
    array(file, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS, GENES}, x);
}

static void put_column(hid_t file, const char *name) {
    hid_t made = group(file, name, "categorical", "0.2.0");
    strings(made, "categories", gene_names, 2);
    vector(made, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){1, 0, 0, 1});
    H5Gclose(made);
}

/* Where a bare file has its layers, this one has a sparse matrix, at the same address. */
static void make_other(files *f) {
    hid_t other = H5Fcreate(f->other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    frame(other, "obs", cell_names, CELLS);
    frame(other, "var", gene_names, GENES);
    put_sparse(other, "kept");
    put_dense(other, "dense");
    H5Fclose(other);
}

/* Soft links to what lies beside, external ones to another file. */
static void make_linked(files *f) {
    hid_t file = bare_file(f->path);
    make_other(f);
    H5Gclose(group(file, "beside", NULL, NULL));
    put_sparse(file, "beside/m");
    put_dense(file, "beside/d");
    put_column(file, "beside/c");
    H5Lcreate_soft("/beside/m", file, "layers/soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/layers/soft", file, "layers/twice", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/beside/d", file, "layers/dense", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/beside/c", file, "obs/c", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("b.h5ad", "kept", file, "layers/external", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("b.h5ad", "dense", file, "layers/external_dense", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/layers/circle", file, "layers/circle", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
}

static const char *const layers[] = {"layers/soft", "layers/twice", "layers/external", "layers/dense",
                                     "layers/external_dense"};

/* The element of gene 0 in a cell. */
static double first_gene(const vel_field *x, int64_t cell) {
    if (x->kind == VEL_DENSE) return vel_real_at(x->type, x->data, x->gene_major ? cell : cell * x->cols);
    double sum = 0;
    for (int64_t e = x->indptr[cell]; e < x->indptr[cell + 1]; e++)
        if (x->indices[e] == 0) sum += vel_real_at(x->type, x->data, e);
    return sum;
}

/* Every cell, or cells 0 and 3. */
static void check_all(files *f, vel_adata *ad, int64_t step) {
    const char **texts;
    const vel_field *x;
    int64_t n = vel_n_obs(ad);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        OK(f, vel_get_matrix(&f->ctx, ad, layers[i], &x));
        assert_int_equal(x->rows, n);
        assert_true(first_gene(x, 0) == 1 && first_gene(x, n - 1) == 4);
        if (step == 1) assert_true(first_gene(x, 1) == 0);
    }
    OK(f, vel_get_texts(&f->ctx, ad, "obs/c", n, &texts));
    assert_string_equal(texts[0], "g1");
    assert_string_equal(texts[n - 1], "g1");
    FAILS(f, vel_get_matrix(&f->ctx, ad, "layers/circle", &x), VEL_ETYPE, "a broken link");
}

static void links_to_layers_and_columns_are_read_as_what_they_lead_to(void **state) {
    files *f = *state;
    vel_adata *ad;
    make_linked(f);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    check_all(f, ad, 1);
    vel_adata_free(ad);
}

static void what_is_written_holds_what_links_led_to(void **state) {
    files *f = *state;
    char there[128];
    snprintf(there, sizeof there, "%s/deeper", f->directory);
    assert_int_equal(mkdir(there, 0700), 0);
    snprintf(there, sizeof there, "%s/deeper/out.h5ad", f->directory);
    for (int64_t step = 1; step <= 3; step += 2) {
        vel_adata *ad;
        make_linked(f);
        OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
        if (step == 3) OK(f, vel_drop(&f->ctx, ad, "layers/circle"));
        if (step == 3) OK(f, vel_keep_obs(&f->ctx, ad, (uint8_t[CELLS]){1, 0, 0, 1}));
        OK(f, vel_h5ad_write(&f->ctx, ad, there));
        vel_adata_free(ad);
        assert_int_equal(unlink(f->other), 0);
        OK(f, vel_h5ad_open(&f->ctx, there, &ad));
        if (step == 1) check_all(f, ad, step);
        for (size_t i = 0; step == 3 && i < sizeof layers / sizeof *layers; i++) {
            const vel_field *x;
            OK(f, vel_get_matrix(&f->ctx, ad, layers[i], &x));
            assert_true(x->rows == 2 && first_gene(x, 0) == 1 && first_gene(x, 1) == 4);
        }
        vel_adata_free(ad);
    }
}

/* layers lie in uns, obsm in another file; varm leads nowhere. */
static void make_moved(files *f) {
    hid_t file = bare_file(f->path), other = H5Fcreate(f->other, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_sparse(file, "layers/counts");
    H5Gclose(group(other, "obsm", "dict", "0.1.0"));
    put_dense(other, "obsm/x");
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    H5Lmove(file, "layers", file, "uns/layers", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/uns/layers", file, "layers", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("b.h5ad", "obsm", file, "obsm", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "varm", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    H5Fclose(other);
}

static void check_moved(files *f, vel_adata *ad) {
    const vel_field *x;
    OK(f, vel_get_matrix(&f->ctx, ad, "layers/counts", &x));
    assert_true(first_gene(x, 0) == 1 && first_gene(x, CELLS - 1) == 4);
    OK(f, vel_get_matrix(&f->ctx, ad, "obsm/x", &x));
    assert_true(x->rows == CELLS && first_gene(x, 0) == 1);
}

static void links_in_the_place_of_mappings_are_followed(void **state) {
    files *f = *state;
    vel_adata *ad;
    make_moved(f);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    check_moved(f, ad);
    OK(f, vel_h5ad_write(&f->ctx, ad, f->path));
    vel_adata_free(ad);
    assert_int_equal(unlink(f->other), 0);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    check_moved(f, ad);
    vel_adata_free(ad);
}

/* The link stays one: what it leads to is no field. */
static void external_links_that_stay_lead_from_another_folder_too(void **state) {
    files *f = *state;
    vel_adata *ad;
    char there[128];
    hid_t file = bare_file(f->path);
    make_other(f);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    H5Lcreate_external("b.h5ad", "obs", file, "uns/away", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("none.h5ad", "obs", file, "uns/nowhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    snprintf(there, sizeof there, "%s/deeper", f->directory);
    assert_int_equal(mkdir(there, 0700), 0);
    snprintf(there, sizeof there, "%s/deeper/out.h5ad", f->directory);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_h5ad_write(&f->ctx, ad, there));
    vel_adata_free(ad);
    file = H5Fopen(there, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5L_info_t info;
    assert_true(H5Lget_info(file, "uns/away", &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_EXTERNAL);
    assert_true(H5Oexists_by_name(file, "uns/away", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "uns/nowhere", H5P_DEFAULT) > 0);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(links_to_layers_and_columns_are_read_as_what_they_lead_to),
        FILES_CLAIM(what_is_written_holds_what_links_led_to),
        FILES_CLAIM(links_in_the_place_of_mappings_are_followed),
        FILES_CLAIM(external_links_that_stay_lead_from_another_folder_too),
    };
    return cmocka_run_group_tests_name("io/h5ad_links", tests, NULL, NULL);
}
