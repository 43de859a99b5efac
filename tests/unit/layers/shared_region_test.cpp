// A region and an obstack share their memory with a general heap. Chunks that one gives back serve
// the other, and ordinary blocks. The end returns everything.
#include <set>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/adapt/unique_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/special/obstack_heap.h>
#include <mmt/layers/special/zone_heap.h>

#include "unit/layers/bottom_heap.h"

namespace mmt::layers {
namespace {

constexpr size_t kChunk = 4000;

// A Kingsley heap whose own source is counted: by the process's malloc, which outlives it.
Bottom counted;

class CountedSource : public RefHeap<Bottom> {
 public:
  CountedSource() : RefHeap(counted) {}
};
using General = KingsleyHeap<CountedSource>;

template <class RegionHeap, class ObstackHeap>
void expect_chunks_to_serve_all(RegionHeap& region, ObstackHeap& obstack, auto& general) {
  // All chunks of the region, freed, are those of the obstack, in the order of the free list.
  std::set<void*> chunks;
  for (int i = 0; i < 20; ++i) chunks.insert(region.malloc(900));
  region.malloc(50000);
  const size_t taken = counted.statistics().mallocs;
  region.clear();
  void* const first = obstack.malloc(900);
  EXPECT_TRUE(chunks.contains(first));
  for (int i = 0; i < 8; ++i) obstack.malloc(900);
  EXPECT_EQ(counted.statistics().mallocs, taken) << "the obstack took new memory";

  obstack.free(first);
  obstack.clear();
  void* const block = general.malloc(kChunk);
  void* const large = general.malloc(50000);
  EXPECT_TRUE(chunks.contains(static_cast<char*>(block) + 16)) << "not a chunk's memory";
  EXPECT_EQ(counted.statistics().mallocs, taken) << "the general heap took new memory";
  general.free(block);
  general.free(large);

  for (int i = 0; i < 16; ++i) region.malloc(900);
  region.malloc(50000);
  EXPECT_EQ(counted.statistics().mallocs, taken) << "the region took new memory";
}

TEST(SharedRegion, ChunksPassBetweenHeapsOfOneGeneralHeap) {
  {
    General general;
    {
      Pipe<RefHeap<General>, Zone<kChunk>> region(general);
      Pipe<RefHeap<General>, Obstack<kChunk>> obstack(general);
      expect_chunks_to_serve_all(region, obstack, general);
      EXPECT_TRUE(obstack.grow("an object that has not ended", 28));
    }
    // Regions and obstacks that have ended hold nothing: the same once more needs no more.
    const size_t taken = counted.statistics().mallocs;
    Pipe<RefHeap<General>, Zone<kChunk>> region(general);
    Pipe<RefHeap<General>, Obstack<kChunk>> obstack(general);
    expect_chunks_to_serve_all(region, obstack, general);
    EXPECT_EQ(counted.statistics().mallocs, taken);
  }
  EXPECT_EQ(counted.statistics().blocks, 0u);
}

TEST(SharedRegion, AClassKnowsTheGeneralHeapByItsTypeAlone) {
  using Known = UniqueHeap<General>;
  Known general;
  {
    Pipe<Known, Zone<kChunk>> region;
    Pipe<Known, Obstack<kChunk>> obstack;
    expect_chunks_to_serve_all(region, obstack, general);
  }
  // Never ended, but it can be emptied.
  general.clear();
  EXPECT_EQ(counted.statistics().blocks, 0u);
}

}  // namespace
}  // namespace mmt::layers
