// Allocators that a program has inside of itself under names of their own: Rust's jemalloc, a
// linked mimalloc, Go's heap. No preloaded library can take their place.
#pragma once

#include <string>
#include <vector>

namespace mmt::programs {

// Found by texts that they bring along, also in stripped files; empty when the file cannot be read.
std::vector<std::string> bundled_allocators(const std::string& path);

}  // namespace mmt::programs
