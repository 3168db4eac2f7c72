/* cpu.h - which of the fast bodies may run here. Chosen once: the environment variable VEL_CPU = plain, avx2 or avx512
 * forces one that the CPU has; otherwise the widest. Every body gives the same bits. */
#ifndef VEL_CORE_CPU_H
#define VEL_CORE_CPU_H

typedef enum { VEL_CPU_PLAIN, VEL_CPU_AVX2, VEL_CPU_AVX512 } vel_cpu;

vel_cpu vel_cpu_level(void);
const char *vel_cpu_name(vel_cpu level); /* "avx2" */

#endif
