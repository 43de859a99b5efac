// The heaps a program can be run on, by name, and where their libraries are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/registry/named.h"

namespace mmt::cli {

// MMT's own heap, on its own memory thread.
inline constexpr const char* kNativeHeap = "native";
// Whom options are for that the plain native heap does not understand.
inline constexpr const char* kHardenedHeap = "hardened";

// The native heap first, then the compositions of layers.
std::vector<Named> known_heaps();

// True for a layered heap, also one that no list shows. The name is its own, that of its file, or
// any that says the same of a model (sim/spec/spec.h).
bool is_layered_heap(std::string_view name);

// Throws a Failure with `status` where a name is a model's, and no heap's.
void refuse_model(std::string_view name, int status);

// The file that a heap of this name has.
std::string heap_library_file(std::string_view name);

// Full path of the library that runs a program on a layered heap. Throws a Failure with `status`
// when there is no such heap or its library cannot be used. Not for the native heap.
std::string heap_library_path(std::string_view name, int status);

}  // namespace mmt::cli
