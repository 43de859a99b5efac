# What others find installed: the public headers; `find_package(mmt)` gives the targets mmt::layers and
# mmt::stm (with the interface for C), pkg-config the packages mmt and mmt-stm.
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
# Headers alone serve any machine, an archive does not.
set(any_machine)
if(MMT_SANITIZE)
  set(any_machine ARCH_INDEPENDENT)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mmt-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${any_machine})
install(FILES ${PROJECT_BINARY_DIR}/mmt-config.cmake ${PROJECT_BINARY_DIR}/mmt-config-version.cmake
        DESTINATION ${package_folder})

# Relocatable: the prefix is found from where the file itself is.
set(pkgconfig_packages mmt)
if(NOT MMT_SANITIZE)
  list(APPEND pkgconfig_packages mmt-stm)
endif()
foreach(package IN LISTS pkgconfig_packages)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
