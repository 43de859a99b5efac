# The documents as they are installed: laid out as in the repository, so that links between them hold.
#   cmake --install BUILD --component documents
file(
  GLOB_RECURSE documents
  RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/docs/*.md
  ${PROJECT_SOURCE_DIR}/docs/*.toml
  ${PROJECT_SOURCE_DIR}/docs/*.svg
  ${PROJECT_SOURCE_DIR}/docs/*.png
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

# Tables that the repository does not keep; without Python the pages say which command prints them.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(with_tables)
  foreach(document IN LISTS documents)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${document} lines REGEX "^<!-- table: ")
    if(lines)
      list(APPEND with_tables ${document})
    endif()
  endforeach()
  install(
    CODE "
      set(pages)
      foreach(document IN ITEMS ${with_tables})
        list(APPEND pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/\${document}\")
      endforeach()
      execute_process(
        COMMAND ${CMAKE_COMMAND} -E env MMT_SITE_PROGRAM=${PROJECT_BINARY_DIR}/bin/mmt
                ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/site/tables.py \${pages}
        RESULT_VARIABLE failed)
      if(failed)
        message(WARNING \"tables of documents are not filled in\")
      endif()"
    COMPONENT documents)
endif()
