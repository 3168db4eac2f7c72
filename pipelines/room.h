/* room.h - a program's first look at its memory limit, before its libraries start.
 *
 * OpenBLAS takes two buffers of 128 MiB of address space when it is loaded, and where they are refused (ulimit -v, -d)
 * asks again for ever. So a program that includes this looks first, before the constructors of shared libraries run
 * (.preinit_array), and says what is wrong: exit code 5. To be included by one source of an executable: its main. */
#ifndef VEL_PIPELINES_ROOM_H
#define VEL_PIPELINES_ROOM_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/err.h"

enum { VEL_ROOM_AT_START = 272 << 20 };

static void vel_room_check(void) {
    static const char words[] = "out of memory: less than 272 MiB of address space at the start (see ulimit -v, -d)\n";
    void *p = mmap(NULL, VEL_ROOM_AT_START, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) {
        munmap(p, VEL_ROOM_AT_START);
        return;
    }
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(vel_err_exit(VEL_ENOMEM));
    _exit(vel_err_exit(VEL_ENOMEM));
}

__attribute__((section(".preinit_array"), used)) static void (*const vel_room_first)(void) = vel_room_check;

#endif
