#include "core/gram_rows.h"

vel_gram_rows *vel_gram_rows_at(vel_cpu level) {
#if defined(__x86_64__)
    return level == VEL_CPU_PLAIN ? vel_gram_rows_plain : vel_gram_rows_avx2;
#else
    (void)level;
    return vel_gram_rows_plain;
#endif
}
