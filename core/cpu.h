/* cpu.h - which of the fast bodies may run here. Chosen once: the environment variable VEL_CPU = plain, avx2 or avx512
 * forces one that the CPU has; otherwise the widest. Every body gives the same bits. */
#ifndef VEL_CORE_CPU_H
#define VEL_CORE_CPU_H

#include <stdbool.h>

typedef enum { VEL_CPU_PLAIN, VEL_CPU_AVX2, VEL_CPU_AVX512 } vel_cpu;

vel_cpu vel_cpu_level(void);

/* Whether products of 16-bit numbers are added in one instruction (AVX-512 VNNI) where AVX-512 may run. */
bool vel_cpu_has_vnni(void);

const char *vel_cpu_name(vel_cpu level); /* "avx2" */

#endif
