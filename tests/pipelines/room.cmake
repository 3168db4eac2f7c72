if(VEL_SANITIZE)
  return() # sanitizers reserve more address space than the limit allows
endif()
# A limit on address space that OpenBLAS cannot start under is said, and is no hang.
foreach(program vel velcmp velbench)
  add_test(NAME pipelines/${program}_says_that_the_memory_limit_is_too_small
    COMMAND sh -c "ulimit -v 200000; \"$<TARGET_FILE:${program}>\" --version; [ $? = 5 ]")
  set_tests_properties(pipelines/${program}_says_that_the_memory_limit_is_too_small PROPERTIES TIMEOUT 20)
endforeach()
