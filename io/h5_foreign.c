#include "io/h5_foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- files of other kinds. Of several rows the first counts that fits. */

#define COUNTS "; it holds counts of one kind, velocity needs spliced and unspliced ones (velocyto, STARsolo, kb)"

static const struct {
    const char *end;   /* of the name; NULL: any */
    const char *bytes; /* at the beginning; NULL: any */
    size_t n;
    const char *words;
} files[] = {
    {NULL, "%%MatrixMarket", 14,
     "; it is a MatrixMarket file: anndata.read_mtx reads one matrix of an AnnData, spliced or unspliced"},
    {".mtx.gz", "\x1f\x8b", 2,
     "; it is a gzipped MatrixMarket file: anndata.read_mtx reads one matrix of an AnnData, spliced or unspliced"},
    {".rds", NULL, 0, "; it is an R object: sceasy or zellkonverter write .h5ad from R"},
    {".rdata", NULL, 0, "; it is R data: sceasy or zellkonverter write .h5ad from R"},
    {NULL, "RDX", 3, "; it is R data: sceasy or zellkonverter write .h5ad from R"},
    {NULL, "\x1f\x8b", 2, "; it is gzipped: gunzip it first"},
    {NULL, "BZh", 3, "; it is compressed: bunzip2 it first"},
    {NULL,
     "\xfd"
     "7zXZ",
     5, "; it is compressed: unxz it first"},
    {NULL, "\x28\xb5\x2f\xfd", 4, "; it is compressed: unzstd it first"},
    {NULL, "PK\x03\x04", 4, "; it is a zip archive: unzip it first"},
    {".csv", NULL, 0, "; it is a table: anndata.read_csv reads one matrix of an AnnData, spliced or unspliced"},
    {".tsv", NULL, 0, "; it is a table: anndata.read_text reads one matrix of an AnnData, spliced or unspliced"},
    {".txt", NULL, 0, "; it is text: anndata.read_text reads one matrix of an AnnData, spliced or unspliced"},
    {".zarr", NULL, 0, "; it is a zarr store: anndata.read_zarr(…).write_h5ad(…) converts it"},
};

static bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), k = end ? strlen(end) : 0;
    while (n && path[n - 1] == '/') n--;
    return n >= k && !strncasecmp(path + n - k, end ? end : "", k);
}

static size_t first_bytes(const char *path, char *bytes, size_t room) {
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    size_t n = f ? fread(bytes, 1, room, f) : 0;
    if (f) fclose(f);
    return n;
}

const char *vel_foreign_file(const char *path) {
    char bytes[16];
    size_t n = first_bytes(path, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bool fits = files[i].n <= n && (!files[i].n || !memcmp(files[i].bytes, bytes, files[i].n));
        if (fits && ends_with(path, files[i].end)) return files[i].words;
    }
    return "";
}

/* ---- HDF5 files of other kinds, by three objects that they have; * is a group of any name */

enum { OBJECTS = 3 };

static const struct {
    const char *objects[OBJECTS];
    const char *words;
} layouts[] = {
    {{"matrix", "row_attrs", "col_attrs"}, "; it is a loom file: anndata.read_loom(…).write_h5ad(…) converts it"},
    {{"matrix/barcodes", "matrix/features", "matrix/indptr"}, "; it is a 10x file" COUNTS},
    {{"*/barcodes", "*/genes", "*/indptr"}, "; it is a 10x file" COUNTS},
    {{"assays", "cell.names", "meta.data"}, "; it is an h5Seurat file: SeuratDisk::Convert writes .h5ad"},
    {{"mod", "mod", "mod"}, "; it is a MuData file: each of its modalities is an AnnData"},
};

static bool has(hid_t file, const char *group, const char *object) {
    char path[512];
    const char *slash = strchr(object, '/');
    const char *top = slash && *object == '*' ? group : object;
    int n = slash && *object != '*' ? (int)(slash - object) : (int)strlen(top);
    snprintf(path, sizeof path, "%.*s", n, top);
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return false;
    if (!slash) return true;
    snprintf(path, sizeof path, "%.*s%s", n, top, slash);
    return H5Lexists(file, path, H5P_DEFAULT) > 0;
}

static bool is_layout(hid_t file, const char *group, const char *const *objects) {
    for (int k = 0; k < OBJECTS; k++)
        if (!has(file, group, objects[k])) return false;
    return true;
}

const char *vel_foreign_hdf5(hid_t file) {
    char first[256] = ""; /* a 10x file of old has one group, named by the genome */
    const char *words = "";
    H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, first, sizeof first, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && !*words; i++)
        if (is_layout(file, first, layouts[i].objects)) words = layouts[i].words;
    H5Eclear2(H5E_DEFAULT);
    return words;
}
