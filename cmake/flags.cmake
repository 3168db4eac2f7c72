# How every file is compiled. Results are the same bits on every CPU, so nothing may contract, reorder or approximate.
add_library(vel_flags INTERFACE)
target_compile_definitions(vel_flags INTERFACE _GNU_SOURCE VEL_VERSION="${PROJECT_VERSION}")
# GCC 12's vectorisation of straight-line code takes the rounding out of doubles that are rounded to float on the way.
target_compile_options(vel_flags INTERFACE
  -fno-tree-slp-vectorize -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wformat=2 -Wundef)
if(VEL_WERROR)
  target_compile_options(vel_flags INTERFACE -Werror)
endif()
if(VEL_SANITIZE)
  target_compile_options(vel_flags INTERFACE -fsanitize=${VEL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(vel_flags INTERFACE -fsanitize=${VEL_SANITIZE})
endif()
if(VEL_COVERAGE)
  target_compile_options(vel_flags INTERFACE --coverage)
  target_link_options(vel_flags INTERFACE --coverage)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
set(CMAKE_C_FLAGS_DEBUG "-Og -g")
