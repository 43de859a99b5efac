# Every header compiles alone: one generated source a header, all in target headers_alone, which stage
# `clang` of `make test` (or its name) builds. A header that a source of the product includes first has
# been compiled alone there. Headers that a build leaves out are still compiled. Those that say that they
# are parts of a source are not.
file(GLOB_RECURSE product CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(FILTER product EXCLUDE REGEX "_test.cpp$")
set(includes)
foreach(source IN LISTS product)
  file(STRINGS ${source} include REGEX "^#include" LIMIT_COUNT 1)
  list(APPEND includes ${include})
endforeach()
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.h)
set(sources)
foreach(header IN LISTS headers)
  string(REGEX REPLACE "^include/(.*)$" "<\\1>" spelling ${header})
  string(REGEX REPLACE "^src/(.*)$" "\"\\1\"" spelling ${spelling})
  if("#include ${spelling}" IN_LIST includes)
    continue()
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} part REGEX "a part of a source, which does not compile alone" LIMIT_COUNT 1)
  if(part)
    continue()
  endif()
  set(source ${PROJECT_BINARY_DIR}/headers_alone/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include @spelling@\n" @ONLY)
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
