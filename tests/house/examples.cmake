# Every example of README.md and of vel's help pages runs as it is printed.
add_test(NAME house/examples
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/examples.sh ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
set_tests_properties(house/examples PROPERTIES TIMEOUT 300)
