/* velocity_screen.h - the likeliest state of every cell in eight genes at a time, most of them without the averages
 * that say so.
 *
 * Only the order of the averages is wanted, and which of them are below a limit. So distances are kept in 16 bits, 64
 * bytes a cell for the four states of eight genes, and summed in single precision, in any order; a sum is known to
 * about a two-thousandth of itself. Where that does not tell, a cell's averages are formed as core/velocity_kinds.h
 * forms them, which is the oracle. Ties are common: a cell all of whose neighbours are at the time 0 is as far from the
 * branch "on" as from the steady state that it starts in, bit for bit, and the first of equals is the likelier. */
#ifndef VEL_CORE_VELOCITY_SCREEN_H
#define VEL_CORE_VELOCITY_SCREEN_H

#include "core/velocity_kinds.h"

/* The states of all cells in count <= VEL_DYNAMICAL_GENES genes, to rooms->kinds, in which genes from `count` on are
 * overwritten, too; so is rooms->x. Bit g of the result: those of gene g are not there, since something in it is not
 * finite, its scale is out of reach, or too many cells are near to call. opts->nearby is there, opts->latent_time is
 * not. Cannot fail and allocates nothing. O(n degree), beside four exp a cell and gene. */
unsigned vel_velocity_screen(const vel_velocity_engine *e, const vel_dynamical_opts *opts, int count,
                             const vel_velocity_model *models, const vel_dynamical_gene *genes,
                             const vel_velocity_rooms *rooms);

#endif
