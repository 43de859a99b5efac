#include "agnostic/recycling/calibration.h"

#include <algorithm>

namespace mmt::agnostic {
namespace {

constexpr size_t kBytes = 40;
constexpr uint32_t kBlocks = 8;
constexpr uint32_t kRounds = 16;
constexpr uint32_t kTries = 6;

// Ticks of the fastest of some runs: what disturbs a run only makes it slower.
template <class Malloc, class Free>
uint64_t fastest(Malloc&& allocate, Free&& free) {
  uint64_t best = UINT64_MAX;
  for (uint32_t t = 0; t < kTries; ++t) {
    const uint64_t begin = core::ticks_before();
    for (uint32_t round = 0; round < kRounds; ++round) {
      void* blocks[kBlocks];
      for (void*& block : blocks) {
        block = allocate();
        __asm__ volatile("" ::"r"(block) : "memory");
      }
      for (void* block : blocks) free(block);
    }
    best = std::min(best, core::ticks_after() - begin);
  }
  return best;
}

}  // namespace

bool is_recycling_faster(Magazines& magazines) {
  const uint64_t plain = fastest([] { return library.malloc(kBytes); }, library.free);
  const uint64_t recycled = fastest(
      [&] {
        void* block = magazines.take(kBytes);
        return block != nullptr ? block : magazines.allocate(kBytes);
      },
      [&](void* block) {
        if (block == nullptr) return;
        const size_t size = library.usable_size(block);
        if (size > Magazines::kLargest || !magazines.give(block, size)) magazines.free(block, size);
      });
  // What the names, the guard and the checks cost besides is not in it: hence the tenth.
  return recycled + recycled / 10 < plain;
}

}  // namespace mmt::agnostic
