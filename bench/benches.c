#include "bench/benches.h"

#include <math.h>

/* One job, every gene, no alignment; the velocity by the steady state. */
#define FIT "recover_dynamics var_names=all t_max=false"
#define FIT_VELOCITY FIT " | velocity mode=deterministic"
#define FIT_VELOCITY_GRAPH FIT_VELOCITY " | velocity_graph"

enum { MINUTES = 60, HOURS = 3600 };

/* The memory of a laptop, for the bench that asks who gets through with it. */
static const int64_t laptop = INT64_C(8) << 30;

const bench_row bench_rows[] = {
    {"speed_recover_dynamics_5k", BENCH_SPEED, BENCH_QUICK, 5000, 50, "", FIT, false, 30 * MINUTES, 0},
    {"speed_velocity_20k", BENCH_SPEED, BENCH_QUICK, 20000, 100, "", FIT_VELOCITY, false, 30 * MINUTES, 0},
    {"speed_velocity_graph_20k", BENCH_SPEED, BENCH_QUICK, 20000, 100, "", FIT_VELOCITY_GRAPH, false, 30 * MINUTES, 0},
    {"speed_full_pipeline_50k", BENCH_SPEED, BENCH_LONG, 50000, 100, "", FIT_VELOCITY_GRAPH, true, 2 * HOURS, 0},
    {"speed_recover_dynamics_100k", BENCH_SPEED, BENCH_LONG, 100000, 30, "", FIT, true, 2 * HOURS, 0},
    {"speed_compute_dynamics_5k", BENCH_SPEED, BENCH_QUICK, 5000, 50, FIT, "compute_dynamics", false, 30 * MINUTES, 0},
    {"mem_recover_dynamics_5k", BENCH_MEMORY, BENCH_QUICK, 5000, 50, "", FIT, false, 30 * MINUTES, 0},
    {"mem_velocity_graph_20k", BENCH_MEMORY, BENCH_QUICK, 20000, 100, "", FIT_VELOCITY_GRAPH, false, 30 * MINUTES, 0},
    {"mem_steady_state_layers", BENCH_MEMORY, BENCH_QUICK, 5000, 200, "", FIT_VELOCITY_GRAPH, false, 30 * MINUTES, 0},
    {"mem_full_pipeline_50k", BENCH_MEMORY, BENCH_LONG, 50000, 100, "", FIT_VELOCITY_GRAPH, false, 2 * HOURS, 0},
    {"mem_oom_crash_100k", BENCH_MEMORY, BENCH_LONG, 100000, 30, "", FIT_VELOCITY_GRAPH, false, 2 * HOURS, laptop},
    {"vendor_pancreas_tutorial", BENCH_VENDOR, BENCH_LONG, 3696, 2000, "", "pancreas_tutorial", true, 6 * HOURS, 0},
    {"vendor_cellrank2_hematopoiesis", BENCH_VENDOR, BENCH_LONG, 24000, 2000, "", "cellrank2_hematopoiesis", true,
     6 * HOURS, 0},
    {"vendor_mouse_gastrulation_atlas", BENCH_VENDOR, BENCH_EXTRA_LONG, 116000, 2000, "", "mouse_gastrulation_atlas",
     true, 24 * HOURS, 0},
    {"vendor_pbmc68k_pipeline", BENCH_VENDOR, BENCH_EXTRA_LONG, 68579, 2000, "", "pbmc68k_pipeline", true, 24 * HOURS,
     0},
    {"vendor_gastrulation_e75_diffkinetics", BENCH_VENDOR, BENCH_EXTRA_LONG, 21167, 2000, "",
     "gastrulation_e75_diffkinetics", true, 24 * HOURS, 0},
};
const int bench_n_rows = (int)(sizeof bench_rows / sizeof bench_rows[0]);

const char *bench_kind_word(bench_kind kind) {
    static const char *const words[] = {"speed", "memory", "vendor"};
    return words[kind];
}

const char *bench_tier_word(bench_tier tier) {
    static const char *const words[] = {"quick", "long", "extra-long"};
    return words[tier];
}

int64_t bench_scaled_cells(const bench_row *row, double scale) {
    if (scale == 1) return row->cells;
    const int64_t n = (int64_t)rint((double)row->cells * scale);
    return n > BENCH_LEAST_CELLS ? n : BENCH_LEAST_CELLS;
}
