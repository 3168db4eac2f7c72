#include "io/h5_lengths.h"

#include <sys/stat.h>

#include "core/field.h"
#include "tests/io/files.h"

/* Nothing in a file of these tests has that length by itself. */
enum { LENGTH = 77, DAMAGED = 0x30000000 };
static const char text[LENGTH + 1] = "01234567890123456789012345678901234567890123456789012345678901234567890123456";

/* The one string of 77 bytes in the file has another length from now on; the heap that it lies in stays as it is. */
static void damage(const char *path, long part, uint32_t value) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    uint8_t *bytes = malloc((size_t)st.st_size);
    FILE *file = fopen(path, "r+");
    assert_int_equal(fread(bytes, 1, (size_t)st.st_size, file), st.st_size);
    int found = 0;
    for (long i = 0; i + 16 <= st.st_size; i++) {
        uint32_t n;
        uint64_t heap;
        memcpy(&n, bytes + i, sizeof n);
        memcpy(&heap, bytes + i + 4, sizeof heap);
        if (n != LENGTH || heap + 4 > (uint64_t)st.st_size || memcmp(bytes + heap, "GCOL", 4) != 0) continue;
        fseek(file, i + part, SEEK_SET);
        assert_int_equal(fwrite(&value, sizeof value, 1, file), 1);
        found++;
    }
    fclose(file);
    free(bytes);
    assert_int_equal(found, 1);
}

static void damage_the_length(const char *path, uint32_t length) { damage(path, 0, length); }

static void refuses_to_read(files *f, const char *path, const char *where) {
    vel_adata *ad;
    const vel_field *x;
    damage_the_length(f->path, DAMAGED);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    assert_int_equal(vel_get(&f->ctx, ad, path, &x), VEL_EREAD);
    assert_non_null(strstr(f->ctx.message, f->path));
    assert_non_null(strstr(f->ctx.message, "the length 805306368 of a text is damaged"));
    FAILS(f, VEL_EREAD, VEL_EREAD, where);
    FAILS(f, vel_h5ad_write(&f->ctx, ad, f->other), VEL_EREAD, "is damaged");
    vel_adata_free(ad);
}

static void names_that_do_not_fit_into_the_file_are_refused(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path);
    strings(file, "obs/batch", (const char *const[]){"a", "", text, "d"}, CELLS);
    H5Fclose(file);
    refuses_to_read(f, "obs/batch", "obs/batch of ");
}

/* Which piece of its heap a text is. */
static void so_are_those_whose_number_does_not_fit(void **state) {
    files *f = *state;
    vel_adata *ad;
    const vel_field *x;
    hid_t file = bare_file(f->path);
    strings(file, "obs/batch", (const char *const[]){"a", "", text, "d"}, CELLS);
    H5Fclose(file);
    damage(f->path, 12, DAMAGED);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_get(&f->ctx, ad, "obs/batch", &x), VEL_EREAD, "the number 805306368 of a text is damaged");
    vel_adata_free(ad);
}

static void so_are_those_of_an_attribute(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), obs = H5Gopen2(file, "obs", H5P_DEFAULT);
    H5Adelete(obs, "column-order");
    attr_texts(obs, "column-order", (const char *const[]){"a", text}, 2);
    H5Gclose(obs);
    H5Fclose(file);
    vel_adata *ad;
    damage_the_length(f->path, DAMAGED);
    assert_int_equal(vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EREAD);
    assert_non_null(strstr(f->ctx.message, f->path));
    FAILS(f, VEL_EREAD, VEL_EREAD, "attribute column-order: the length 805306368");
}

static void so_are_those_inside_records(void **state) {
    files *f = *state;
    typedef struct {
        double score;
        const char *names[2];
    } record;
    hsize_t two = 2;
    hid_t file = bare_file(f->path), name = H5Tcopy(H5T_C_S1), row = H5Tcreate(H5T_COMPOUND, sizeof(record));
    H5Tset_size(name, H5T_VARIABLE);
    hid_t pair = H5Tarray_create2(name, 1, &two);
    H5Tinsert(row, "score", offsetof(record, score), H5T_NATIVE_DOUBLE);
    H5Tinsert(row, "names", offsetof(record, names), pair);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    vector(file, "uns/ranks", row, row, 2, (record[]){{1, {"a", "b"}}, {2, {"c", text}}});
    hid_t ranks = H5Dopen2(file, "uns/ranks", H5P_DEFAULT);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    OK(f, vel_h5_check_lengths(&f->ctx, ranks));
    H5Dclose(ranks);
    H5Tclose(pair);
    H5Tclose(row);
    H5Tclose(name);
    H5Fclose(file);
    damage_the_length(f->path, DAMAGED);
    file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ranks = H5Dopen2(file, "uns/ranks", H5P_DEFAULT);
    FAILS(f, vel_h5_check_lengths(&f->ctx, ranks), VEL_EREAD, "uns/ranks of ");
    H5Dclose(ranks);
    H5Fclose(file);
}

/* Tables of strings are not understood, but carried over. */
static void so_are_those_that_are_carried_over(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), name = H5Tcopy(H5T_C_S1);
    H5Tset_size(name, H5T_VARIABLE);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    array(file, "uns/table", name, name, 2, (hsize_t[]){2, 2}, (const char *const[]){"a", "b", text, "d"});
    H5Tclose(name);
    H5Fclose(file);
    vel_adata *ad;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
    damage_the_length(f->path, DAMAGED);
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    FAILS(f, vel_h5ad_write(&f->ctx, ad, f->other), VEL_EREAD, "uns/table of ");
    vel_adata_free(ad);
}

/* Empty ones, which have no place in a heap, those that were never written, and compressed ones. */
static void sound_lengths_are_believed(void **state) {
    files *f = *state;
    hid_t file = bare_file(f->path), name = H5Tcopy(H5T_C_S1), list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t n = CELLS, chunk = 2;
    hid_t space = H5Screate_simple(1, &n, NULL);
    H5Tset_size(name, H5T_VARIABLE);
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 1);
    H5Gclose(group(file, "uns", "dict", "0.1.0"));
    vector(file, "uns/unwritten", name, name, CELLS, NULL);
    hid_t made = H5Dcreate2(file, "uns/small", name, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(H5Dwrite(made, name, H5S_ALL, H5S_ALL, H5P_DEFAULT, (const char *const[]){"a", "", NULL, text}) >= 0);
    H5Dclose(made);
    H5Sclose(space);
    H5Pclose(list);
    H5Tclose(name);
    H5Fclose(file);
    static const char *const read[] = {"a", "", "", text};
    vel_adata *ad;
    const vel_field *x;
    OK(f, vel_h5ad_open(&f->ctx, f->path, &ad));
    OK(f, vel_get(&f->ctx, ad, "uns/unwritten", &x));
    for (int i = 0; i < CELLS; i++) assert_string_equal(x->texts[i], "");
    OK(f, vel_get(&f->ctx, ad, "uns/small", &x));
    for (int i = 0; i < CELLS; i++) assert_string_equal(x->texts[i], read[i]);
    OK(f, vel_h5ad_write(&f->ctx, ad, f->other));
    vel_adata_free(ad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(names_that_do_not_fit_into_the_file_are_refused),
        FILES_CLAIM(so_are_those_whose_number_does_not_fit),
        FILES_CLAIM(so_are_those_of_an_attribute),
        FILES_CLAIM(so_are_those_inside_records),
        FILES_CLAIM(so_are_those_that_are_carried_over),
        FILES_CLAIM(sound_lengths_are_believed),
    };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
