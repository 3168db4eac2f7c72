# What is installed can be used: header, libraries and pkg-config files.
set(library_flags "")
if(VEL_SANITIZE)
  set(library_flags "-fsanitize=${VEL_SANITIZE}")
endif()
if(VEL_COVERAGE)
  set(library_flags "${library_flags} --coverage")
endif()
add_test(NAME library/installed
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/installed.sh ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}
    ${CMAKE_C_COMPILER} "${library_flags}")
set_tests_properties(library/installed PROPERTIES TIMEOUT 300)
