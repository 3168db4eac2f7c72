# The README names every step of the table of contents.
add_test(NAME house/readme COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}
  -P ${CMAKE_CURRENT_SOURCE_DIR}/house/readme.script)
