# The contracts test makes allocations fail: ours, not those inside shared libraries.
target_link_options(test_pipelines_contracts PRIVATE
  -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=strdup,--wrap=free)
