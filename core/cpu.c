#include "core/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {[VEL_CPU_PLAIN] = "plain", [VEL_CPU_AVX2] = "avx2", [VEL_CPU_AVX512] = "avx512"};

static vel_cpu widest(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    /* F16C is older than AVX2; not every compiler can ask for it. */
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (!avx2) return VEL_CPU_PLAIN;
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return avx512 ? VEL_CPU_AVX512 : VEL_CPU_AVX2;
#else
    return VEL_CPU_PLAIN;
#endif
}

static vel_cpu choose(void) {
    vel_cpu best = widest();
    const char *wish = getenv("VEL_CPU");
    if (!wish) return best;
    for (int level = VEL_CPU_PLAIN; level <= (int)best; level++)
        if (strcmp(wish, names[level]) == 0) return (vel_cpu)level;
    return best;
}

vel_cpu vel_cpu_level(void) {
    static atomic_int chosen; /* level + 1; 0: not yet. Every thread would choose the same. */
    int level = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (level) return (vel_cpu)(level - 1);
    vel_cpu choice = choose();
    atomic_store_explicit(&chosen, (int)choice + 1, memory_order_relaxed);
    return choice;
}

bool vel_cpu_has_vnni(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx512vnni");
#else
    return false;
#endif
}

const char *vel_cpu_name(vel_cpu level) { return names[level]; }
