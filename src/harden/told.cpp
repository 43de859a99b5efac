#include "harden/told.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mmt::harden {
namespace {

constexpr size_t kKept = 64;
constinit std::atomic<const void*> told[kKept]{};
constinit std::atomic<uint32_t> next{0};

}  // namespace

// Relaxed, here and below: addresses that are compared alone. Two threads that come upon a fault at
// the same moment may both tell.
bool note_told(const void* at) {
  for (const auto& one : told)
    if (one.load(std::memory_order_relaxed) == at) return false;
  const uint32_t place = next.fetch_add(1, std::memory_order_relaxed) % kKept;
  told[place].store(at, std::memory_order_relaxed);
  return true;
}

bool forget_told(const void* at) {
  if (next.load(std::memory_order_relaxed) == 0) return false;
  bool is_told = false;
  for (auto& one : told) {
    if (one.load(std::memory_order_relaxed) != at) continue;
    one.store(nullptr, std::memory_order_relaxed);
    is_told = true;
  }
  return is_told;
}

}  // namespace mmt::harden
