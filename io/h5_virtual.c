#include "io/h5_virtual.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5.h"

static bool holds(const char *path, const char *object) {
    H5_OWNED hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5_OWNED hid_t there = file < 0 ? -1 : H5Dopen2(file, object, H5P_DEFAULT);
    H5Eclear2(H5E_DEFAULT);
    return there >= 0;
}

/* Where HDF5 looks: beside the file that the dataset is in, then as it is called. */
static bool is_there(hid_t dataset, const char *source, const char *object) {
    char own[PATH_MAX] = "", beside[2 * PATH_MAX];
    if (!strcmp(source, ".")) {
        H5_OWNED hid_t there = H5Dopen2(dataset, object, H5P_DEFAULT);
        H5Eclear2(H5E_DEFAULT);
        return there >= 0;
    }
    H5Fget_name(dataset, own, sizeof own);
    const char *slash = strrchr(own, '/');
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - own) + 1 : 0, own, source);
    return (*source != '/' && holds(beside, object)) || holds(source, object);
}

vel_err vel_h5_check_sources(vel_ctx *ctx, hid_t dataset, const char *name) {
    char source[PATH_MAX], object[1024];
    size_t n = 0;
    H5_OWNED hid_t list = H5Dget_create_plist(dataset);
    if (list < 0 || H5Pget_layout(list) != H5D_VIRTUAL || getenv("HDF5_VDS_PREFIX")) return VEL_OK;
    if (H5Pget_virtual_count(list, &n) < 0) return vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", name);
    for (size_t i = 0; i < n; i++) {
        if (H5Pget_virtual_filename(list, i, source, sizeof source) < 0 ||
            H5Pget_virtual_dsetname(list, i, object, sizeof object) < 0)
            return vel_h5_fail(ctx, VEL_EREAD, "%s cannot be read", name);
        if (strchr(source, '%') || strchr(object, '%') || is_there(dataset, source, object)) continue;
        return vel_fail(ctx, VEL_EREAD, "%s is virtual, and %s of %s, where its elements lie, is not there", name,
                        object, source);
    }
    return VEL_OK;
}
