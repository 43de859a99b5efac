# What can be chosen when configuring, and what holds for every target.
#   MMT_TESTS     AUTO (when GoogleTest is there), ON, OFF. Result: MMT_BUILD_TESTS.
#   MMT_CHECKS    always, debug, paranoid: the tier of checks compiled in, as MMT_CHECK_LEVEL 0, 1, 2.
#   MMT_SANITIZE  empty, address (with undefined behaviour), thread. Builds the parts and their unit
#                 tests: a preload library and the programs run under it cannot carry a sanitizer.
set(MMT_TESTS AUTO CACHE STRING "Build the tests: AUTO, ON, OFF")
set(MMT_CHECKS always CACHE STRING "Tier of checks: always, debug, paranoid")
set(MMT_SANITIZE "" CACHE STRING "Sanitizer: empty, address, thread")
set_property(CACHE MMT_TESTS PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE MMT_CHECKS PROPERTY STRINGS always debug paranoid)
set_property(CACHE MMT_SANITIZE PROPERTY STRINGS "" address thread)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# `mmt` finds its library at ../lib in the build tree and installed alike, whatever the prefix.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Library directory")
include(GNUInstallDirs)

find_package(Threads REQUIRED)

set(check_tiers always debug paranoid)
list(FIND check_tiers "${MMT_CHECKS}" check_level)
if(check_level LESS 0)
  message(FATAL_ERROR "MMT_CHECKS is '${MMT_CHECKS}': want always, debug or paranoid")
endif()
add_compile_definitions(MMT_CHECK_LEVEL=${check_level})

if(MMT_SANITIZE STREQUAL "address")
  set(sanitize_flags -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(MMT_SANITIZE STREQUAL "thread")
  set(sanitize_flags -fsanitize=thread)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc says that ThreadSanitizer does not model fences; a report still fails the test.
    add_compile_options(-Wno-tsan)
  endif()
elseif(NOT MMT_SANITIZE STREQUAL "")
  message(FATAL_ERROR "MMT_SANITIZE is '${MMT_SANITIZE}': want nothing, address or thread")
endif()
if(MMT_SANITIZE)
  # A sanitizer sees more of what less optimized code does, which compiles three times as fast; a report
  # needs lines, not types.
  add_compile_options(${sanitize_flags} -fno-omit-frame-pointer
                      $<$<CONFIG:RelWithDebInfo>:-O1> $<$<CONFIG:RelWithDebInfo>:-g1>)
  add_link_options(${sanitize_flags})
endif()

set(MMT_BUILD_TESTS OFF)
if(MMT_TESTS STREQUAL "AUTO")
  find_package(GTest QUIET)
  set(MMT_BUILD_TESTS ${GTest_FOUND})
elseif(MMT_TESTS)
  find_package(GTest REQUIRED)
  set(MMT_BUILD_TESTS ON)
endif()
