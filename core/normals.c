#include "core/normals.h"

#include "core/normals_bodies.h"

void vel_normals_plain(vel_rng *r, int64_t pairs, double *z) {
    for (int64_t i = 0; i < 2 * pairs; i++) z[i] = vel_rng_gauss(r);
}

vel_normals_pairs *vel_normals_at(vel_cpu level) {
#if defined(__x86_64__)
    static vel_normals_pairs *const bodies[] = {
        [VEL_CPU_PLAIN] = vel_normals_plain, [VEL_CPU_AVX2] = vel_normals_avx2, [VEL_CPU_AVX512] = vel_normals_avx512};
    return bodies[level];
#else
    (void)level;
    return vel_normals_plain;
#endif
}

void vel_normals(vel_rng *r, int64_t n, double *z) {
    if (n > 0 && r->has_gauss) {
        *z++ = vel_rng_gauss(r);
        n--;
    }
    vel_normals_at(vel_cpu_level())(r, n / 2, z);
    if (n % 2) z[n - 1] = vel_rng_gauss(r);
}
