# Programs and libraries are installed stripped. Component `debug`, which has to be named, installs their
# debug symbols: a folder .debug beside each file, where debuggers look.
include_guard(GLOBAL)

# mmt_install_stripped(TARGET FOLDER [WHERE_BUILT]): into this folder below the prefix.
# WHERE_BUILT: left out where it was not built.
function(mmt_install_stripped target folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "WHERE_BUILT" "" "")
  set(kind program)
  if(arg_WHERE_BUILT)
    set(kind program_where_built)
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY MMT_INSTALLED
                                             "${kind}(\"$<TARGET_FILE:${target}>\" ${folder})\n")
endfunction()

# Once, after the last of them.
function(mmt_write_install_script)
  get_property(MMT_INSTALLED GLOBAL PROPERTY MMT_INSTALLED)
  foreach(component IN ITEMS stripped debug)
    set(MMT_PART ${component})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/install_programs.cmake.in
                   ${PROJECT_BINARY_DIR}/install/${component}.cmake.in @ONLY)
    file(
      GENERATE
      OUTPUT ${PROJECT_BINARY_DIR}/install/${component}.cmake
      INPUT ${PROJECT_BINARY_DIR}/install/${component}.cmake.in)
  endforeach()
  install(SCRIPT ${PROJECT_BINARY_DIR}/install/stripped.cmake COMPONENT programs)
  install(SCRIPT ${PROJECT_BINARY_DIR}/install/debug.cmake COMPONENT debug EXCLUDE_FROM_ALL)
endfunction()
