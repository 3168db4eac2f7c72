# The quick benches, scaled, against both rivals: where the reference is set up (-DVEL_PARITY=ON; ./check does).
if(VEL_PARITY)
  add_test(NAME bench/against_rivals COMMAND ${PROJECT_SOURCE_DIR}/tests/bench/against_rivals.sh $<TARGET_FILE:velbench>
    $<TARGET_FILE:velcmp>)
  set_tests_properties(bench/against_rivals PROPERTIES TIMEOUT 2700 LABELS "bench;reference" SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED reference RUN_SERIAL TRUE)
endif()
