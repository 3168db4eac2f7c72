/* velocity.h - what the modes of the step velocity share: options, layers, the deterministic fit of every gene. */
#ifndef VEL_PIPELINES_VELOCITY_H
#define VEL_PIPELINES_VELOCITY_H

#include "core/steady_state.h"
#include "core/text.h"
#include "core/value.h"
#include "pipelines/columns.h"

typedef struct {
    const char *vkey, *mode;
    bool fit_offset, fit_offset2, filter_genes;
    vel_value groups;
    const char *groupby;
    vel_value groups_for_fit, constrain_ratio;
    bool use_raw;
    vel_value use_latent_time, perc, min_r2, min_likelihood, r2_adjusted, use_highly_variable, diff_kinetics;
} vel_velocity_options;

/* The settings of the deterministic fit that the options ask for. r2_adjusted: what none means. */
vel_err vel_velocity_settings(vel_ctx *ctx, const vel_velocity_options *o, bool r2_adjusted,
                              vel_steady_opts *settings) VEL_CHECKED;

/* var/highly_variable if it is there and counts, else NULL. */
vel_err vel_velocity_variable_genes(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o,
                                    uint8_t **variable) VEL_CHECKED;

/* The layers that are fitted, and the type they are read in: double unless both are float32. */
typedef struct {
    const char *s, *u;
    vel_type type;
} vel_velocity_layers;
vel_velocity_layers vel_velocity_layers_of(const vel_adata *ad, bool use_raw);

/* The deterministic fit of every gene on some cells; fits[n_vars] out. Its velocities go to the layer `layer`, which is
 * there (NULL: not wanted). settings.fit_cells counts within these cells. */
typedef struct {
    vel_steady_opts settings;
    vel_velocity_layers layers;
    vel_chosen_cells cells;
    const char *layer;
} vel_steady_run;
vel_err vel_velocity_steady_fits(vel_ctx *ctx, vel_adata *ad, const vel_steady_run *run, vel_steady *fits) VEL_CHECKED;

/* scvelo 0.3.4: least steady-state ratio of a velocity gene. */
#define VEL_MIN_RATIO 0.01

/* vel_step.share: the deterministic fit of some hundred genes on some hundred cells from all over the file.
 * VEL_ENONE where it goes otherwise, by groups or in the dynamical modes, and where much would have to be read: of
 * sparse layers of more than some million entries, of dense ones in large chunks. */
vel_err vel_velocity_share(vel_ctx *ctx, const vel_adata *ad, const void *opts, double *share) VEL_CHECKED;

/* The modes. Each writes its layers and columns; the step does the rest. */
vel_err vel_velocity_steady(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) VEL_CHECKED;
vel_err vel_velocity_dynamical(vel_ctx *ctx, vel_adata *ad, const vel_velocity_options *o) VEL_CHECKED;

#endif
