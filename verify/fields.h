/* fields.h - which fields of a file are compared: those that a step writes. */
#ifndef VEL_VERIFY_FIELDS_H
#define VEL_VERIFY_FIELDS_H

#include "pipelines/step.h"

typedef struct {
    const char *path;    /* in the reference */
    const char *step;    /* the first step that writes it */
    vel_shape shape;     /* as the step says */
    const char *mapping; /* the step names this mapping, not the member of it; NULL: it names the field */
    bool optional;       /* only a key that may mean any field covers it */
} vel_subject;

/* Whether it is drift that the result lacks the field: not if a step may write it but says neither its name nor that it
 * must be there, or if the mapping is there and only this member is not: other steps add to the same mapping. */
bool vel_subject_is_due(const vel_subject *s, const vel_adata *result);

/* The fields of `reference` that the steps write and `only` (a glob, '*' runs over '/'; NULL: all) matches, in the
 * file's order. A key's {vkey} stands for every vkey of the reference, found by its uns/VKEY_params ("velocity" if
 * there is none), its other options for their defaults, or for anything if that is none. A key that names a mapping
 * stands for what is in it.
 *
 *   steps    names with commas between them; NULL: every step. VEL_EUSAGE names an unknown one.
 *
 * Memory from ctx->scratch. */
vel_err vel_subjects_of(vel_ctx *ctx, vel_adata *reference, const char *steps, const char *only, vel_subject **subjects,
                        int64_t *n) VEL_CHECKED;

/* A key's name filled in so, in ctx->scratch: "layers/{vkey}_u" with vkey "v": "layers/v_u". */
vel_err vel_key_for(vel_ctx *ctx, const vel_step *step, const char *name, const char *vkey,
                    const char **path) VEL_CHECKED;

#endif
