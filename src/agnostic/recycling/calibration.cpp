#include "agnostic/recycling/calibration.h"

#include <algorithm>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "agnostic/library.h"

namespace mmt::agnostic {
namespace {

constexpr size_t kBytes = 40;
constexpr uint32_t kBlocks = 8;
constexpr uint32_t kRounds = 16;
constexpr uint32_t kTries = 6;

// Ticks of the fastest of some runs: what disturbs a run only makes it slower.
uint64_t fastest(void* (*allocate)(size_t), void (*free)(void*)) {
  uint64_t best = UINT64_MAX;
  for (uint32_t t = 0; t < kTries; ++t) {
    const uint64_t begin = core::ticks_before();
    for (uint32_t round = 0; round < kRounds; ++round) {
      void* blocks[kBlocks];
      for (void*& block : blocks) {
        block = allocate(kBytes);
        __asm__ volatile("" ::"r"(block) : "memory");
      }
      for (void* block : blocks) free(block);
    }
    best = std::min(best, core::ticks_after() - begin);
  }
  return best;
}

}  // namespace

bool is_faster_than_library(void* (*our_malloc)(size_t), void (*our_free)(void*)) {
  const uint64_t plain = fastest(library.malloc, library.free);
  const uint64_t ours = fastest(our_malloc, our_free);
  // Recycling must be worth the memory that it keeps.
  return ours + ours / 20 < plain;
}

}  // namespace mmt::agnostic
