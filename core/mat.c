#include "core/mat.h"

static const struct {
    size_t size;
    const char *name;
} rows[] = {
    [VEL_NOTYPE] = {0, "none"}, [VEL_BOOL] = {1, "bool"},  [VEL_I8] = {1, "int8"},     [VEL_I16] = {2, "int16"},
    [VEL_I32] = {4, "int32"},   [VEL_I64] = {8, "int64"},  [VEL_U8] = {1, "uint8"},    [VEL_U16] = {2, "uint16"},
    [VEL_U32] = {4, "uint32"},  [VEL_U64] = {8, "uint64"}, [VEL_F16] = {2, "float16"}, [VEL_F32] = {4, "float32"},
    [VEL_F64] = {8, "float64"},
};

size_t vel_type_size(vel_type t) { return rows[t].size; }

const char *vel_type_name(vel_type t) { return rows[t].name; }

vel_type vel_loaded_type(vel_type in_file) {
    switch (in_file) {
        case VEL_I32:
        case VEL_I64:
        case VEL_U32:
        case VEL_U64:
        case VEL_F64:
            return VEL_F64;
        default:
            return VEL_F32;
    }
}
