# The documents as they are installed: laid out as in the repository, so that links between them hold.
#   cmake --install BUILD --component documents
file(
  GLOB_RECURSE documents
  RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/docs/*.md
  ${PROJECT_SOURCE_DIR}/docs/*.toml
  ${PROJECT_SOURCE_DIR}/docs/*.svg
  ${PROJECT_SOURCE_DIR}/docs/*.png
  ${PROJECT_SOURCE_DIR}/docs/studies/*.csv
  ${PROJECT_SOURCE_DIR}/workloads/*.md)
file(
  GLOB top
  RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/*.md)
foreach(document IN LISTS documents top ITEMS LICENSE)
  cmake_path(GET document PARENT_PATH folder)
  install(
    FILES ${PROJECT_SOURCE_DIR}/${document}
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder}
    COMPONENT documents)
endforeach()
