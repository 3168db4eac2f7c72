/* xxh3.h - xxHash, compiled in where it is used: libvel needs no library for it. */
#ifndef VEL_CORE_XXH3_H
#define VEL_CORE_XXH3_H

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1 /* builds with -Og and sanitizers cannot force inlining */
#include <xxhash.h>

#endif
