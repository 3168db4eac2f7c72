typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

#define load_f32(x) ((quad){(double)(x)[0], (double)(x)[1], (double)(x)[2], (double)(x)[3]})
#define load_f64(x) (*(const quad *)(const void *)(x))

#define PANEL_ADD vel_panel_add_plain
#define PANEL_DOT vel_panel_dot_plain
#include "core/panel_lanes.h"
