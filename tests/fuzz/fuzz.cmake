# Fuzzing with libFuzzer: the preset `fuzz`, then build/fuzz/tests/fuzz_h5ad -max_total_time=60.
option(VEL_FUZZ "build the fuzz targets (clang)" OFF)
if(VEL_FUZZ)
  add_executable(fuzz_h5ad ${CMAKE_CURRENT_LIST_DIR}/fuzz_h5ad.c)
  target_link_libraries(fuzz_h5ad PRIVATE vel_io)
  target_link_options(fuzz_h5ad PRIVATE -fsanitize=fuzzer)
endif()
