/* Every allocation of our own code fails once: the call says so, leaks nothing, and leaves no half-written file. */
#include "tests/io/files.h"

#include "io/info.h"

/* ---- the allocator */

enum { MOST = 1 << 16 };

static void *live[MOST]; /* what is allocated and not yet freed */
static int n_live;
static long countdown = -1; /* allocations until one fails; < 0: none */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);
void __wrap_free(void *p);

static bool fails(void) { return countdown >= 0 && countdown-- == 0; }

static void *note(void *p) {
    if (p && n_live < MOST) live[n_live++] = p;
    return p;
}

static void forget(const void *p) { /* what libraries have made is not in the list */
    for (int i = n_live; p && i-- > 0;) {
        if (live[i] != p) continue;
        live[i] = live[--n_live];
        return;
    }
}

void *__wrap_malloc(size_t n) { return fails() ? NULL : note(__real_malloc(n)); }

void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : note(__real_calloc(n, size)); }

void *__wrap_aligned_alloc(size_t alignment, size_t n) {
    return fails() ? NULL : note(__real_aligned_alloc(alignment, n));
}

void *__wrap_realloc(void *p, size_t n) {
    if (fails()) return NULL;
    forget(p);
    return note(__real_realloc(p, n));
}

void __wrap_free(void *p) {
    forget(p);
    __real_free(p);
}

/* ---- what is tried */

static vel_err read_one(vel_ctx *ctx, vel_adata *ad, const char *path, void *arg) {
    (void)arg;
    vel_kind kind = vel_entry_of(ad, path).kind;
    const vel_field *f;
    return kind == VEL_DICT || kind == VEL_OTHER ? VEL_OK : vel_get(ctx, ad, path, &f);
}

static vel_err change(vel_ctx *ctx, vel_adata *ad) {
    vel_field *x;
    char **names;
    VEL_TRY(vel_put_dense(ctx, ad, "layers/Ms", VEL_F32, vel_matrix(vel_n_obs(ad), vel_n_vars(ad)), &x));
    VEL_TRY(vel_put_text(ctx, ad, "uns/a/b", "text"));
    VEL_TRY(vel_put_categorical(ctx, ad, "obs/c", (int32_t[CELLS]){0}, vel_n_obs(ad), gene_names, 1));
    return vel_obs_names(ctx, ad, &names);
}

static vel_err everything(vel_ctx *ctx, vel_adata *ad, const char *path, bool read_first, FILE *out) {
    if (read_first) VEL_TRY(vel_each(ctx, ad, read_one, NULL));
    VEL_TRY(vel_keep_obs(ctx, ad, (uint8_t[]){1, 0, 1, 1}));
    VEL_TRY(vel_keep_vars(ctx, ad, (uint8_t[]){1, 0, 1}));
    VEL_TRY(change(ctx, ad));
    VEL_TRY(vel_info(ctx, ad, true, out));
    return vel_h5ad_write(ctx, ad, path);
}

static vel_err attempt(files *f, bool read_first, FILE *out) {
    vel_ctx ctx = {.scratch = vel_arena_new(), .threads = 1};
    vel_adata *ad;
    if (!ctx.scratch) return VEL_ENOMEM;
    vel_err e = vel_h5ad_open(&ctx, f->path, &ad);
    if (!e) e = everything(&ctx, ad, f->other, read_first, out);
    vel_adata_free(ad);
    vel_arena_free(ctx.scratch);
    return e;
}

static void make_input(files *f) {
    hid_t file = bare_file(f->path), column = group(file, "obs/k", "categorical", "0.2.0");
    vector(column, "codes", H5T_STD_I8LE, H5T_NATIVE_INT8, CELLS, (int8_t[]){0, 1, 0, 1});
    strings(column, "categories", cell_names, 2);
    H5Gclose(column);
    array(file, "X", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, (hsize_t[]){CELLS, GENES}, (float[CELLS * GENES]){1});
    sparse(file,
           &(sparse_parts){"layers/spliced", "csc_matrix", H5T_STD_U16LE, H5T_STD_I32LE, H5T_STD_I32LE, 5, GENES + 1,
                           (double[]){1, 4, 3, 5, 2}, (int64_t[]){0, 3, 2, 3, 0}, (int64_t[]){0, 2, 4, 5}});
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    strings(file, "uns/colors", cell_names, 3);
    H5Fclose(file);
}

static void try_all(files *f, bool read_first) {
    make_input(f);
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(attempt(f, read_first, out), VEL_OK); /* HDF5 makes what it keeps */
    for (long k = 0;; k++) {
        assert_int_equal(unlink(f->other), 0);
        int before = n_live;
        countdown = k;
        vel_err e = attempt(f, read_first, out);
        bool was_reached = countdown < 0;
        countdown = -1;
        assert_int_equal(n_live, before);
        if (e) {
            assert_int_equal(e, VEL_ENOMEM);
            assert_int_not_equal(access(f->other, F_OK), 0);
            assert_int_equal(attempt(f, read_first, out), VEL_OK);
        }
        if (!was_reached) break;
    }
    fclose(out);
}

static void any_allocation_may_fail_when_all_is_read(void **state) { try_all(*state, true); }

static void any_allocation_may_fail_when_all_is_carried_over(void **state) { try_all(*state, false); }

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(any_allocation_may_fail_when_all_is_read),
        FILES_CLAIM(any_allocation_may_fail_when_all_is_carried_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
