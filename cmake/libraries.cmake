# The libraries, all from Debian packages. hdf5-serial by name: plain hdf5 may be the MPI variant.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
find_package(BLAS REQUIRED)

add_library(vel_blas INTERFACE)
find_path(LAPACKE_INCLUDE lapacke.h REQUIRED)
# Linked in, its few routines lie side by side: in a shared library they are strewn over a megabyte, and each place that is
# touched brings 64 kB of code into memory. Where there is no archive the shared one serves.
find_library(LAPACKE_LIBRARY NAMES liblapacke.a lapacke REQUIRED)
find_library(LAPACK_LIBRARY NAMES liblapack_pic.a lapack REQUIRED)
find_library(FORTRAN_LIBRARY NAMES gfortran libgfortran.so.5 REQUIRED) # the latter without a Fortran compiler
find_library(ARPACK_LIBRARY arpack REQUIRED)
find_path(CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-openmp x86_64-linux-gnu/openblas-openmp openblas REQUIRED)
target_include_directories(vel_blas SYSTEM INTERFACE ${LAPACKE_INCLUDE} ${CBLAS_INCLUDE})
target_link_libraries(vel_blas INTERFACE ${LAPACKE_LIBRARY} ${LAPACK_LIBRARY} ${ARPACK_LIBRARY} BLAS::BLAS ${FORTRAN_LIBRARY})

add_library(vel_files INTERFACE)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_library(LZF_LIBRARY lzf REQUIRED)
target_link_libraries(vel_files INTERFACE PkgConfig::HDF5 PkgConfig::JANSSON PkgConfig::DEFLATE PkgConfig::ZSTD PkgConfig::XXHASH ${LZF_LIBRARY})
