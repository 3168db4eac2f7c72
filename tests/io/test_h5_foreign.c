#include "tests/io/files.h"

#include <sys/stat.h>

#include "io/h5_foreign.h"

static void write_bytes(const char *path, const char *bytes, size_t n) {
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fwrite(bytes, 1, n, out);
    fclose(out);
}

#define BYTES(text) text, sizeof text - 1

static void files_of_other_kinds_are_known_by_bytes_and_name(void **state) {
    files *f = *state;
    const struct {
        const char *name, *bytes;
        size_t n;
        const char *words;
    } rows[] = {{"counts.mtx", BYTES("%%MatrixMarket matrix coordinate integer general\n"), "MatrixMarket"},
                {"matrix.mtx.gz", BYTES("\x1f\x8b\x08 and more"), "gzipped MatrixMarket"},
                {"a.h5ad.gz", BYTES("\x1f\x8b\x08 and more"), "gunzip it first"},
                {"seurat.RDS", BYTES("\x1f\x8b\x08 and more"), "R object"},
                {"seurat.rds", BYTES("X\n\0\0\0\3"), "R object"},
                {"all.RData", BYTES("RDX3\nX\n"), "R data"},
                {"renamed.h5ad", BYTES("RDX3\nX\n"), "R data"},
                {"a.h5ad.bz2", BYTES("BZh91AY"), "bunzip2 it first"},
                {"a.h5ad.xz",
                 BYTES("\xfd"
                       "7zXZ\0"),
                 "unxz it first"},
                {"a.h5ad.zst", BYTES("\x28\xb5\x2f\xfd "), "unzstd it first"},
                {"a.zip", BYTES("PK\x03\x04 and more"), "unzip it first"},
                {"counts.csv", BYTES("gene,c0,c1\n"), "read_csv"},
                {"counts.tsv", BYTES("gene\tc0\tc1\n"), "read_text"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[160];
        vel_adata *ad;
        snprintf(path, sizeof path, "%s/%s", f->directory, rows[i].name);
        write_bytes(path, rows[i].bytes, rows[i].n);
        FAILS(f, vel_h5ad_open(&f->ctx, path, &ad), VEL_EREAD, rows[i].words);
    }
}

static void what_is_not_known_is_not_guessed(void **state) {
    files *f = *state;
    write_bytes(f->path, BYTES("BZ"));
    assert_string_equal(vel_foreign_file(f->path), "");
    write_bytes(f->path, "", 0);
    assert_string_equal(vel_foreign_file(f->path), "");
    assert_string_equal(vel_foreign_file("no/such/file"), "");
    assert_string_equal(vel_foreign_file(f->directory), "");
}

static void zarr_stores_are_folders(void **state) {
    files *f = *state;
    char path[160];
    vel_adata *ad;
    snprintf(path, sizeof path, "%s/a.zarr", f->directory);
    assert_int_equal(mkdir(path, 0700), 0);
    FAILS(f, vel_h5ad_open(&f->ctx, path, &ad), VEL_EREAD, "read_zarr");
}

static void hdf5_files_of_other_kinds_are_known_by_what_is_in_them(void **state) {
    files *f = *state;
    const struct {
        const char *objects[4], *words;
    } rows[] = {{{"col_attrs", "matrix", "row_attrs"}, "loom file: anndata.read_loom"},
                {{"matrix", "matrix/barcodes", "matrix/features", "matrix/indptr"}, "10x file"},
                {{"GRCh38", "GRCh38/barcodes", "GRCh38/genes", "GRCh38/indptr"}, "10x file"},
                {{"assays", "cell.names", "meta.data"}, "h5Seurat"},
                {{"mod", "mod/rna"}, "MuData"},
                {{"matrix", "layers"}, "found layers, matrix"},
                {{NULL}, "found nothing"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hid_t file = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        vel_adata *ad;
        for (int k = 0; k < 4 && rows[i].objects[k]; k++) H5Gclose(group(file, rows[i].objects[k], NULL, NULL));
        if (i >= 5) assert_string_equal(vel_foreign_hdf5(file), "");
        H5Fclose(file);
        FAILS(f, vel_h5ad_open(&f->ctx, f->path, &ad), VEL_EFORMAT, rows[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FILES_CLAIM(files_of_other_kinds_are_known_by_bytes_and_name),
        FILES_CLAIM(what_is_not_known_is_not_guessed),
        FILES_CLAIM(zarr_stores_are_folders),
        FILES_CLAIM(hdf5_files_of_other_kinds_are_known_by_what_is_in_them),
    };
    return cmocka_run_group_tests_name("io/h5_foreign", tests, NULL, NULL);
}
