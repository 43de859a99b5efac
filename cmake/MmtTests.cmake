# Adds every folder of tests/ (and fuzz/) that has a CMakeLists.txt.
# Sanitized builds take only those that test parts, without the library preloaded.
# A folder that cannot be added because the library does not exist fails a test, not the build.
file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/tests/*/CMakeLists.txt)
set(left_out)
foreach(list IN LISTS lists)
  get_filename_component(folder ${list} DIRECTORY)
  get_filename_component(topic ${folder} NAME)
  if(MMT_SANITIZE AND NOT topic MATCHES "^unit$")
    continue()
  endif()
  if(NOT TARGET mmt_preload AND NOT topic MATCHES "^(unit|model|house|compile_fail)$")
    list(APPEND left_out ${folder})
    continue()
  endif()
  add_subdirectory(${folder})
endforeach()
mmt_add_folder(fuzz)

if(left_out)
  mmt_script_test(house.tests_left_out_without_mmt_preload LABELS house
    COMMAND ${CMAKE_COMMAND} -E cat ${left_out} # fails: there are no such files here
  )
endif()
