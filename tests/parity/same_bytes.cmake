foreach(case sim_float32 sim_float64)
  add_test(NAME parity/${case}/same_bytes COMMAND ${CMAKE_COMMAND} -DVEL=$<TARGET_FILE:vel>
    -DCOUNTS=${PROJECT_SOURCE_DIR}/tests/golden/${case}/counts.h5ad -DWORK=${CMAKE_CURRENT_BINARY_DIR}/same_bytes_${case}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/parity/same_bytes.script)
  set_tests_properties(parity/${case}/same_bytes PROPERTIES LABELS parity ENVIRONMENT "${test_environment}" TIMEOUT 120)
endforeach()
