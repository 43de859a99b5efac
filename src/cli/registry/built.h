// The heaps and protocols that the build made: one row of a CMakeLists.txt each (mmt_heap_library,
// mmt_protocol_library, mmt_engine_library). And the laboratory's studies, as each declares itself.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/registry/named.h"

namespace mmt::cli {

struct Built : Named {
  bool shown = false;      // else it works by its name, but no list has it
  std::string_view takes;  // of a protocol: groups of options, each between spaces
};

// heap_library_file() has their files.
std::span<const Built> built_heaps();
// libmmt-protocol-NAME.so
std::span<const Built> built_protocols();

std::span<const Named> built_studies();

}  // namespace mmt::cli
