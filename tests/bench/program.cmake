# velbench as a script meets it.
add_test(NAME bench/program_run COMMAND ${CMAKE_CURRENT_LIST_DIR}/program.sh $<TARGET_FILE:velbench>)
set_tests_properties(bench/program_run PROPERTIES TIMEOUT 300 LABELS bench ENVIRONMENT "${test_environment}")
