/* Links: which are followed, and where following ends. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5ad_impl.h"

bool vel_h5ad_exists(const vel_h5ad *h, const char *object) {
    char part[1024];
    size_t n = strlen(object);
    if (n >= sizeof part) return false;
    for (size_t i = 1; i <= n; i++) { /* every group above must be there before HDF5 may be asked */
        if (i < n && object[i] != '/') continue;
        memcpy(part, object, i);
        part[i] = 0;
        if (H5Lexists(h->file, part, H5P_DEFAULT) <= 0) return false;
    }
    return H5Oexists_by_name(h->file, object, H5P_DEFAULT) > 0;
}

bool vel_h5ad_enter(hid_t group, const vel_h5ad_trail *up, vel_h5ad_trail *here) {
    enum { DEEPEST = 64 };
    H5O_info_t info;
    if (H5Oget_info2(group, &info, H5O_INFO_BASIC) < 0) return false;
    *here = (vel_h5ad_trail){up, info.fileno, info.addr, up ? up->depth + 1 : 1};
    for (; up; up = up->up)
        if (up->file == info.fileno && up->address == info.addr) return false;
    return here->depth <= DEEPEST;
}

/* One field, though it is a group. */
static bool is_one_field(vel_ctx *ctx, const vel_h5ad *h, const char *object) {
    H5_OWNED hid_t group = H5Gopen2(h->file, object, H5P_DEFAULT);
    vel_mark mark = vel_arena_mark(ctx->scratch);
    char *word = NULL;
    bool is_old;
    vel_lies lies =
        group >= 0 && !vel_h5ad_word_of(ctx, group, &word, &is_old) ? vel_h5ad_lies_of(word) : VEL_LIES_GROUP;
    vel_arena_release(ctx->scratch, mark);
    return lies == VEL_LIES_ROWS || lies == VEL_LIES_COLUMNS || lies == VEL_LIES_CATEGORICAL ||
           lies == VEL_LIES_NULLABLE;
}

/* A mapping of AnnData's own, as obs, var and raw are: who moves one elsewhere leaves a link in its place. */
static bool is_mapping(const char *object) {
    static const char *const names[] = {"layers", "obsm", "varm", "obsp", "varp", "uns"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], object)) return true;
    return false;
}

static bool is_followed(vel_ctx *ctx, const vel_h5ad *h, const char *object, H5O_type_t type) {
    if (type == H5O_TYPE_DATASET) return true;
    return type == H5O_TYPE_GROUP && (is_mapping(object) || is_one_field(ctx, h, object));
}

bool vel_h5ad_is_link(vel_ctx *ctx, const vel_h5ad *h, const char *object) {
    H5L_info_t link;
    H5O_info_t info;
    if (H5Lget_info(h->file, object, &link, H5P_DEFAULT) < 0 || link.type == H5L_TYPE_HARD) return false;
    if (H5Oget_info_by_name2(h->file, object, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return true;
    return !is_followed(ctx, h, object, info.type);
}

/* The whole name of a file that is open. NULL: it has gone. To be freed. */
static char *name_of(hid_t object) {
    char name[PATH_MAX];
    ssize_t n = object < 0 ? -1 : H5Fget_name(object, name, sizeof name);
    return n > 0 && n < PATH_MAX ? realpath(name, NULL) : NULL;
}

static bool lie_together(const char *a, const char *b) {
    size_t n = (size_t)(strrchr(a, '/') - a);
    return n == (size_t)(strrchr(b, '/') - b) && !strncmp(a, b, n);
}

bool vel_h5ad_move_link(const vel_h5ad_output *out, const char *from, const char *object, hid_t links) {
    H5L_info_t info;
    char value[2 * PATH_MAX];
    const char *file, *path;
    unsigned flags;
    if (H5Lget_info(out->from->file, from, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_EXTERNAL) return false;
    if (info.u.val_size > sizeof value || H5Lget_val(out->from->file, from, value, sizeof value, H5P_DEFAULT) < 0 ||
        H5Lunpack_elink_val(value, info.u.val_size, &flags, &file, &path) < 0 || file[0] == '/')
        return false;
    H5_OWNED hid_t led_to = H5Oopen(out->from->file, from, H5P_DEFAULT);
    if (led_to < 0) H5Eclear2(H5E_DEFAULT);
    char *whole = name_of(led_to), *old = name_of(out->from->file), *new = name_of(out->file);
    bool moved = whole && old && new && !lie_together(old, new) &&
                 H5Lcreate_external(whole, path, out->file, object, links, H5P_DEFAULT) >= 0;
    free(whole);
    free(old);
    free(new);
    return moved;
}
