# Parity with a reference that is made here and now by the pinned scVelo, and programs of the field on what vel writes:
# -DVEL_PARITY=ON (./check does). Takes minutes the first time, for the virtual environment.
option(VEL_PARITY "tests that set up scVelo and compare with it" OFF)
if(NOT VEL_PARITY)
  return()
endif()

set(fresh ${CMAKE_CURRENT_SOURCE_DIR}/parity/fresh.sh)

function(vel_fresh_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;MAKES" "COMMAND;NEEDS")
  add_test(NAME parity/${name} COMMAND ${arg_COMMAND})
  set_tests_properties(parity/${name} PROPERTIES LABELS "parity;reference" ENVIRONMENT "${test_environment}"
    TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 FIXTURES_REQUIRED "${arg_NEEDS}")
  if(arg_MAKES)
    set_tests_properties(parity/${name} PROPERTIES FIXTURES_SETUP ${arg_MAKES})
  endif()
endfunction()

vel_fresh_test(reference TIMEOUT 1800 MAKES reference COMMAND ${fresh} setup)
foreach(kind sim real)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/fresh_${kind})
  vel_fresh_test(fresh_${kind}/make TIMEOUT 600 NEEDS reference MAKES fresh_${kind} COMMAND ${fresh} make-${kind} ${folder})
  foreach(step ${additive})
    if(step IN_LIST steps)
      vel_fresh_test(fresh_${kind}/${step} TIMEOUT 300 NEEDS fresh_${kind}
        COMMAND ${fresh} given $<TARGET_FILE:parity> ${folder} ${step})
    endif()
  endforeach()
  vel_fresh_test(fresh_${kind}/whole_path TIMEOUT 300 NEEDS fresh_${kind}
    COMMAND ${fresh} run ${PROJECT_BINARY_DIR} ${folder})
endforeach()
vel_fresh_test(fresh_sim/velocity_options TIMEOUT 900 NEEDS fresh_sim
  COMMAND ${fresh} options ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/fresh_sim)
vel_fresh_test(usage TIMEOUT 600 NEEDS reference COMMAND ${fresh} usage ${PROJECT_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/usage)
vel_fresh_test(the_field_takes_it TIMEOUT 600 NEEDS reference COMMAND ${fresh} field ${PROJECT_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/field)
