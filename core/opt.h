/* opt.h - options as rows: one row gives the flag, the recipe key, the type, the default, the help line and the record
 * in the output file.
 *
 *     typedef struct { int64_t n_neighbors; vel_value n_pcs; const char *mode; } moments_opts;
 *     static const vel_opt opts[] = {
 *         VEL_OPT(moments_opts, n_neighbors, VEL_OINT, "30", "at least 1", "neighbours a cell, itself included"),
 *         VEL_OPT(moments_opts, n_pcs, VEL_OCOUNT, "none", "at least 0", "principal components; none: all there are"),
 *         VEL_OPT(moments_opts, mode, VEL_OTEXT, "connectivities", "connectivities|distances", "which graph"),
 *         {0}};
 */
#ifndef VEL_CORE_OPT_H
#define VEL_CORE_OPT_H

#include <stddef.h>

#include "core/ctx.h"
#include "core/value.h"

typedef enum {
    VEL_OBOOL,   /* bool */
    VEL_OINT,    /* int64_t */
    VEL_OREAL,   /* double; an integer is taken too, NaN is not */
    VEL_OTEXT,   /* const char *; NULL for none, if the default is none */
    VEL_OSWITCH, /* vel_value: true, false or none */
    VEL_OCOUNT,  /* vel_value: a whole number or none */
    VEL_ONUMBER, /* vel_value: a number or none */
    VEL_OANY,    /* vel_value: none, bool, number, text or list; the step checks what it is given */
} vel_opt_type;

typedef struct {
    const char *name; /* scVelo's parameter name; NULL ends the table */
    vel_opt_type type;
    size_t offset;
    const char *def;     /* as a user would write it: "30", "none", "[5, 95]" */
    const char *choices; /* "a|b|c": the words allowed (VEL_OTEXT; for VEL_OANY: the words allowed beside other kinds);
                            of a kind of number its range: "at least 1", "above 0", "0 to 100", without
                            infinity; "0 to inf" has it; NULL: any */
    const char *help;
} vel_opt;

#define VEL_OPT(type_, field, kind, def, choices, help) \
    { #field, kind, offsetof(type_, field), def, choices, help }

/* The range of a row of numbers; NULL: any number, or no row of numbers. */
const char *vel_opt_range(const vel_opt *row);

/* The row of that name; '-' and '_' are the same. NULL: there is none. */
const vel_opt *vel_opt_find(const vel_opt *rows, const char *name);

/* The row whose name is nearest to a mistyped one; NULL if none is near. */
const vel_opt *vel_opt_nearest(const vel_opt *rows, const char *name);

/* Writes a value into the option struct. VEL_EUSAGE names the option, what it takes and what was given. */
vel_err vel_opt_set(vel_ctx *ctx, const vel_opt *row, const vel_value *value, void *opts) VEL_CHECKED;

/* How a value is refused that an option does not take, by whoever looks at it: VEL_EUSAGE. */
vel_err vel_opt_refuse(vel_ctx *ctx, const char *option, const char *takes, const vel_value *found) VEL_CHECKED;

/* The value that the struct holds. */
vel_value vel_opt_get(const vel_opt *row, const void *opts);

#endif
