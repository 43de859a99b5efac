// ProfileHeap adds up what it sees and names the places that hold most.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/profile_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/place_names.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using Exact = Pipe<MmapHeap, Chunk<65536>, Size, Profile>;
using Source = Pipe<MmapHeap, Statistics>;
using Kingsley = Pipe<KingsleyHeap<Source>, Profile>;

}  // namespace

PLANTED(void* profile_takes_much(Exact& heap, size_t bytes)) {
  void* block = heap.malloc(bytes);
  KEEP_FRAME();
  return block;
}
PLANTED(void* profile_takes_little(Exact& heap, size_t bytes)) {
  void* block = heap.malloc(bytes);
  KEEP_FRAME();
  return block;
}

namespace {

[[maybe_unused]] constinit Pipe<MmapHeap, Statistics, Profile> made_by_the_compiler;

TEST(ProfileHeap, SumsNowAndAtThePeak) {
  Exact heap;
  void* a = heap.malloc(100);
  void* b = heap.malloc(300);
  heap.free(a);
  void* c = heap.malloc(50);
  const HeapProfile& profile = heap.profile();
  EXPECT_EQ(profile.now().blocks, 2u);
  EXPECT_EQ(profile.now().requested, 350u);
  EXPECT_EQ(profile.peak().blocks, 2u);
  EXPECT_EQ(profile.peak().requested, 400u);
  EXPECT_EQ(profile.mallocs(), 3u);
  EXPECT_EQ(profile.frees(), 1u);
  heap.free(b);
  heap.free(c);
  EXPECT_EQ(profile.now().blocks, 0u);
  EXPECT_EQ(profile.now().requested, 0u);
  EXPECT_EQ(profile.now().given, 0u);
  EXPECT_EQ(profile.peak().requested, 400u);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(profile.failures(), 1u);
  EXPECT_EQ(profile.unrecorded(), 0u);
}

// Powers of two with a header of 8 bytes: 100 bytes lie in 120.
TEST(ProfileHeap, TellsInternalFragmentation) {
  Kingsley heap;
  void* a = heap.malloc(100);
  void* b = heap.malloc(120);
  EXPECT_EQ(heap.profile().now().requested, 220u);
  EXPECT_EQ(heap.profile().now().given, 240u);
  heap.free(a);
  EXPECT_EQ(heap.profile().now().given, 120u);
  heap.free(b);
}

TEST(ProfileHeap, CountsSizesByPowersOfTwo) {
  Exact heap;
  const std::vector<size_t> sizes = {0, 1, 2, 3, 4, 1023, 1024, 2047, 2048};
  for (const size_t size : sizes) heap.malloc(size);
  heap.free(heap.malloc(1500));
  const auto counts = [&](size_t c) {
    const HeapProfile::Class& sums = heap.profile().size_class(c);
    return std::pair(sums.blocks, sums.ever);
  };
  EXPECT_EQ(counts(0), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(counts(1), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(counts(2), std::pair(size_t{2}, size_t{2}));
  EXPECT_EQ(counts(3), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(counts(10), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(counts(11), std::pair(size_t{2}, size_t{3}));
  EXPECT_EQ(counts(12), std::pair(size_t{1}, size_t{1}));
  heap.clear();
  for (size_t c = 0; c < HeapProfile::kClasses; ++c) EXPECT_EQ(counts(c).first, 0u);
  EXPECT_EQ(heap.profile().now().blocks, 0u);
}

TEST(ProfileHeap, NamesThePlacesThatHoldMost) {
  Exact heap;
  repeat(10, [&] { profile_takes_little(heap, 10); });
  repeat(3, [&] { profile_takes_much(heap, 500); });
  heap.free(profile_takes_much(heap, 500));
  heap.free(heap.malloc(100000));
  std::vector<std::pair<Place, HeapProfile::PlaceSums>> top;
  const auto collect = [&](const Place& place, const HeapProfile::PlaceSums& sums) {
    top.emplace_back(place, sums);
  };
  heap.profile().for_top_places(10, collect);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_TRUE(is_in(top[0].first, "profile_takes_much"));
  EXPECT_EQ(top[0].second.bytes, 1500u);
  EXPECT_EQ(top[0].second.blocks, 3u);
  EXPECT_TRUE(is_in(top[1].first, "profile_takes_little"));
  EXPECT_EQ(top[1].second.bytes, 100u);
  EXPECT_EQ(top[1].second.blocks, 10u);
  EXPECT_EQ(top[1].second.ever, 10u);
  top.clear();
  heap.profile().for_top_places(1, collect);
  EXPECT_EQ(top.size(), 1u);
}

TEST(ProfileHeap, FollowsBlocksThatGrow) {
  Pipe<BufferHeap<5000>, Size, Profile> heap;
  void* block = heap.malloc(10);
  EXPECT_TRUE(heap.expand(block, 1000));
  EXPECT_EQ(heap.profile().now().requested, 1000u);
  EXPECT_EQ(heap.profile().peak().requested, 1000u);
  EXPECT_EQ(heap.profile().size_class(4).blocks, 0u);
  EXPECT_EQ(heap.profile().size_class(10).blocks, 1u);
  EXPECT_FALSE(heap.expand(block, 10000));
  heap.free(block);
  EXPECT_EQ(heap.profile().now().requested, 0u);
}

TEST(ProfileHeap, ReturnsToZeroAfterALongRun) {
  Kingsley heap;
  mix(heap, 21, 20000, 3000);
  const HeapProfile& profile = heap.profile();
  EXPECT_EQ(profile.now().blocks, 0u);
  EXPECT_EQ(profile.now().requested, 0u);
  EXPECT_EQ(profile.now().given, 0u);
  EXPECT_EQ(profile.mallocs(), profile.frees());
  EXPECT_GT(profile.peak().requested, 0u);
  EXPECT_GE(profile.peak().given, profile.peak().requested);
  profile.for_top_places(9, [](const Place&, const HeapProfile::PlaceSums&) { FAIL(); });
}

TEST(ProfileHeap, ReportsAsText) {
  MemoryFile file;
  {
    Pipe<MmapHeap, Statistics, Chunk<65536>, Size, Profile> heap;
    heap.report_at_end(file.descriptor());
    heap.free(heap.malloc(600));
    heap.malloc(100);
    EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  }
  const std::string text = file.text();
  for (const char* line :
       {"heap profile: 2 blocks given, 1 freed, 1 refused\n",
        "now: 1 blocks, 100 bytes requested, 100 given, 0.0% of them for",
        "peak: 1 blocks, 600 bytes requested, 600 given, 0.0% of them for",
        "size 64 to 127: 1 blocks now, 1 ever\n", "size 512 to 1023: 0 blocks now, 1 ever\n",
        "place: 100 bytes in 1 blocks, 1 ever: ", "heap: 69616 bytes held now, ",
        " free in 1 blocks, 99.9% of all for",
        "source: 69616 bytes held now, 69616 at most, 99.1% of them for"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " is not in\n" << text;
  }
}

TEST(ProfileHeap, ReportsLossWithinBlocks) {
  MemoryFile file;
  Kingsley heap;
  void* block = heap.malloc(60);
  heap.report(file.descriptor(), 0);
  const std::string text = file.text();
  EXPECT_NE(text.find("60 bytes requested, 120 given, 50.0% of them for nothing"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("place:"), std::string::npos);
  heap.free(block);
}

}  // namespace
}  // namespace mmt::layers
