# Parity with scVelo without Python: every step that this build has, on what it read in each recorded reference
# (tests/golden, made by tools/make_reference.py).
add_executable(parity parity/parity.c)
target_link_libraries(parity PRIVATE vel_verify)

file(STRINGS ${PROJECT_SOURCE_DIR}/pipelines/steps.def step_rows REGEX "^STEP")
string(REGEX REPLACE "STEP\\(([a-z_0-9]+)\\)" "\\1" steps "${step_rows}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/pipelines/steps.def)

set(in_place simulate filter_genes normalize_per_cell log1p highly_variable_genes)
set(additive pca neighbors moments velocity recover_dynamics velocity_graph velocity_embedding velocity_confidence terminal_states
  latent_time velocity_pseudotime rank_velocity_genes rank_dynamical_genes differential_kinetic_test)

function(vel_parity_test case file step)
  add_test(NAME parity/${case}/${step} COMMAND parity ${PROJECT_SOURCE_DIR}/tests/golden/${case}/${file}.h5ad ${step})
  set_tests_properties(parity/${case}/${step} PROPERTIES LABELS parity ENVIRONMENT "${test_environment}" TIMEOUT 120)
endfunction()

foreach(case sim_float32 sim_float64)
  foreach(step ${in_place})
    if(EXISTS ${PROJECT_SOURCE_DIR}/tests/golden/${case}/${step}.h5ad)
      vel_parity_test(${case} ${step} ${step})
    endif()
  endforeach()
  foreach(step ${additive})
    if(step IN_LIST steps)
      vel_parity_test(${case} reference ${step})
    endif()
  endforeach()
  vel_parity_test(${case} reference chain)
endforeach()
