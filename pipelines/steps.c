#include <stddef.h>

#include "core/near.h"
#include "pipelines/step.h"

#define STEP(name) extern const vel_step vel_step_##name;
#include "pipelines/steps.def"
#undef STEP

const vel_step *const vel_steps[] = {
#define STEP(name) &vel_step_##name,
#include "pipelines/steps.def"
#undef STEP
    NULL,
};
const int vel_n_steps = (int)(sizeof vel_steps / sizeof *vel_steps) - 1;

const vel_step *vel_step_find(const char *name) {
    for (int i = 0; i < vel_n_steps; i++)
        if (vel_same_name(vel_steps[i]->name, name)) return vel_steps[i];
    return NULL;
}
