#include "bench/benches.h"

#include <math.h>
#include <stddef.h>

/* One job, every gene, no alignment; the velocity by the steady state. */
#define FIT "recover_dynamics var_names=all t_max=false"
#define STEADY "velocity mode=deterministic"
#define FIT_VELOCITY FIT " | " STEADY
#define FIT_VELOCITY_GRAPH FIT_VELOCITY " | velocity_graph"

/* What fixtures hold. */
#define FILTERED "filter_genes min_shared_counts=5"
#define LOGGED "filter_and_normalize min_shared_counts=5 | log1p"
#define COMPONENTS LOGGED " | pca n_comps=30"
#define NEIGHBOURS COMPONENTS " | neighbors n_neighbors=30 n_pcs=30"
#define MOMENTS LOGGED " | moments n_pcs=30 n_neighbors=30"
#define MOMENTS_F64 MOMENTS " dtype=float64"

enum { MINUTES = 60, HOURS = 3600 };

/* The memory of a laptop, for the bench that asks who gets through with it. */
static const int64_t laptop = INT64_C(8) << 30;

/* Name, kind, tier, cells, genes. */
#define OF(called, sort, when, n_cells, n_genes) \
    .name = called, .kind = BENCH_##sort, .tier = BENCH_##when, .cells = n_cells, .genes = n_genes
#define STEP(called, n_cells, n_genes) OF("step_" called, STEP, STEPS, n_cells, n_genes), .limit_s = 30 * MINUTES
#define THREADS(called, n, n_cells, n_genes) \
    OF("threads_" called "_" #n, THREADS, STEPS, n_cells, n_genes), .threads = n, .limit_s = 30 * MINUTES

#define WHOLE(called, n_cells, n_genes) \
    OF("whole_" called, WHOLE, STEPS, n_cells, n_genes), .scope = BENCH_SCOPE_WHOLE, .limit_s = 30 * MINUTES
#define FILES(called, what)                                                                                       \
    OF("io_" called, IO, STEPS, 20000, 2000), .scope = BENCH_SCOPE_##what, .fixture = "", .without = "scvelo-rs", \
                                              .limit_s = 30 * MINUTES

const bench_row bench_rows[] = {
    /* ---- the published names */
    {OF("speed_recover_dynamics_5k", SPEED, QUICK, 5000, 50), .op = FIT, .limit_s = 30 * MINUTES},
    {OF("speed_velocity_20k", SPEED, QUICK, 20000, 100), .op = FIT_VELOCITY, .limit_s = 30 * MINUTES},
    {OF("speed_velocity_graph_20k", SPEED, QUICK, 20000, 100), .op = FIT_VELOCITY_GRAPH, .limit_s = 30 * MINUTES},
    {OF("speed_full_pipeline_50k", SPEED, LONG, 50000, 100), .op = FIT_VELOCITY_GRAPH, .parity = true,
     .limit_s = 2 * HOURS},
    {OF("speed_recover_dynamics_100k", SPEED, LONG, 100000, 30), .op = FIT, .parity = true, .limit_s = 2 * HOURS},
    {OF("speed_compute_dynamics_5k", SPEED, QUICK, 5000, 50), .before = FIT, .op = "compute_dynamics",
     .limit_s = 30 * MINUTES},
    {OF("mem_recover_dynamics_5k", MEMORY, QUICK, 5000, 50), .op = FIT, .limit_s = 30 * MINUTES},
    {OF("mem_velocity_graph_20k", MEMORY, QUICK, 20000, 100), .op = FIT_VELOCITY_GRAPH, .limit_s = 30 * MINUTES},
    {OF("mem_steady_state_layers", MEMORY, QUICK, 5000, 200), .op = FIT_VELOCITY_GRAPH, .limit_s = 30 * MINUTES},
    {OF("mem_full_pipeline_50k", MEMORY, LONG, 50000, 100), .op = FIT_VELOCITY_GRAPH, .limit_s = 2 * HOURS},
    {OF("mem_oom_crash_100k", MEMORY, LONG, 100000, 30), .op = FIT_VELOCITY_GRAPH, .limit_s = 2 * HOURS,
     .memory = laptop},
    {OF("vendor_pancreas_tutorial", VENDOR, LONG, 3696, 2000), .op = "pancreas_tutorial", .parity = true,
     .limit_s = 6 * HOURS},
    {OF("vendor_cellrank2_hematopoiesis", VENDOR, LONG, 24000, 2000), .op = "cellrank2_hematopoiesis", .parity = true,
     .limit_s = 6 * HOURS},
    {OF("vendor_mouse_gastrulation_atlas", VENDOR, EXTRA_LONG, 116000, 2000), .op = "mouse_gastrulation_atlas",
     .parity = true, .limit_s = 24 * HOURS},
    {OF("vendor_pbmc68k_pipeline", VENDOR, EXTRA_LONG, 68579, 2000), .op = "pbmc68k_pipeline", .parity = true,
     .limit_s = 24 * HOURS},
    {OF("vendor_gastrulation_e75_diffkinetics", VENDOR, EXTRA_LONG, 21167, 2000), .op = "gastrulation_e75_diffkinetics",
     .parity = true, .limit_s = 24 * HOURS},

    /* ---- every step alone; scvelo-rs where it has a kernel of its own */
    {STEP("simulate", 20000, 100), .op = "simulate", .without = "scvelo-rs"},
    {STEP("filter_genes", 20000, 100), .op = FILTERED, .fixture = "", .form = BENCH_COUNTS, .without = "scvelo-rs"},
    {STEP("normalize_per_cell", 20000, 100), .op = "normalize_per_cell", .fixture = "", .form = BENCH_COUNTS,
     .without = "scvelo-rs"},
    {STEP("filter_and_normalize", 20000, 100), .op = "filter_and_normalize min_shared_counts=5", .fixture = "",
     .form = BENCH_COUNTS, .without = "scvelo-rs"},
    {STEP("log1p", 20000, 100), .op = "log1p", .fixture = "filter_and_normalize min_shared_counts=5",
     .without = "scvelo-rs"},
    {STEP("highly_variable_genes", 20000, 100), .op = "highly_variable_genes n_top_genes=50", .fixture = LOGGED,
     .without = "scvelo-rs"},
    {STEP("pca", 20000, 100), .op = "pca n_comps=30", .fixture = LOGGED, .without = "scvelo-rs"},
    {STEP("pca_2000_genes", 3696, 2000), .op = "pca n_comps=30", .fixture = LOGGED, .without = "scvelo-rs"},
    {STEP("neighbors", 20000, 100), .op = "neighbors n_neighbors=30 n_pcs=30", .fixture = COMPONENTS,
     .without = "scvelo-rs"},
    {STEP("moments", 20000, 100), .op = "moments", .fixture = NEIGHBOURS, .without = "scvelo-rs"},
    {STEP("recover_dynamics", 5000, 50), .op = FIT},
    {STEP("velocity_deterministic", 20000, 100), .op = STEADY},
    {STEP("velocity_stochastic", 20000, 100), .op = "velocity mode=stochastic"},
    {STEP("velocity_dynamical_5k", 5000, 100), .op = "velocity mode=dynamical", .fixture = MOMENTS_F64 " | " FIT},
    {STEP("velocity_dynamical_20k", 20000, 100), .op = "velocity mode=dynamical", .fixture = MOMENTS_F64 " | " FIT},
    {STEP("velocity_graph", 20000, 100), .op = "velocity_graph", .fixture = MOMENTS_F64 " | " STEADY},
    {STEP("velocity_graph_2000_genes", 5000, 2000), .op = "velocity_graph", .fixture = MOMENTS_F64 " | " STEADY},
    {STEP("compute_dynamics", 20000, 100), .op = "compute_dynamics", .fixture = MOMENTS_F64 " | " FIT},

    /* ---- the same work with one thread and with two */
    {THREADS("recover_dynamics_5k", 1, 5000, 50), .op = FIT, .without = "scvelo"},
    {THREADS("recover_dynamics_5k", 2, 5000, 50), .op = FIT, .without = "scvelo"},
    {THREADS("velocity_graph_20k", 1, 20000, 100), .op = FIT_VELOCITY_GRAPH, .without = "scvelo"},
    {THREADS("velocity_graph_20k", 2, 20000, 100), .op = FIT_VELOCITY_GRAPH, .without = "scvelo"},
    {THREADS("counts_to_graph_4k", 1, 3696, 2000), .op = "dynamical", .fixture = "", .form = BENCH_COUNTS,
     .without = "scvelo,scvelo-rs"},
    {THREADS("counts_to_graph_4k", 2, 3696, 2000), .op = "dynamical", .fixture = "", .form = BENCH_COUNTS,
     .without = "scvelo"},

    /* ---- a whole process: reading what it needs, the work, writing */
    {WHOLE("filter_and_normalize", 20000, 2000), .op = "filter_and_normalize min_shared_counts=5", .fixture = "",
     .form = BENCH_COUNTS_F32, .without = "scvelo-rs"},
    {WHOLE("pca", 20000, 2000), .op = "pca n_comps=30", .fixture = LOGGED, .without = "scvelo-rs"},
    {WHOLE("neighbors", 100000, 100), .op = "neighbors n_neighbors=30 n_pcs=30", .fixture = COMPONENTS,
     .without = "scvelo,scvelo-rs"},
    {WHOLE("moments", 20000, 2000), .op = "moments", .fixture = NEIGHBOURS, .without = "scvelo-rs"},
    {WHOLE("velocity_stochastic", 20000, 2000), .op = "velocity mode=stochastic", .fixture = MOMENTS,
     .without = "scvelo-rs"},
    {WHOLE("recover_dynamics", 20000, 100), .op = FIT, .without = "scvelo,scvelo-rs"},
    {WHOLE("velocity_dynamical", 20000, 100), .op = "velocity mode=dynamical", .fixture = MOMENTS_F64 " | " FIT,
     .without = "scvelo-rs"},
    {WHOLE("velocity_graph", 20000, 100), .op = "velocity_graph", .fixture = MOMENTS_F64 " | " STEADY},
    {WHOLE("counts_to_graph_4k", 3696, 2000), .op = "dynamical", .fixture = "", .form = BENCH_COUNTS, .threads = 2,
     .without = "scvelo,scvelo-rs"},
    {WHOLE("within_budget", 20000, 2000), .op = "preprocess | velocity mode=stochastic", .fixture = "",
     .form = BENCH_COUNTS_F32, .within = 0.5, .without = "scvelo,scvelo-rs"},

    /* ---- files */
    {FILES("read_dense", READ), .form = BENCH_COUNTS_F32},
    {FILES("read_dense_2_threads", READ), .form = BENCH_COUNTS_F32, .threads = 2},
    {FILES("read_gzip", READ), .form = BENCH_COUNTS_F32, .packing = "gzip", .threads = 1},
    {FILES("read_gzip_2_threads", READ), .form = BENCH_COUNTS_F32, .packing = "gzip", .threads = 2},
    {FILES("read_lzf", READ), .form = BENCH_COUNTS_F32, .packing = "lzf"},
    {FILES("read_csr", READ), .form = BENCH_COUNTS_CSR},
    {FILES("read_csr_2_threads", READ), .form = BENCH_COUNTS_CSR, .threads = 2},
    {FILES("read_dense_cold", READ), .form = BENCH_COUNTS_F32, .cold = true},
    {FILES("read_dense_cold_2_threads", READ), .form = BENCH_COUNTS_F32, .cold = true, .threads = 2},
    {FILES("read_gzip_cold", READ), .form = BENCH_COUNTS_F32, .packing = "gzip", .cold = true},
    {FILES("read_csr_cold", READ), .form = BENCH_COUNTS_CSR, .cold = true},
    {FILES("read_csr_cold_2_threads", READ), .form = BENCH_COUNTS_CSR, .cold = true, .threads = 2},
    {FILES("write_dense", WRITE), .form = BENCH_COUNTS_F32},
    {FILES("write_csr", WRITE), .form = BENCH_COUNTS_CSR},
    {FILES("write_gzip", WRITE), .form = BENCH_COUNTS_F32, .packing = "gzip", .threads = 1},
    {FILES("write_gzip_2_threads", WRITE), .form = BENCH_COUNTS_F32, .packing = "gzip", .threads = 2},
    {FILES("write_lzf", WRITE), .form = BENCH_COUNTS_F32, .packing = "lzf"},

    {OF("speed_counts_to_graph_4k", SPEED, STEPS_LONG, 3696, 2000), .op = "dynamical", .fixture = "",
     .form = BENCH_COUNTS, .threads = 2, .parity = true, .limit_s = 2 * HOURS},
};
const int bench_n_rows = (int)(sizeof bench_rows / sizeof bench_rows[0]);

const char *bench_kind_word(bench_kind kind) {
    static const char *const words[] = {
#define KIND_WORD(name, word, title) word,
        BENCH_KIND_ROWS(KIND_WORD)
#undef KIND_WORD
    };
    return words[kind];
}

const char *bench_kind_title(bench_kind kind) {
    static const char *const titles[] = {
#define KIND_TITLE(name, word, title) title,
        BENCH_KIND_ROWS(KIND_TITLE)
#undef KIND_TITLE
    };
    return titles[kind];
}

const char *bench_tier_word(bench_tier tier) {
    static const char *const words[] = {"quick", "long", "extra-long", "steps", "steps-long"};
    return words[tier];
}

const char *bench_scope_word(bench_scope scope) {
    static const char *const words[] = {"op", "read", "write", "whole"};
    return words[scope];
}

const char *bench_form_word(bench_form form) {
    static const char *const words[] = {"as-made", "counts", "f32", "csr"};
    return words[form];
}

bool bench_is_memory(bench_kind kind) { return kind == BENCH_MEMORY || kind == BENCH_WHOLE; }

int64_t bench_scaled_cells(const bench_row *row, double scale) {
    if (scale == 1) return row->cells;
    const int64_t n = (int64_t)rint((double)row->cells * scale);
    return n > BENCH_LEAST_CELLS ? n : BENCH_LEAST_CELLS;
}
