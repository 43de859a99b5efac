# Target mmt::layers: the public headers, which need C++20 and threads. All that a project sees that adds
# this one to itself.
include_guard(GLOBAL)
find_package(Threads REQUIRED)

add_library(mmt_layers INTERFACE)
add_library(mmt::layers ALIAS mmt_layers)
target_include_directories(mmt_layers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(mmt_layers INTERFACE cxx_std_20)
target_link_libraries(mmt_layers INTERFACE Threads::Threads)
set_target_properties(mmt_layers PROPERTIES EXPORT_NAME layers)
