# Tests that make allocations fail (tests/pipelines/alloc.h).
foreach(name arena par average)
  target_link_options(test_core_${name} PRIVATE
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=strdup,--wrap=free)
endforeach()
