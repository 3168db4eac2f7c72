# velcmp on the command line: verdicts, exit codes and what is said.
add_executable(alter verify/alter.c)
target_link_libraries(alter PRIVATE vel_io)
add_test(NAME verify/velcmp_command COMMAND ${CMAKE_COMMAND} -DVELCMP=$<TARGET_FILE:velcmp> -DALTER=$<TARGET_FILE:alter>
  -DREFERENCE=${PROJECT_SOURCE_DIR}/tests/golden/sim_float32/reference.h5ad -DWORK=${CMAKE_CURRENT_BINARY_DIR}/velcmp
  -P ${CMAKE_CURRENT_SOURCE_DIR}/verify/velcmp_command.script)
set_tests_properties(verify/velcmp_command PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 120)
