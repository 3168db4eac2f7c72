/* told.h - whether what a program told on stdout has come out. */
#ifndef VEL_PIPELINES_TOLD_H
#define VEL_PIPELINES_TOLD_H

#include "core/ctx.h"

/* To be called by a program before it ends. VEL_EWRITE says why it has not; a reader that left early (`vel steps |
 * head`) is content. */
vel_err vel_told(vel_ctx *ctx) VEL_CHECKED;

#endif
