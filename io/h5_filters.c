#include "io/h5_filters.h"

#include <liblzf/lzf.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "io/h5.h"
#include "io/h5_lengths.h"
#include "io/h5_virtual.h"
#include "io/lzf.h"

/* ---- zstd: cd_values[0] is the level */

static size_t keep_buffer(void *made, size_t made_size, size_t used, size_t *size, void **buffer) {
    if (!used || !made) {
        free(made);
        return 0;
    }
    free(*buffer);
    *buffer = made;
    *size = made_size;
    return used;
}

static size_t zstd_filter(unsigned flags, size_t n_values, const unsigned values[], size_t n, size_t *size,
                          void **buffer) {
    if (flags & H5Z_FLAG_REVERSE) {
        unsigned long long full = ZSTD_getFrameContentSize(*buffer, n);
        if (full == ZSTD_CONTENTSIZE_ERROR || full == ZSTD_CONTENTSIZE_UNKNOWN || full >> 40) return 0;
        void *made = malloc(full ? full : 1);
        size_t used = made ? ZSTD_decompress(made, full, *buffer, n) : 0;
        return keep_buffer(made, full, ZSTD_isError(used) ? 0 : used, size, buffer);
    }
    size_t most = ZSTD_compressBound(n);
    void *made = malloc(most);
    size_t used = made ? ZSTD_compress(made, most, *buffer, n, n_values > 0 ? (int)values[0] : 3) : 0;
    return keep_buffer(made, most, ZSTD_isError(used) ? 0 : used, size, buffer);
}

/* ---- lzf: cd_values[2] is the size of a whole chunk, set when a dataset is made */

static herr_t lzf_set_local(hid_t list, hid_t type, hid_t space) {
    (void)space;
    hsize_t chunk[32];
    unsigned flags, values[8] = {0};
    size_t n = 8;
    if (H5Pget_filter_by_id2(list, VEL_H5_LZF, &flags, &n, values, 0, NULL, NULL) < 0) return -1;
    int ndim = H5Pget_chunk(list, 32, chunk);
    size_t bytes = H5Tget_size(type);
    for (int i = 0; i < ndim; i++) bytes *= chunk[i];
    values[0] = 4; /* h5py's revision of the filter */
    values[1] = 0x0105;
    values[2] = (unsigned)bytes;
    return H5Pmodify_filter(list, VEL_H5_LZF, flags, 3, values) < 0 ? -1 : 1;
}

static size_t lzf_expand(size_t first, size_t n, size_t *size, void **buffer) {
    for (size_t most = first ? first : 1 << 16; most >> 32 == 0; most *= 2) {
        void *made = malloc(most);
        size_t used = made ? lzf_decompress(*buffer, (unsigned)n, made, (unsigned)most) : 0;
        if (used || !made || first) return keep_buffer(made, most, used, size, buffer);
        free(made);
    }
    return 0;
}

static size_t lzf_filter(unsigned flags, size_t n_values, const unsigned values[], size_t n, size_t *size,
                         void **buffer) {
    if (n >> 31) return 0;
    if (flags & H5Z_FLAG_REVERSE) return lzf_expand(n_values > 2 ? values[2] : 0, n, size, buffer);
    void *made = malloc(n); /* no gain: HDF5 stores the chunk as it is */
    unsigned *table = malloc(VEL_LZF_TABLE * sizeof *table);
    size_t used = made && table ? vel_lzf_compress(*buffer, n, made, n, table) : 0;
    free(table);
    return keep_buffer(made, n, used, size, buffer);
}

bool vel_h5_decompress(int filter, const void *in, size_t n, void *out, size_t size) {
    if (filter == VEL_H5_ZSTD) return ZSTD_decompress(out, size, in, n) == size;
    if (filter != VEL_H5_LZF || n >> 31 || size >> 31) return false;
    return vel_lzf_expand(in, n, out, size);
}

void vel_h5_register_filters(void) {
    const H5Z_class2_t zstd = {H5Z_CLASS_T_VERS, VEL_H5_ZSTD, 1, 1, "zstd", NULL, NULL, zstd_filter};
    const H5Z_class2_t lzf = {H5Z_CLASS_T_VERS, VEL_H5_LZF, 1, 1, "lzf", NULL, lzf_set_local, lzf_filter};
    if (H5Zfilter_avail(VEL_H5_ZSTD) <= 0) H5Zregister(&zstd);
    if (H5Zfilter_avail(VEL_H5_LZF) <= 0) H5Zregister(&lzf);
}

static const char *filter_name(H5Z_filter_t id) {
    static const struct {
        int id;
        const char *name;
    } rows[] = {{VEL_H5_BLOSC, "blosc"}, {32004, "lz4"}, {32008, "bitshuffle"}, {32013, "zfp"},
                {32018, "fcidecomp"},    {307, "bzip2"}, {32026, "blosc2"},     {4, "szip"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id) return rows[i].name;
    return "unknown";
}

static vel_err check_filters(vel_ctx *ctx, hid_t dataset, const char *name) {
    hid_t list = H5Dget_create_plist(dataset);
    int n = list < 0 ? 0 : H5Pget_nfilters(list);
    vel_err e = VEL_OK;
    for (int i = 0; i < n && !e; i++) {
        unsigned flags, config;
        size_t n_values = 0;
        H5Z_filter_t id = H5Pget_filter2(list, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0)
            e = vel_fail(ctx, VEL_EFORMAT, "%s is compressed by HDF5 filter %d (%s), which is not there", name, (int)id,
                         filter_name(id));
    }
    if (list >= 0) H5Pclose(list);
    return e;
}

vel_err vel_h5_check_readable(vel_ctx *ctx, hid_t dataset, const char *name) {
    const hssize_t suspicious = (hssize_t)1 << 30;
    char claim[VEL_H5_CLAIM];
    hid_t space = H5Dget_space(dataset);
    hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    if (space >= 0) H5Sclose(space);
    if (n >= suspicious && H5Dget_storage_size(dataset) == 0)
        return vel_fail(ctx, VEL_EFORMAT, "%s claims to have %lld elements but holds nothing", name, (long long)n);
    if (vel_h5_claims_too_much(dataset, claim)) return vel_fail(ctx, VEL_EFORMAT, "%s %s", name, claim);
    VEL_TRY(vel_h5_check_sources(ctx, dataset, name));
    VEL_TRY(check_filters(ctx, dataset, name));
    return vel_h5_check_lengths(ctx, dataset);
}
