add_test(NAME house/layering
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/layering.cmake)
add_test(NAME house/layering_catches_violations
  COMMAND ${CMAKE_COMMAND} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/layering -P ${PROJECT_SOURCE_DIR}/cmake/layering_selftest.cmake)
