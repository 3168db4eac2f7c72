# The allocator of our own code is replaced, so that the k-th allocation fails.
add_executable(test_io_allocations ${CMAKE_CURRENT_LIST_DIR}/allocations.c)
target_link_libraries(test_io_allocations PRIVATE vel_io PkgConfig::CMOCKA)
target_link_options(test_io_allocations PRIVATE
  -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=free)
add_test(NAME io/allocations COMMAND test_io_allocations)
set_tests_properties(io/allocations PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 300)
