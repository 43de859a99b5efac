// What a memory thread can be put before: MMT's own heap, or any allocator.
#pragma once

#include <string>
#include <vector>

#include "cli/registry/named.h"

namespace mmt::cli {

// Those that can be had here, the native heap first. Any other allocator's library has its path for
// a name.
std::vector<Named> known_backends();

// Full path of the backend's library; empty for glibc, which needs none. Not for the native heap.
// Throws a Failure with `status` when there is no such backend or its library cannot be used.
std::string backend_library_path(const std::string& name, int status);

}  // namespace mmt::cli
