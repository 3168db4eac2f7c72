#include "pipelines/env.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *value;
    bool only_avx2;
} rows[] = {
    {"OPENBLAS_CORETYPE", "Haswell", true},
    {"OPENBLAS_NUM_THREADS", "1", false},
    {"OMP_WAIT_POLICY", "PASSIVE", false},
};

static bool has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* glibc raises the size from which an array is a mapping of its own whenever such an array is freed; what is freed
 * below it stays with the process. */
enum { OWN_MAPPING = 1 << 18 };

void vel_env_settle(char **argv) {
    int set = 0;
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (getenv(rows[i].name) || (rows[i].only_avx2 && !has_avx2())) continue;
        if (setenv(rows[i].name, rows[i].value, 1)) return;
        set++;
    }
    if (set) execv("/proc/self/exe", argv);
}

bool vel_env_holds_blas(void) {
    const char *core = getenv(rows[0].name);
    return core && !strcmp(core, rows[0].value);
}
