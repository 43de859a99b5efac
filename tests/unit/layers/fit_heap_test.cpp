// FitHeap asks of its policy what fit/requests.h says, at the very addresses that the policy has
// alone. The tests also cover aligned blocks, realloc, and what the heap tells of its memory.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/buddy.h>
#include <mmt/layers/fit/fit_heap.h>
#include <mmt/layers/fit/requests.h>
#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/simple_segregated.h>
#include <mmt/layers/fit/tlsf.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

template <template <class> class Policy, auto... kOptions>
using HeapOf = Pipe<ReservedHeap<size_t{1} << 32>, Fitting<FitChoice<Policy, kOptions...>>, Ansi>;

// The rules of fit/requests.h over a policy of its own, as a simulator has it.
template <class Policy>
class Simulated {
 public:
  struct Block {
    fit::Address chunk = fit::kNone;  // as allocate() gave it
    fit::Address at = fit::kNone;     // as its owner has it
    size_t asked = 0;
  };

  Block allocate(size_t bytes, size_t alignment) {
    if (alignment <= kGranule) return plain(bytes);
    Block block = plain(fit::aligned_bytes(bytes, alignment, kGranule));
    block.at = core::align_up(block.chunk, alignment);
    return block;
  }
  Block resize(Block block, size_t bytes) {
    const size_t usable = policy_.usable(block.chunk, block.asked);
    if (fit::keeps_place(usable, block.at - block.chunk, bytes)) return block;
    const Block moved = plain(bytes);
    free(block);
    return moved;
  }
  void free(Block block) { policy_.free(block.chunk, block.asked); }

 private:
  static constexpr size_t kGranule = 16;

  Block plain(size_t bytes) {
    const fit::Address at = policy_.allocate(bytes);
    return {at, at, bytes};
  }

  Policy policy_;
};

template <template <class> class Policy, auto... kOptions>
void expect_same_addresses(uint64_t seed) {
  using Heap = HeapOf<Policy, kOptions...>;
  Heap heap;
  Simulated<typename Heap::Policy> simulated;
  Random random(seed);
  std::vector<void*> blocks;
  std::vector<typename Simulated<typename Heap::Policy>::Block> twins;
  for (int i = 0; i < 20000; ++i) {
    const size_t kind = random.below(100);
    const size_t bytes = random.below(random.below(3000) + 1) + 1;
    if (kind < 45 || blocks.empty()) {
      const size_t alignment = kind < 5 ? size_t{1} << random.below(13) : 16;
      blocks.push_back(heap.allocate(bytes, alignment).data);
      twins.push_back(simulated.allocate(bytes, alignment));
      ASSERT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % alignment, 0u);
    } else {
      const size_t j = random.below(blocks.size());
      if (kind < 60) {
        blocks[j] = heap.realloc(blocks[j], bytes);
        twins[j] = simulated.resize(twins[j], bytes);
        ASSERT_EQ(heap.policy().arena().address_of(blocks[j]), twins[j].at) << i;
        continue;
      }
      heap.free(blocks[j]);
      simulated.free(twins[j]);
      blocks[j] = blocks.back();
      twins[j] = twins.back();
      blocks.pop_back();
      twins.pop_back();
      continue;
    }
    ASSERT_EQ(heap.policy().arena().address_of(blocks.back()), twins.back().at) << i;
  }
  EXPECT_STREQ(heap.policy().broken_invariant(), nullptr);
}

TEST(FitHeap, AsksItsPolicyAsASimulatorDoes) {
  using fit::SegregatedOptions;
  expect_same_addresses<fit::SegregatedFit, SegregatedOptions{.coalesces = true}>(1);
  expect_same_addresses<fit::SegregatedFit, SegregatedOptions{}>(2);
  expect_same_addresses<fit::SimpleSegregated>(3);
  expect_same_addresses<fit::Buddy>(4);
  expect_same_addresses<fit::Tlsf>(5);
}

TEST(FitHeap, ReallocKeepsItsPlaceExactlyIfTheChunkHoldsTheSize) {
  HeapOf<fit::Tlsf> heap;
  void* const block = heap.malloc(1000);
  const size_t size = heap.get_size(block);
  EXPECT_GE(size, 1000u);
  EXPECT_EQ(heap.realloc(block, 1), block);
  EXPECT_EQ(heap.get_size(block), size);
  EXPECT_EQ(heap.realloc(block, size), block);
  EXPECT_NE(heap.realloc(block, size + 1), block);
}

TEST(FitHeap, TellsWhatIsFree) {
  HeapOf<fit::Tlsf> heap;
  EXPECT_EQ(heap.usage().system_bytes, 0u);
  void* const block = heap.malloc(100);
  const Usage used = heap.usage();
  EXPECT_EQ(used.system_bytes, fit::kPaperGrowth);
  heap.free(block);
  EXPECT_GE(heap.usage().free_bytes, used.free_bytes + 100);
  EXPECT_EQ(heap.usage().free_blocks, 1u);
  EXPECT_TRUE(heap.owns(block));
  EXPECT_FALSE(heap.owns(&heap));
}

TEST(FitHeap, TellsOfRunsThatAreNotCut) {
  HeapOf<fit::SimpleSegregated> heap;
  heap.malloc(100);
  const Usage usage = heap.usage();
  EXPECT_EQ(usage.free_blocks, 0u);
  EXPECT_GE(usage.free_bytes, usage.system_bytes - 256);
}

TEST(FitRequests, AlignedBytesHoldTheBlockWhereverItsChunkLies) {
  for (size_t alignment = 32; alignment <= 4096; alignment *= 2) {
    const size_t bytes = fit::aligned_bytes(100, alignment, 16);
    for (size_t at = 16; at <= 2 * alignment; at += 16) {
      ASSERT_LE(core::align_up(at, alignment) + 100, at + bytes);
    }
  }
  EXPECT_EQ(fit::aligned_bytes(SIZE_MAX, 64, 16), 0u);
  EXPECT_EQ(fit::aligned_bytes(100, size_t{1} << 63, 16), 0u);
}

}  // namespace
}  // namespace mmt::layers
