#include <stddef.h>

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

static char same_dash(char c) { return c == '-' ? '_' : c; }

static int same_name(const char *a, const char *b) {
    while (*a && same_dash(*a) == same_dash(*b)) a++, b++;
    return !*a && !*b;
}

const vel_step *vel_step_find(const char *name) {
    for (int i = 0; i < vel_n_steps; i++)
        if (same_name(vel_steps[i]->name, name)) return vel_steps[i];
    return NULL;
}
