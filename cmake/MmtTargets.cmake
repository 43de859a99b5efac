# Functions with which folders describe their targets.
include_guard(GLOBAL)
include(GoogleTest)

# Include roots: public headers as <mmt/...>, internal ones as "heap/...".
add_library(mmt_headers INTERFACE)
target_include_directories(mmt_headers INTERFACE ${PROJECT_SOURCE_DIR}/include
                                                 ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(mmt_headers INTERFACE Threads::Threads)

# mmt_warnings(TARGET): the house's warnings, as errors.
function(mmt_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Werror)
endfunction()

# mmt_cold(TARGET): nothing in it has to be fast. The target is compiled for a short build, with lines
# for a debugger but without types. That takes half the time, and under a quarter of the size where CLI11
# is included. With a sanitizer, it is not optimized at all: the sanitizer's checks take long to
# optimize.
function(mmt_cold target)
  set(level -Os)
  if(MMT_SANITIZE)
    set(level -O0)
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:${level}>
                                           $<$<CONFIG:RelWithDebInfo>:-g1>)
endfunction()

# mmt_several_at_once(TARGET): five files at once are compiled in less than half the time; clang, in CI,
# shows that each includes what it uses. A program takes only what it uses of them.
function(mmt_several_at_once target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    target_link_options(${target} INTERFACE LINKER:--gc-sections)
  endif()
endfunction()

# Target `unit_tests`: the programs of label `unit`, all that sanitized builds need.
add_custom_target(unit_tests)

# Long unit tests are optimized as what is shipped. To optimize others takes longer than most of them run:
# they are less so, and with a sanitizer not at all. A failing one needs lines of the sources, not types.
set(MMT_UNIT_TEST_FLAGS -g1)
set(MMT_QUICK_TEST_FLAGS -g1 $<IF:$<BOOL:${MMT_SANITIZE}>,-O0,-O1>)

# GoogleTest, read once for all unit tests without flags of their own.
if(MMT_BUILD_TESTS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/googletest.cpp CONTENT "")
  add_executable(mmt_googletest EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/googletest.cpp)
  target_precompile_headers(mmt_googletest PRIVATE <gtest/gtest.h>)
  target_link_libraries(mmt_googletest PRIVATE mmt_headers GTest::gtest GTest::gtest_main)
  target_compile_options(mmt_googletest PRIVATE "$<$<CONFIG:RelWithDebInfo>:${MMT_QUICK_TEST_FLAGS}>")
  mmt_warnings(mmt_googletest)
endif()

# mmt_unit_test(NAME [SOURCES] source... [LIBS target...] [FLAGS flag...] [LABELS label...]
#               [TIMEOUT seconds] [APART] [EACH] [ONE_THREAD] [LONG])
#
# This makes a GoogleTest program in build/<preset>/tests. Each of its tests becomes a ctest test
# NAME.Suite.Test with label `unit` (or LABELS). A program with a sanitizer is one test, unless EACH is
# given. APART: its files have the same names for different things, or take long each. ONE_THREAD: a
# thread sanitizer has nothing to see. LONG: it is optimized with a sanitizer too. The function does
# nothing where tests are not built, so folders need no `if`.
function(mmt_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART;EACH;ONE_THREAD;LONG" "TIMEOUT" "SOURCES;LIBS;FLAGS;LABELS")
  if(NOT MMT_BUILD_TESTS OR (arg_ONE_THREAD AND MMT_SANITIZE STREQUAL "thread"))
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES MMT_UNIT_TEST TRUE)
  # Tests may use the doubles and generators of tests/, as "support/...".
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} mmt_headers GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # Reading GoogleTest takes longer than most tests; where there are few files, twice is no loss. Flags
  # must be those that it was read with, for clang that of visibility too.
  set(files ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  list(LENGTH files count)
  set(flags ${MMT_QUICK_TEST_FLAGS})
  if(arg_LONG)
    set(flags ${MMT_UNIT_TEST_FLAGS})
  endif()
  if(count GREATER 2 AND NOT arg_FLAGS AND flags STREQUAL MMT_QUICK_TEST_FLAGS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_precompile_headers(${name} REUSE_FROM mmt_googletest)
  elseif(count GREATER 2)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
  # Six files at once are compiled in two thirds of the time; clang, in CI, shows that headers include what they use.
  if(count GREATER 2 AND NOT arg_APART AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  target_compile_options(${name} PRIVATE "$<$<CONFIG:RelWithDebInfo>:${flags}>" ${arg_FLAGS})
  mmt_warnings(${name})
  if("unit" IN_LIST arg_LABELS)
    add_dependencies(unit_tests ${name})
  endif()
  # A sanitized program takes long to start.
  if(MMT_SANITIZE AND NOT arg_EACH)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
    return()
  endif()
  # Found when ctest starts, not when building: a sanitized program may need ctest's environment.
  gtest_discover_tests(
    ${name}
    TEST_PREFIX ${name}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# mmt_script_test(NAME COMMAND program arg... [LABELS label...] [TIMEOUT seconds] [ENVIRONMENT k=v...])
#
# The test is a program or script of its own. It runs in the build directory, without stdin.
function(mmt_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT")
  if(NOT MMT_BUILD_TESTS)
    return()
  endif()
  if(NOT arg_LABELS)
    message(FATAL_ERROR "mmt_script_test(${name}): no LABELS")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(
    ${name}
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}"
               RUN_SERIAL "${arg_SERIAL}" WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
               SKIP_RETURN_CODE 77)
endfunction()
