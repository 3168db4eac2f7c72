# The program as a script meets it: every function of cli.sh is a claim and a test of its own.
add_executable(make_toy ${CMAKE_CURRENT_LIST_DIR}/make_toy.c)
target_link_libraries(make_toy PRIVATE vel_pipelines)

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/cli.sh claims REGEX "^claim_[a-z_0-9]+\\(\\)")
foreach(claim ${claims})
  string(REGEX REPLACE "^claim_([a-z_0-9]+).*" "\\1" claim ${claim})
  add_test(NAME pipelines/cli/${claim}
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/cli.sh $<TARGET_FILE:vel> $<TARGET_FILE:make_toy> ${claim})
  set_tests_properties(pipelines/cli/${claim} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
