// Blocks of the classic programs: malloc and free, with one answer to exhaustion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "base/fail.h"

namespace mmt::workloads::classic {

// A block of `bytes`, never null; ends the program with status 1 when there is none.
inline void* allocate(size_t bytes) {
  void* block = std::malloc(bytes == 0 ? 1 : bytes);  // Some answer 0 with a null.
  if (block == nullptr) fail("out of memory");
  return block;
}

// `count` elements of T, not initialised.
template <typename T>
T* allocate_array(size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  if (count > SIZE_MAX / sizeof(T)) fail("out of memory");
  return static_cast<T*>(allocate(count * sizeof(T)));
}

}  // namespace mmt::workloads::classic
