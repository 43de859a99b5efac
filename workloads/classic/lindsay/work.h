// What a `compute` step does: one step of a linear congruential generator modulo 2^64. Steps cannot
// be skipped while computing, but their sum can be checked: k steps are one affine map.
#pragma once

#include <cstdint>

namespace mmt::workloads::classic::lindsay {

constexpr uint64_t kFactor = 6364136223846793005u;
constexpr uint64_t kAddend = 1442695040888963407u;

inline uint64_t work(uint64_t state, uint64_t steps) {
  for (; steps > 0; --steps) state = state * kFactor + kAddend;
  return state;
}

// The same by repeated squaring of the map.
inline uint64_t work_at_once(uint64_t state, uint64_t steps) {
  uint64_t factor = kFactor, addend = kAddend;
  for (; steps > 0; steps >>= 1) {
    if ((steps & 1) != 0) state = state * factor + addend;
    addend *= factor + 1;
    factor *= factor;
  }
  return state;
}

}  // namespace mmt::workloads::classic::lindsay
