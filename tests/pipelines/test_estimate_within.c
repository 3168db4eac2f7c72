#include "tests/pipelines/measured.h"

#include <hdf5.h>

#include "io/h5ad.h"

/* Counts of as many cells as genes, so that rows may be called columns. */
enum { N = 1600 };

typedef struct {
    const char *name;
    bool sparse, by_columns, integers, normalized, whole_at_first, few;
} storage;

static const storage storages[] = {
    {.name = "dense"},
    {.name = "rows", .sparse = true},
    {.name = "columns of integers", .sparse = true, .by_columns = true, .integers = true},
    {.name = "columns, normalised", .sparse = true, .by_columns = true, .normalized = true},
    {.name = "columns, of which the first cells are whole",
     .sparse = true,
     .by_columns = true,
     .normalized = true,
     .whole_at_first = true},
};

/* Files are made by a child, lest the memory of this process count as that of the program: the system keeps the peak of
 * what forked it. */
static void need(bool is_so) {
    if (!is_so) _exit(1);
}

/* By columns cells are counted by j. */
static float count_at(const storage *s, int64_t i, int64_t j, int of) {
    uint64_t x = (uint64_t)(i * N + j) * 3 + (uint64_t)of;
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    float count = (x >> 33) % 100 < (s->few ? 92 : 60) ? 0 : (float)((x >> 40) % 5 + 1 + (uint64_t)(i % 7));
    return s->normalized && !(s->whole_at_first && j < 5) ? count * 0.7f : count;
}

static void put(vel_ctx *ctx, vel_adata *ad, const storage *s, const char *path, int of) {
    vel_field *f;
    if (!s->sparse) {
        need(!vel_put_dense(ctx, ad, path, VEL_F32, vel_matrix(N, N), &f));
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++) ((float *)f->data)[j * N + i] = count_at(s, i, j, of);
        return;
    }
    int64_t stored = 0, at = 0;
    for (int64_t e = 0; e < N * N; e++) stored += count_at(s, e / N, e % N, of) > 0;
    need(!vel_put_sparse(ctx, ad, path, VEL_F32, vel_matrix(N, N), stored, &f));
    for (int64_t i = 0; i < N; f->indptr[++i] = at)
        for (int64_t j = 0; j < N; j++) {
            float x = count_at(s, i, j, of);
            if (x == 0) continue;
            f->indices[at] = (int32_t)j;
            ((float *)f->data)[at++] = x;
        }
}

/* Values become int32 in the file, rows are called columns. */
static void store_as(const storage *s, hid_t file, const char *path) {
    hid_t group = H5Gopen2(file, path, H5P_DEFAULT), old = H5Dopen2(group, "data", H5P_DEFAULT);
    need(group >= 0 && old >= 0);
    if (s->by_columns) {
        hid_t word = H5Aopen(group, "encoding-type", H5P_DEFAULT), type = H5Aget_type(word);
        const char *text = "csc_matrix";
        need(H5Awrite(word, type, &text) >= 0);
        H5Tclose(type);
        H5Aclose(word);
    }
    if (s->integers) {
        hid_t space = H5Dget_space(old);
        int32_t *values = malloc((size_t)H5Sget_simple_extent_npoints(space) * sizeof *values);
        need(values != NULL);
        need(H5Dread(old, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        H5Ldelete(group, "data", H5P_DEFAULT);
        hid_t made = H5Dcreate2(group, "data", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        need(H5Dwrite(made, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        free(values);
        H5Dclose(made);
        H5Sclose(space);
    }
    H5Dclose(old);
    H5Gclose(group);
}

static void write_counts(const storage *s, const char *name) {
    static const char *const paths[] = {"X", "layers/spliced", "layers/unspliced"};
    static const int values[] = {0, 0, 1}; /* X: the spliced counts */
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    need(!vel_adata_new(&ctx, N, N, &ad));
    for (int k = 0; k < 3; k++) put(&ctx, ad, s, paths[k], values[k]);
    need(!vel_h5ad_write(&ctx, ad, name));
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    if (!s->sparse) return;
    hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    need(file >= 0);
    for (int k = 0; k < 3; k++) store_as(s, file, paths[k]);
    H5Fclose(file);
}

static void make_counts(const storage *s, const char *name) {
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        write_counts(s, name);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void check(const char *recipe, const char *from) {
    check_whole(recipe, from, "to.h5ad", NULL);
    check_least(recipe, from);
    unlink("to.h5ad");
}

/* A limit allows for all that the file has stored to lie in the selection. */
static void check_selected(const char *recipe, const char *from, const char *genes) {
    check_whole(recipe, from, "to.h5ad", genes);
    peak_within_least(recipe, from, genes);
    unlink("to.h5ad");
}

static void an_estimate_is_right_and_a_limit_holds_of_counts_however_they_are_stored(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        print_message("%s\n", storages[i].name);
        make_counts(&storages[i], "counts.h5ad");
        check("filter_genes min_shared_counts=20", "counts.h5ad");
        check("normalize_per_cell", "counts.h5ad");
        check("log1p", "counts.h5ad");
        check("pca n_comps=10", "counts.h5ad");
        check("neighbors n_pcs=10", "counts.h5ad");
    }
}

/* So few values that they stay in memory where others go to the scratch file. */
static void so_it_is_of_layers_that_no_scratch_file_takes(void **state) {
    static const char *const recipes[] = {"filter_genes min_shared_counts=20", "normalize_per_cell", "moments"};
    static const storage few = {.sparse = true, .few = true};
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    make_counts(&few, "counts.h5ad");
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) check(recipes[i], "counts.h5ad");
}

/* Among cells at random few neighbours have each other, and their neighbours lead far. */
static void so_it_is_of_velocity_graphs_of_cells_at_random(void **state) {
    static const char *const recipes[] = {"velocity_graph", "velocity_graph mode_neighbors=connectivities",
                                          "velocity_graph approx=true", "velocity_graph n_recurse_neighbors=3",
                                          "velocity_graph n_neighbors=50"};
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    make_counts(&storages[0], "counts.h5ad");
    check_whole("moments | velocity", "counts.h5ad", "velocity.h5ad", NULL);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) check(recipes[i], "velocity.h5ad");
    check_whole("moments | velocity | velocity_graph", "counts.h5ad", "to.h5ad", NULL);
    peak_within_least("moments | velocity | velocity_graph", "counts.h5ad", NULL);
}

static void a_step_that_normalises_raw_counts_counts_with_it(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        print_message("%s\n", storages[i].name);
        make_counts(&storages[i], "counts.h5ad");
        check("moments", "counts.h5ad");
        peak_of((const char *const[]){"neighbors", "counts.h5ad", "-o", "graph.h5ad", "--quiet", NULL});
        check("moments", "graph.h5ad");
    }
}

/* What is not read is cut on the way into the result. */
static void of_a_selection_of_genes_a_share_of_the_counts_is_expected(void **state) {
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    FILE *genes = fopen("genes", "w");
    assert_non_null(genes);
    for (int j = 0; j < N; j += 2) fprintf(genes, "%d\n", j);
    fclose(genes);
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        print_message("%s\n", storages[i].name);
        make_counts(&storages[i], "counts.h5ad");
        check_selected("filter_genes min_shared_counts=20", "counts.h5ad", "genes");
        check_selected("log1p", "counts.h5ad", "genes");
    }
}

/* ---- layers in chunks */

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to) {
    (void)info;
    hid_t a = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    hid_t b = H5Acreate2(*(hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    char *text = NULL;
    assert_true(H5Aread(a, type, &text) >= 0 && H5Awrite(b, type, &text) >= 0);
    assert_true(H5Aclose(b) >= 0 && H5Aclose(a) >= 0 && H5free_memory(text) >= 0 && H5Sclose(space) >= 0);
    return H5Tclose(type);
}

typedef struct {
    hsize_t rows, cols; /* of a chunk */
    bool packed;
    int bits; /* of a floating-point value; of an integer below 32 */
} layout;

static hid_t type_of(const layout *l) {
    return l->bits == 64 ? H5T_NATIVE_DOUBLE : l->bits == 32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_USHORT;
}

/* The layer once more, or a vector in its own type, in chunks. */
static void lay_in_chunks(hid_t file, const char *path, const layout *l) {
    hid_t old = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(old), list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t as_it_was = H5Dget_type(old);
    int ndim = H5Sget_simple_extent_ndims(space);
    float *x = malloc((size_t)H5Sget_simple_extent_npoints(space) * sizeof *x);
    assert_non_null(x);
    assert_true(H5Dread(old, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    assert_true(H5Ldelete(file, path, H5P_DEFAULT) >= 0 &&
                H5Pset_chunk(list, ndim, (hsize_t[]){l->rows, l->cols}) >= 0);
    assert_true(!l->packed || H5Pset_deflate(list, 1) >= 0);
    hid_t made = H5Dcreate2(file, path, ndim == 2 ? type_of(l) : as_it_was, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(H5Dwrite(made, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    assert_true(H5Aiterate2(old, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &made) >= 0);
    free(x);
    assert_true(H5Dclose(made) >= 0 && H5Tclose(as_it_was) >= 0 && H5Pclose(list) >= 0 && H5Sclose(space) >= 0 &&
                H5Dclose(old) >= 0);
}

/* In a process of its own: what this one has would count as what the program takes, which is begun from it. */
static void lay_all_in_chunks(const char *name, const char *const *paths, const layout *l) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
        for (; *paths; paths++) lay_in_chunks(file, *paths, l);
        _exit(H5Fclose(file) < 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void keeps_to_its_limit(const char *recipe, const char *from) {
    peak_of((const char *const[]){"run", recipe, from, "-o", "2.h5ad", "--threads", "2", "--json", "--quiet", NULL});
    peak_within_least(recipe, from, NULL);
}

/* Plain chunks HDF5 takes apart, with tables of its own; either kind may be as large as the layer. */
static void layers_in_chunks_keep_to_their_limit(void **state) {
    static const layout layouts[] = {{97, 33, false, 32},    {20, 20, false, 32},   {3000, 1, false, 32},
                                     {1000, 800, false, 32}, {3000, 800, true, 32}, {50, 100, true, 32},
                                     {3000, 800, false, 64}, {97, 33, true, 16}};
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    peak_of((const char *const[]){"simulate", "--n-obs", "3000", "--n-vars", "800", "-o", "0.h5ad", "--quiet", NULL});
    peak_of((const char *const[]){"run", "pca | neighbors | moments", "0.h5ad", "-o", "1.h5ad", "--quiet", NULL});
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        lay_all_in_chunks("1.h5ad", (const char *const[]){"layers/Ms", "layers/Mu", NULL}, &layouts[i]);
        keeps_to_its_limit("velocity mode=deterministic", "1.h5ad");
    }
}

/* Of small ones HDF5 has more beside each than that has itself; large ones are a tile as they are. */
static void sparse_counts_in_chunks_keep_to_their_limit(void **state) {
    static const char *const parts[] = {"X/data", "X/indices", "layers/spliced/data", "layers/spliced/indices", NULL};
    static const layout layouts[] = {{.rows = 100}, {.rows = 1000000}, {.rows = 1000000, .packed = true}};
    (void)state;
    if (!MEMORY_IS_OURS || !getenv("VEL_BIN_DIR")) skip();
    for (size_t i = 0; i < 2 * sizeof layouts / sizeof *layouts; i++) {
        make_counts(&storages[i % 2 ? 3 : 1], "counts.h5ad");
        lay_all_in_chunks("counts.h5ad", parts, &layouts[i / 2]);
        keeps_to_its_limit("filter_genes min_shared_counts=20", "counts.h5ad");
        keeps_to_its_limit("normalize_per_cell", "counts.h5ad");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(layers_in_chunks_keep_to_their_limit, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(sparse_counts_in_chunks_keep_to_their_limit, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(an_estimate_is_right_and_a_limit_holds_of_counts_however_they_are_stored,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(so_it_is_of_layers_that_no_scratch_file_takes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(so_it_is_of_velocity_graphs_of_cells_at_random, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_step_that_normalises_raw_counts_counts_with_it, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(of_a_selection_of_genes_a_share_of_the_counts_is_expected, enter_folder,
                                        leave_folder),
    };
    return cmocka_run_group_tests_name("pipelines/estimate_within", tests, NULL, NULL);
}
