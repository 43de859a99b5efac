// How much memory a heap has, for layers that offer usage(): a walk over what is free, for
// diagnosis.
#pragma once

#include <cstddef>

namespace mmt::layers {

struct Usage {
  size_t system_bytes = 0;  // from the system, without mapped blocks
  size_t free_bytes = 0;    // of these: in blocks that are free, and not yet given out
  size_t free_blocks = 0;
  size_t mapped_bytes = 0;  // in blocks that are mappings of their own
  size_t mapped_blocks = 0;
};

// What one of a heap's blocks takes beside what it can hold: free_bytes counts it.
template <class Heap>
inline constexpr size_t kBesideOf = [] {
  if constexpr (requires { Heap::kBeside; }) return size_t{Heap::kBeside};
  return size_t{0};
}();

}  // namespace mmt::layers
