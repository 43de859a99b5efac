# What others find installed: the public headers; `find_package(mmt)` gives the targets mmt::layers and
# mmt::stm (with the interface for C), pkg-config the package mmt.
include(CMakePackageConfigHelpers)

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/mmt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.h")

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mmt)
target_include_directories(mmt_layers INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS mmt_layers EXPORT mmt_targets)
if(NOT MMT_SANITIZE)
  install(TARGETS mmt_stm EXPORT mmt_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(
  EXPORT mmt_targets
  NAMESPACE mmt::
  FILE mmt-targets.cmake
  DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/mmt-config.cmake.in
                              ${PROJECT_BINARY_DIR}/mmt-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mmt-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/mmt-config.cmake ${PROJECT_BINARY_DIR}/mmt-config-version.cmake
        DESTINATION ${package_folder})

# Relocatable: the prefix is found from where the file itself is.
configure_file(${PROJECT_SOURCE_DIR}/cmake/mmt.pc.in ${PROJECT_BINARY_DIR}/mmt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mmt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
