#include "bench/kernel_counts.h"

#include <math.h>

#include "core/gram.h"
#include "core/normalize.h"

vel_err bench_counts_data_make(vel_ctx *ctx, vel_rng *r, bench_kernel_data *d) {
    const int64_t n = d->shape.cells, h = d->shape.wide, some = h / 4;
    int64_t *indptr, *genes;
    int32_t *indices;
    float *values;
    bench_counts_data *made;
    VEL_TRY(VEL_ZALLOC(ctx, made, 1));
    d->counts = made;
    VEL_TRY(VEL_ALLOC(ctx, indptr, n + 1));
    VEL_TRY(VEL_ALLOC(ctx, indices, n * some));
    VEL_TRY(VEL_ALLOC(ctx, values, n * some));
    VEL_TRY(VEL_ALLOC(ctx, made->sparse_out, n * some));
    VEL_TRY(VEL_ALLOC(ctx, genes, h));
    VEL_TRY(VEL_ALLOC(ctx, made->gram, h * h));
    for (int64_t i = 0; i <= n; i++) indptr[i] = i * some;
    for (int64_t e = 0; e < n * some; e++) {
        indices[e] = (int32_t)(e % some * 4 + vel_rng_upto(r, 3));
        values[e] = (float)(1 + vel_rng_upto(r, 9));
    }
    for (int64_t g = 0; g < h; g++) genes[g] = g;
    made->dense = (vel_counts){.rows = n, .cols = h, .type = VEL_F32, .values = d->wide, .gene_major = true};
    made->sparse =
        (vel_counts){.rows = n, .cols = h, .type = VEL_F32, .values = values, .indptr = indptr, .indices = indices};
    return vel_centered_make(ctx, &made->dense, genes, h, &made->centered);
}

vel_err bench_run_gram(vel_ctx *ctx, bench_kernel_data *d) {
    return vel_gram_genes(ctx, &d->counts->centered, d->counts->gram);
}

vel_err bench_run_normalize(vel_ctx *ctx, bench_kernel_data *d) {
    float *factors;
    VEL_TRY(VEL_ALLOC(ctx, factors, d->shape.cells));
    for (int64_t c = 0; c < d->shape.cells; c++) factors[c] = 1.5F;
    return vel_normalize_rows(ctx, &d->counts->sparse, (vel_sizes){VEL_F32, factors}, d->counts->sparse_out);
}
