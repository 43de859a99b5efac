# Adds every folder of tests/ (and fuzz/) that has a CMakeLists.txt.
# Sanitized builds take only those that test parts, without the library preloaded.
file(GLOB lists CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/tests/*/CMakeLists.txt)
foreach(list IN LISTS lists)
  get_filename_component(folder ${list} DIRECTORY)
  get_filename_component(topic ${folder} NAME)
  if(MMT_SANITIZE AND NOT topic MATCHES "^(unit|concurrency)$")
    continue()
  endif()
  if(NOT TARGET mmt_preload AND NOT topic MATCHES "^(unit|concurrency|model|house)$")
    continue()
  endif()
  add_subdirectory(${folder})
endforeach()
mmt_add_folder(fuzz)
