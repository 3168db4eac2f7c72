#include "io/h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/h5_filters.h"
#include "io/h5_foreign.h"
#include "io/h5_lengths.h"

/* Every call forgets the reason of a failure before it: one that closes on the way to telling it must not. */
void vel_h5_close(hid_t *id) {
    hid_t reasons = *id >= 0 && H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : -1;
    if (*id >= 0) H5Idec_ref(*id);
    if (reasons >= 0) H5Eset_current_stack(reasons); /* which closes it */
    *id = -1;
}

/* ---- errors */

static herr_t innermost(unsigned n, const H5E_error2_t *error, void *text) {
    if (n == 0 && error->desc) snprintf(text, 256, "%s", error->desc);
    return n > 0;
}

static void hdf5_reason(char text[256]) {
    text[0] = 0;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, text);
    H5Eclear2(H5E_DEFAULT);
}

/* Of a failed system call HDF5 tells everything, the time included: the system's word is enough. */
static void shorten(char *text) {
    static const char mark[] = "error message = '";
    char *word = strstr(text, mark), *end = word ? strchr(word + sizeof mark - 1, '\'') : NULL;
    if (!end) return;
    *end = 0;
    memmove(text, word + sizeof mark - 1, strlen(word + sizeof mark - 1) + 1);
}

vel_err vel_h5_fail(vel_ctx *ctx, vel_err e, const char *format, ...) {
    char text[768], reason[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hdf5_reason(reason);
    shorten(reason);
    return vel_fail(ctx, e, "%s%s%s%s", text, reason[0] ? " (HDF5: " : "", reason, reason[0] ? ")" : "");
}

vel_err vel_h5_at(vel_ctx *ctx, vel_err e, hid_t object) {
    char path[512] = "", file[512] = "", where[sizeof path + sizeof file + 4];
    H5Iget_name(object, path, sizeof path);
    H5Fget_name(object, file, sizeof file);
    H5Eclear2(H5E_DEFAULT);
    snprintf(where, sizeof where, "%s of %s", path[0] == '/' && path[1] ? path + 1 : path, file);
    return vel_fail_at(ctx, e, where);
}

/* ---- files */

/* HDF5 would keep what it has read of text (the global heap), 80 bytes a cell's name: nobody reads it twice. */
static void keep_little(hid_t list) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(list, &cache) < 0) return;
    cache.set_initial_size = true;
    cache.initial_size = cache.max_size = cache.min_size = 1 << 18;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    H5Pset_mdc_config(list, &cache);
}

static hid_t access_list(bool locking) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    keep_little(list);
    H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    H5Pset_file_locking(list, locking, true);
    return list;
}

static bool is_lock_refused(const char *reason) {
    return strstr(reason, "lock file") && !strstr(reason, "errno = 11,");
}

/* Opening a pipe waits for somebody to write into it: only a file on a disk has a beginning and an end. */
static bool is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && !S_ISBLK(st.st_mode);
}

vel_err vel_h5_open(vel_ctx *ctx, const char *path, hid_t *file) {
    if (is_special(path)) return vel_fail(ctx, VEL_EREAD, "%s cannot be opened as HDF5 (no regular file)", path);
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    vel_h5_register_filters();
    H5_OWNED hid_t locking = access_list(true), free_of_locks = access_list(false);
    *file = H5Fopen(path, H5F_ACC_RDONLY, locking);
    if (*file >= 0) return VEL_OK;
    char reason[256];
    hdf5_reason(reason);
    if (is_lock_refused(reason)) *file = H5Fopen(path, H5F_ACC_RDONLY, free_of_locks);
    if (*file >= 0) return VEL_OK;
    if (strstr(reason, "lock file")) return vel_fail(ctx, VEL_EREAD, "%s is being written by another program", path);
    shorten(reason);
    return vel_fail(ctx, VEL_EREAD, "%s cannot be opened as HDF5 (%s)%s", path, reason, vel_foreign_file(path));
}

vel_err vel_h5_create(vel_ctx *ctx, const char *path, hid_t *file) {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    vel_h5_register_filters();
    H5_OWNED hid_t access = access_list(false); /* nobody else knows the file yet */
    *file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    return *file >= 0 ? VEL_OK : vel_h5_fail(ctx, VEL_EWRITE, "%s cannot be created", path);
}

int vel_h5_descriptor(hid_t file) {
    H5_OWNED hid_t access = H5Fget_access_plist(file);
    int *fd = NULL;
    bool is_plain =
        access >= 0 && H5Pget_driver(access) == H5FD_SEC2 && H5Fget_vfd_handle(file, access, (void **)&fd) >= 0 && fd;
    if (!is_plain) H5Eclear2(H5E_DEFAULT);
    return is_plain ? *fd : -1;
}

vel_err vel_h5_check_whole(vel_ctx *ctx, hid_t file, const char *name) {
    struct stat st;
    hsize_t size;
    int fd = vel_h5_descriptor(file);
    bool is_known = fd >= 0 && H5Fget_filesize(file, &size) >= 0;
    if (!is_known || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (hsize_t)st.st_size >= size) return VEL_OK;
    return vel_fail(ctx, VEL_EREAD, "%s cannot be read (the file has become shorter)", name);
}

void vel_h5_abandon(hid_t file) {
    int fd = vel_h5_descriptor(file), nowhere = memfd_create("vel", MFD_CLOEXEC);
    if (nowhere >= 0 && fd >= 0) dup2(nowhere, fd);
    if (nowhere >= 0) close(nowhere);
    H5Eclear2(H5E_DEFAULT);
}

/* ---- reading attributes */

bool vel_h5_has_attr(hid_t object, const char *name) { return H5Aexists(object, name) > 0; }

static int64_t count_of(hid_t attribute) {
    H5_OWNED hid_t space = H5Aget_space(attribute);
    return space >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL ? H5Sget_simple_extent_npoints(space) : 0;
}

static vel_err read_variable(vel_ctx *ctx, hid_t attribute, hid_t type, int64_t n, char **texts) {
    H5_OWNED hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    memset(texts, 0, (size_t)n * sizeof *texts);
    if (H5Aread(attribute, memory, texts) < 0) return vel_h5_fail(ctx, VEL_EREAD, "an attribute cannot be read");
    vel_err e = VEL_OK;
    for (int64_t i = 0; i < n; i++) {
        char *kept = vel_arena_strdup(ctx->scratch, texts[i] ? texts[i] : "");
        if (!kept) e = vel_no_memory(ctx, 1, 1);
        H5free_memory(texts[i]);
        texts[i] = kept;
    }
    return e;
}

static vel_err read_fixed(vel_ctx *ctx, hid_t attribute, hid_t type, int64_t n, char **texts) {
    size_t size = H5Tget_size(type) + 1;
    H5_OWNED hid_t memory = H5Tcopy(type);
    H5Tset_size(memory, size);
    H5Tset_strpad(memory, H5T_STR_NULLTERM);
    char *bytes = vel_arena_zalloc(ctx->scratch, (size_t)n, size);
    if (!bytes) return vel_no_memory(ctx, (size_t)n, size);
    if (H5Aread(attribute, memory, bytes) < 0) return vel_h5_fail(ctx, VEL_EREAD, "an attribute cannot be read");
    for (int64_t i = 0; i < n; i++) texts[i] = bytes + (size_t)i * size;
    return VEL_OK;
}

vel_err vel_h5_attr_texts(vel_ctx *ctx, hid_t object, const char *name, char ***texts, int64_t *n) {
    *texts = NULL;
    *n = 0;
    if (!vel_h5_has_attr(object, name)) return VEL_OK;
    H5_OWNED hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return vel_h5_fail(ctx, VEL_EREAD, "attribute %s cannot be opened", name);
    H5_OWNED hid_t type = H5Aget_type(attribute);
    int64_t count = count_of(attribute);
    if (H5Tget_class(type) != H5T_STRING || count < 0) return VEL_OK;
    char **made;
    VEL_TRY(VEL_ALLOC(ctx, made, count));
    VEL_TRY(vel_h5_check_lengths(ctx, attribute));
    if (count > 0) {
        vel_err e = H5Tis_variable_str(type) > 0 ? read_variable(ctx, attribute, type, count, made)
                                                 : read_fixed(ctx, attribute, type, count, made);
        if (e) return e == VEL_EREAD ? vel_h5_at(ctx, e, object) : e;
    }
    *texts = made;
    *n = count;
    return VEL_OK;
}

vel_err vel_h5_attr_text(vel_ctx *ctx, hid_t object, const char *name, char **text) {
    char **texts;
    int64_t n;
    VEL_TRY(vel_h5_attr_texts(ctx, object, name, &texts, &n));
    *text = texts && n == 1 ? texts[0] : NULL;
    return VEL_OK;
}

int vel_h5_attr_ints(hid_t object, const char *name, int64_t *values, int most) {
    if (!vel_h5_has_attr(object, name)) return 0;
    H5_OWNED hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    int64_t n = count_of(attribute);
    if (H5Tget_class(type) != H5T_INTEGER || n < 1 || n > most) return 0;
    return H5Aread(attribute, H5T_NATIVE_INT64, values) < 0 ? 0 : (int)n;
}

/* ---- writing attributes */

static vel_err put_attribute(vel_ctx *ctx, hid_t object, const char *name, hid_t type, hid_t memory, hid_t space,
                             const void *values) {
    if (vel_h5_has_attr(object, name)) H5Adelete(object, name);
    H5_OWNED hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || (values && H5Awrite(attribute, memory, values) < 0))
        return vel_h5_fail(ctx, VEL_EWRITE, "attribute %s cannot be written", name);
    return VEL_OK;
}

vel_err vel_h5_put_text(vel_ctx *ctx, hid_t object, const char *name, const char *text) {
    H5_OWNED hid_t type = vel_h5_text_type(), space = H5Screate(H5S_SCALAR);
    return put_attribute(ctx, object, name, type, type, space, &text);
}

vel_err vel_h5_put_texts(vel_ctx *ctx, hid_t object, const char *name, const char *const *texts, int64_t n) {
    hsize_t dims = (hsize_t)n;
    H5_OWNED hid_t type = vel_h5_text_type(), space = H5Screate_simple(1, &dims, NULL);
    return put_attribute(ctx, object, name, type, type, space, n ? texts : NULL);
}

vel_err vel_h5_put_bool(vel_ctx *ctx, hid_t object, const char *name, bool value) {
    H5_OWNED hid_t type = vel_h5_bool_type(), space = H5Screate(H5S_SCALAR);
    int8_t byte = value;
    return put_attribute(ctx, object, name, type, type, space, &byte);
}

vel_err vel_h5_put_ints(vel_ctx *ctx, hid_t object, const char *name, const int64_t *values, int n) {
    hsize_t dims = (hsize_t)n;
    H5_OWNED hid_t space = H5Screate_simple(1, &dims, NULL);
    return put_attribute(ctx, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
}

/* ---- names and shapes */

vel_err vel_h5_join(vel_ctx *ctx, const char *a, const char *b, const char **joined) {
    size_t n = strlen(a) + strlen(b) + 2;
    char *made = vel_arena_alloc(ctx->scratch, n, 1);
    if (!made) return vel_no_memory(ctx, n, 1);
    snprintf(made, n, "%s/%s", a, b);
    *joined = made;
    return VEL_OK;
}

int vel_h5_shape(hid_t dataset, hsize_t *dims) {
    H5_OWNED hid_t space = H5Dget_space(dataset);
    if (space < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) return -1;
    return H5Sget_simple_extent_dims(space, dims, NULL);
}

/* HDF5 tells the size of an element in memory: references and sequences have the same in the file if its addresses are
 * as wide as ours, as they nearly always are. */
static bool has_wide_addresses(hid_t dataset) {
    H5_OWNED hid_t file = H5Iget_file_id(dataset), list = H5Fget_create_plist(file);
    size_t address = 0, length = 0;
    return list >= 0 && H5Pget_sizes(list, &address, &length) >= 0 && address == sizeof(haddr_t);
}

bool vel_h5_claims_too_much(hid_t dataset, char text[VEL_H5_CLAIM]) {
    H5_OWNED hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    if (list < 0 || type < 0 || space < 0 || H5Pget_layout(list) == H5D_CHUNKED) return false;
    if (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) != 0) return false;
    hssize_t n = H5Sget_simple_extent_npoints(space);
    hsize_t claimed = n < 0 ? 0 : (hsize_t)n;
    hsize_t stored = H5Dget_storage_size(dataset); /* 0: nothing was written, all elements are as a fill value says */
    if (!stored || claimed <= stored / H5Tget_size(type) || !has_wide_addresses(dataset)) return false;
    snprintf(text, VEL_H5_CLAIM, "claims to have %llu elements, but only %llu bytes are stored",
             (unsigned long long)claimed, (unsigned long long)stored);
    return true;
}

/* Elements of a dataset that have a place in the file, at most; of what lies in other files all. */
static hsize_t written(hid_t dataset, hid_t list, hid_t space, hsize_t claimed) {
    hsize_t chunk[VEL_H5_DIMS], chunks = 0, each = 1;
    H5D_layout_t layout = H5Pget_layout(list);
    if (layout == H5D_VIRTUAL || H5Pget_external_count(list) != 0) return claimed;
    if (layout != H5D_CHUNKED) return H5Dget_storage_size(dataset) ? claimed : 0;
    int ndim = H5Pget_chunk(list, VEL_H5_DIMS, chunk);
    if (ndim < 0 || H5Dget_num_chunks(dataset, space, &chunks) < 0) return claimed;
    for (int i = 0; i < ndim && i < VEL_H5_DIMS; i++) each *= chunk[i];
    return each && chunks > claimed / each ? claimed : chunks * each;
}

bool vel_h5_lacks_names(hid_t dataset, char text[VEL_H5_CLAIM]) {
    const hsize_t many = 1 << 20;
    H5_OWNED hid_t list = H5Dget_create_plist(dataset), space = H5Dget_space(dataset);
    hssize_t n = list < 0 || space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    hsize_t claimed = n < 0 ? 0 : (hsize_t)n;
    if (claimed < many) return false;
    hsize_t there = written(dataset, list, space, claimed);
    if (claimed - there < many) return false;
    snprintf(text, VEL_H5_CLAIM, "claims to have %llu names, but only %llu were written", (unsigned long long)claimed,
             (unsigned long long)there);
    return true;
}
