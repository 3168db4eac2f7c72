# cmake -DROOT=DIR -P layering.cmake: the layering rules of CONTRIBUTING.md over the sources under DIR.
#
# A rule is one `forbid` line: which files, but for which, may not hold what, and why. Comments and strings do not count.
cmake_minimum_required(VERSION 3.25)

set(problems "")

# The text of a file with comments and strings taken out; brackets and semicolons would upset CMake's lists.
function(read_code file out)
  file(READ "${file}" text)
  string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" " " text "${text}")
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "(#[ ]*include )\"([^\"\n]*)\"" "\\1<<\\2>>" text "${text}")
  string(REGEX REPLACE "\"([^\"\\\\\n]|\\\\.)*\"" "0" text "${text}")
  string(REGEX REPLACE "[][;]" " " text "${text}")
  set(${out} "\n${text}" PARENT_SCOPE)
endfunction()

# forbid(GLOB EXCEPT PATTERN WHY): no file that GLOB matches holds PATTERN, but for those whose path matches EXCEPT.
function(forbid glob except pattern why)
  file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${glob}.[ch]")
  foreach(file ${files})
    if(NOT "${file}" MATCHES "^(${except})\\.[ch]$")
      read_code("${ROOT}/${file}" code)
      string(REGEX MATCH "${pattern}" found "${code}")
      if(NOT found STREQUAL "")
        string(STRIP "${found}" found)
        string(APPEND problems "${file}: `${found}`: ${why}\n")
      endif()
    endif()
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(folders "core|io|pipelines|verify|bench|vendor")
set(start "[^A-Za-z0-9_.>]")
set(libm "${start}(exp|log|expm1|log1p|pow|erfc)f?[ ]*\\(")
set(printing "${start}(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fwrite|perror)[ ]*\\(")
set(opening "${start}(fopen|open|popen|fread|read|write)[ ]*\\(")
set(allocating "${start}(malloc|calloc|realloc|free|strdup|strndup|asprintf|aligned_alloc|posix_memalign)[ ]*\\(")
set(none "-")

# core <- io <- pipelines <- verify <- bench, by full path from the root
forbid("core/*" ${none} "#[ ]*include <<(io|pipelines|verify|bench|vendor)/[^>]*>>" "core includes core only")
forbid("io/*" ${none} "#[ ]*include <<(pipelines|verify|bench|vendor)/[^>]*>>" "io includes core and io only")
forbid("pipelines/*" ${none} "#[ ]*include <<(verify|bench)/[^>]*>>" "pipelines includes itself and those below")
forbid("pipelines/step_*" ${none} "#[ ]*include <<io/[^>]*>>" "steps include core only: the runner reads and writes files")
forbid("vendor/*" ${none} "#[ ]*include <<(verify|bench)/[^>]*>>" "vendor includes what pipelines may")
forbid("verify/*" ${none} "#[ ]*include <<bench/[^>]*>>" "verify includes itself and those below")
foreach(folder core io pipelines verify bench vendor tests tests/core tests/io tests/pipelines tests/verify tests/bench)
  forbid("${folder}/*" ${none} "#[ ]*include <<[^/>]*>>" "includes are by full path from the root")
endforeach()

# who knows which library
foreach(folder core io pipelines verify bench vendor)
  forbid("${folder}/*" "core/(blas|eig)" "#[ ]*include <(cblas|lapacke|arpack)[^>]*>" "only core/blas and core/eig know linear algebra")
  forbid("${folder}/*" "io/h5[a-z0-9_]*" "#[ ]*include <hdf5[^>]*>" "only io/h5 knows HDF5")
  forbid("${folder}/*" "core/par" "(#[ ]*include <omp.h>|#[ ]*pragma omp[^\n]*)" "only core/par knows OpenMP")
  forbid("${folder}/*" "core/fmath[a-z0-9_]*" "${libm}" "the bits of exp and log are core/fmath's")
endforeach()

# kernels print nothing, open nothing and allocate nothing but from the arena they are given
set(hosts "core/(arena|adata[a-z0-9_]*|field|field_cut|par|ctx)")
forbid("core/*" ${none} "${printing}" "core prints nothing")
forbid("core/*" "core/(adata[a-z0-9_]*|par|cpu)" "${opening}" "core opens nothing")
forbid("core/*" ${hosts} "${allocating}" "kernels allocate from the arena they are given")
foreach(folder core io pipelines verify bench vendor)
  forbid("${folder}/*" "(pipelines|verify|bench)/main|pipelines/room|bench/child" "${start}(exit|_exit|abort)[ ]*\\(" "only a main ends the program")
endforeach()

if(NOT problems STREQUAL "")
  message(FATAL_ERROR "layering rules broken:\n${problems}")
endif()
message(STATUS "layering: the rules hold")
