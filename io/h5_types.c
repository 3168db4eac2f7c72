/* HDF5's number types and ours. */
#include <string.h>

#include "io/h5.h"

hid_t vel_h5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

hid_t vel_h5_bool_type(void) {
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tenum_insert(type, "FALSE", &(int8_t){0});
    H5Tenum_insert(type, "TRUE", &(int8_t){1});
    return type;
}

hid_t vel_h5_native(vel_type type) {
    switch (type) {
        case VEL_BOOL:
        case VEL_I8:
            return H5T_NATIVE_INT8;
        case VEL_I16:
            return H5T_NATIVE_INT16;
        case VEL_I32:
            return H5T_NATIVE_INT32;
        case VEL_I64:
            return H5T_NATIVE_INT64;
        case VEL_U8:
            return H5T_NATIVE_UINT8;
        case VEL_U16:
            return H5T_NATIVE_UINT16;
        case VEL_U32:
            return H5T_NATIVE_UINT32;
        case VEL_U64:
            return H5T_NATIVE_UINT64;
        case VEL_F32:
            return H5T_NATIVE_FLOAT;
        case VEL_F64:
            return H5T_NATIVE_DOUBLE;
        default:
            return -1;
    }
}

hid_t vel_h5_file_type(vel_type type) {
    if (type == VEL_BOOL) return vel_h5_bool_type();
    hid_t made = H5Tcopy(vel_h5_native(type));
    H5Tset_order(made, H5T_ORDER_LE);
    return made;
}

static vel_type integer_type(hid_t type) {
    bool has_sign = H5Tget_sign(type) != H5T_SGN_NONE;
    switch (H5Tget_size(type)) {
        case 1:
            return has_sign ? VEL_I8 : VEL_U8;
        case 2:
            return has_sign ? VEL_I16 : VEL_U16;
        case 4:
            return has_sign ? VEL_I32 : VEL_U32;
        case 8:
            return has_sign ? VEL_I64 : VEL_U64;
        default:
            return VEL_NOTYPE;
    }
}

static vel_type float_type(hid_t type) {
    size_t size = H5Tget_size(type);
    return size == 2 ? VEL_F16 : size == 4 ? VEL_F32 : size >= 8 ? VEL_F64 : VEL_NOTYPE;
}

vel_type vel_h5_type_of(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
            return integer_type(type);
        case H5T_FLOAT:
            return float_type(type);
        case H5T_ENUM:
            return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 ? VEL_BOOL : VEL_NOTYPE;
        default:
            return VEL_NOTYPE;
    }
}

hid_t vel_h5_memory_type(hid_t type, vel_type to) {
    return H5Tget_class(type) == H5T_ENUM ? H5Tget_native_type(type, H5T_DIR_DEFAULT) : H5Tcopy(vel_h5_native(to));
}

bool vel_h5_holds_pointers(hid_t type) {
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_STRING) return H5Tis_variable_str(type) > 0;
    if (class == H5T_ARRAY) {
        H5_OWNED hid_t base = H5Tget_super(type);
        return vel_h5_holds_pointers(base);
    }
    int n = class == H5T_COMPOUND ? H5Tget_nmembers(type) : 0;
    for (int i = 0; i < n; i++) {
        H5_OWNED hid_t member = H5Tget_member_type(type, (unsigned)i);
        if (vel_h5_holds_pointers(member)) return true;
    }
    return class == H5T_VLEN;
}

bool vel_h5_is_big_endian(hid_t type) {
    H5T_class_t class = H5Tget_class(type);
    return (class == H5T_INTEGER || class == H5T_FLOAT) && H5Tget_size(type) > 1 && H5Tget_order(type) == H5T_ORDER_BE;
}
