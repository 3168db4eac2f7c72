find_program(CLANG_FORMAT clang-format)
if(CLANG_FORMAT)
  add_test(NAME house/format COMMAND ${PROJECT_SOURCE_DIR}/tools/format.sh --check ${CLANG_FORMAT})
endif()
