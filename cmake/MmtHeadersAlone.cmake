# Every header compiles alone, and twice: one generated source a header, all in target headers_alone,
# which stage `clang` of `make test` (or its name) builds. Headers that a build leaves out are still
# compiled.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h)
set(sources)
foreach(header IN LISTS headers)
  string(REGEX REPLACE "^include/(.*)$" "<\\1>" spelling ${header})
  string(REGEX REPLACE "^src/(.*)$" "\"\\1\"" spelling ${spelling})
  set(source ${PROJECT_BINARY_DIR}/headers_alone/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include @spelling@\n#include @spelling@\n" @ONLY)
  list(APPEND sources ${source})
endforeach()

if(sources)
  add_library(headers_alone OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(headers_alone PRIVATE mmt_headers)
  mmt_warnings(headers_alone)
  # They only have to compile: nothing runs.
  target_compile_options(headers_alone PRIVATE -O0 -g0)
else()
  add_custom_target(headers_alone)
endif()
