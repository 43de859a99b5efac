# What bare `make` builds and `make install` installs: the program, its libraries, public headers.
add_custom_target(product)
if(TARGET mmt_manual)
  add_dependencies(product mmt_manual)
endif()
mmt_names(heaps HEAPS)
list(TRANSFORM heaps PREPEND mmt_heap_)
mmt_names(protocols PROTOCOLS)
list(TRANSFORM protocols PREPEND mmt_protocol_)
foreach(target IN LISTS heaps protocols ITEMS mmt_cli mmt_preload mmt_latency)
  if(TARGET ${target})
    add_dependencies(product ${target})
    install(
      TARGETS ${target}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/include/mmt)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/include/mmt
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING
    PATTERN "*.h")
endif()

# Target `workloads`: every program of workloads/, for `make demo`.
add_custom_target(workloads)
function(collect_programs folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    collect_programs(${inner} inner_targets)
    list(APPEND targets ${inner_targets})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()
if(NOT MMT_SANITIZE AND EXISTS ${PROJECT_SOURCE_DIR}/workloads/CMakeLists.txt)
  collect_programs(${PROJECT_SOURCE_DIR}/workloads programs)
  if(programs)
    add_dependencies(workloads ${programs})
  endif()
endif()
