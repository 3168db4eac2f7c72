# libvel: what the programs are made of, for others. libvel has the numerics, the steps and the recipes, without HDF5;
# libvel-io adds .h5ad files. Both static and shared; only names that begin with vel_ are seen from outside.
include(GNUInstallDirs)

set(parts_of_the_program "cli|cli_[a-z]+|voice|events|progress|signals|told|genes")
set(vel_objects $<TARGET_OBJECTS:vel_core>
  "$<FILTER:$<TARGET_OBJECTS:vel_pipelines>,EXCLUDE,/pipelines/(${parts_of_the_program})\\.c>")
set(vel-io_objects $<TARGET_OBJECTS:vel_io>)

# The prefix is told from where the .pc file lies: `cmake --install --prefix` may name another than was configured.
# Folders that are no part of it (absolute, as packagers give them) are named as they are.
set(VEL_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
set(VEL_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
set(VEL_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" VEL_PC_PREFIX "\${pcfiledir}/${up}")
  set(VEL_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(VEL_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
endif()

function(vel_public_library name)
  foreach(kind SHARED STATIC)
    string(TOLOWER ${kind} suffix)
    set(target lib${name}_${suffix})
    add_library(${target} ${kind} ${${name}_objects})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_link_libraries(${target} PRIVATE ${ARGN})
    install(TARGETS ${target} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
  target_link_options(lib${name}_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/public.map)
  if(NOT VEL_SANITIZE) # a sanitizer's own functions come with the program
    target_link_options(lib${name}_shared PRIVATE -Wl,-z,defs)
  endif()
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

vel_public_library(vel vel_blas PkgConfig::JANSSON OpenMP::OpenMP_C m)
vel_public_library(vel-io libvel_shared vel_files OpenMP::OpenMP_C m)

install(FILES include/vel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(folder core io pipelines)
  file(GLOB headers ${folder}/*.h)
  list(FILTER headers EXCLUDE REGEX "/(${parts_of_the_program}|[a-z0-9_]*_impl|h5|h5_[a-z]+|json)\\.h$")
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vel/${folder})
endforeach()
