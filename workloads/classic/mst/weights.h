// The weights of a complete graph's edges: a fixed function of the two vertices, in either order.
#pragma once

#include <cstdint>

namespace mmt::workloads::classic::mst {

inline constexpr uint64_t kMostWeight = 2048;

// 1 to kMostWeight.
inline uint64_t weight_of(uint64_t a, uint64_t b) {
  uint64_t x = a < b ? a << 32 | b : b << 32 | a;
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
  return (x >> 32) % kMostWeight + 1;
}

}  // namespace mmt::workloads::classic::mst
