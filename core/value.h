/* value.h - the value of an option as a user wrote it: a scalar, nothing, or a list of them. */
#ifndef VEL_CORE_VALUE_H
#define VEL_CORE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { VEL_VNONE, VEL_VBOOL, VEL_VINT, VEL_VREAL, VEL_VTEXT, VEL_VLIST } vel_value_kind;

/* Whoever made it owns the text and the items: for options that is the recipe, which outlives the step. */
typedef struct vel_value {
    vel_value_kind kind;
    bool boolean;
    int64_t integer;
    double real; /* set for VEL_VINT too */
    const char *text;
    const struct vel_value *items;
    int64_t n_items;
} vel_value;

static inline bool vel_is_none(const vel_value *v) { return v->kind == VEL_VNONE; }
static inline bool vel_is_number(const vel_value *v) { return v->kind == VEL_VINT || v->kind == VEL_VREAL; }
static inline bool vel_is_false(const vel_value *v) { return v->kind == VEL_VBOOL && !v->boolean; }
static inline bool vel_is_true(const vel_value *v) { return v->kind == VEL_VBOOL && v->boolean; }

#endif
