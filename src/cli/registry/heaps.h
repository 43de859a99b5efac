// The heaps a program can be run on, by name, and where their libraries are.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/registry/named.h"

namespace mmt::cli {

// The native heap first, then the compositions of layers.
std::span<const Named> known_heaps();

// Full path of the library that runs a program on a layered heap. Throws a Failure with `status`
// when there is no such heap or its library cannot be used. Not for the native heap.
std::string heap_library_path(std::string_view name, int status);

}  // namespace mmt::cli
