// The figures against what this program holds, counted by itself.
#include "observe/stats.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/thread.h>

#include "heap/object/thread_state.h"
#include "heap/process/allocation.h"
#include "heap/process/process_heap.h"

namespace mmt::observe {
namespace {

struct Figures {
  Figures() { collect_stats(heap::process_heap, values); }
  uint64_t operator[](Stat stat) const { return values[static_cast<size_t>(stat)]; }
  uint64_t values[kStatsPageValues];
};

std::vector<void*> allocate_many(size_t count, size_t size) {
  std::vector<void*> blocks;
  for (size_t i = 0; i < count; ++i) blocks.push_back(heap::allocate(heap::process_heap, size));
  return blocks;
}

void free_all(const std::vector<void*>& blocks) {
  for (void* block : blocks) heap::deallocate(heap::process_heap, block);
}

TEST(Stats, FieldsAreNamedOnce) {
  std::set<std::string> names;
  const std::set<std::string> units{"bytes", "count", "ns", "flag"};
  for (const StatField& field : kStatFields) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(units.count(field.unit) != 0) << field.name;
    EXPECT_GT(strlen(field.help), 10u) << field.name;
  }
}

TEST(Stats, CountsSmallBlocksExactly) {
  const Figures before;
  for (size_t size : {1, 100, 1000, 5000, 100000}) {
    const size_t rounded = store::kClasses[store::class_of_size(size)].size;
    const Figures start;
    const auto blocks = allocate_many(1000, size);
    const Figures full;
    EXPECT_EQ(full[Stat::kInUseBlocks], start[Stat::kInUseBlocks] + 1000) << size;
    EXPECT_EQ(full[Stat::kInUseBytes], start[Stat::kInUseBytes] + 1000 * rounded) << size;
    for (size_t i = 0; i < blocks.size(); i += 2) heap::deallocate(heap::process_heap, blocks[i]);
    EXPECT_EQ(Figures()[Stat::kInUseBlocks], start[Stat::kInUseBlocks] + 500) << size;
    for (size_t i = 1; i < blocks.size(); i += 2) heap::deallocate(heap::process_heap, blocks[i]);
  }
  EXPECT_EQ(Figures()[Stat::kInUseBytes], before[Stat::kInUseBytes]);
}

TEST(Stats, CountsLargeBlocks) {
  const Figures start;
  const auto blocks = allocate_many(3, 10 << 20);
  const Figures full;
  EXPECT_EQ(full[Stat::kLargeInUseBytes], start[Stat::kLargeInUseBytes] + (30 << 20));
  EXPECT_EQ(full[Stat::kLargeInUseBlocks], start[Stat::kLargeInUseBlocks] + 3);
  EXPECT_EQ(full[Stat::kLargeTaken], start[Stat::kLargeTaken] + 3);
  free_all(blocks);
  const Figures after;
  EXPECT_EQ(after[Stat::kLargeInUseBytes], start[Stat::kLargeInUseBytes]);
  EXPECT_EQ(after[Stat::kLargeGiven], start[Stat::kLargeGiven] + 3);
}

TEST(Stats, CountsWhatEndedThreadsLeft) {
  const Figures start;
  std::vector<void*> blocks[4];
  std::vector<std::thread> threads;
  for (auto& mine : blocks) threads.emplace_back([&mine] { mine = allocate_many(5000, 300); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Figures()[Stat::kInUseBlocks], start[Stat::kInUseBlocks] + 20000);
  for (const auto& mine : blocks) free_all(mine);
  EXPECT_EQ(Figures()[Stat::kInUseBlocks], start[Stat::kInUseBlocks]);
  EXPECT_GE(Figures()[Stat::kClients], start[Stat::kClients]);
}

TEST(Stats, MemoryAddsUp) {
  const auto blocks = allocate_many(10000, 500);
  const Figures figures;
  EXPECT_LE(figures[Stat::kHeapBytes], figures[Stat::kMappedBytes]);
  EXPECT_LE(figures[Stat::kFreeDirtyBytes], figures[Stat::kFreeBytes]);
  EXPECT_LE(figures[Stat::kSpanBytes] + figures[Stat::kFreeBytes] + figures[Stat::kLargeInUseBytes],
            figures[Stat::kHeapBytes]);
  EXPECT_LE(figures[Stat::kSmallInUseBytes] + figures[Stat::kSpareBytes] +
                figures[Stat::kCachedBytes] + figures[Stat::kSurplusBytes],
            figures[Stat::kSpanBytes]);
  EXPECT_EQ(figures[Stat::kInUseBytes],
            figures[Stat::kSmallInUseBytes] + figures[Stat::kLargeInUseBytes]);
  free_all(blocks);
}

TEST(Stats, PageIsWhatWasCollected) {
  const auto blocks = allocate_many(100, 100);
  refresh_page(heap::process_heap, heap::thread_id(), CensusLock::kWhole);
  const StatsPage& page = stats_page();
  EXPECT_EQ(memcmp(page.magic, kStatsMagic, sizeof kStatsMagic), 0);
  EXPECT_EQ(page.version, kStatsVersion);
  EXPECT_EQ(page.count, static_cast<uint32_t>(Stat::kCount));
  EXPECT_EQ(page.sequence % 2, 0u);
  EXPECT_EQ(page.values[0], Figures()[Stat::kInUseBytes]);
  free_all(blocks);
}

// Also when another thread is writing the page at that moment, with what it has counted before.
TEST(Stats, LastFiguresAreExact) {
  std::atomic<bool> ends{false};
  std::atomic<uint32_t> writings{0};
  std::thread writer([&] {
    const sys::SignalsBlocked blocked;
    while (!ends)
      writings += refresh_page(heap::process_heap, heap::thread_id(), CensusLock::kWhole);
  });
  while (writings == 0) sys::yield();
  const auto in_use = [] { return __atomic_load_n(&stats_page().values[0], __ATOMIC_RELAXED); };
  finish_page(heap::process_heap);
  const uint64_t before = in_use();
  std::vector<void*> blocks;
  uint64_t missed = 0;
  for (uint64_t i = 1; i <= 300; ++i) {
    blocks.push_back(heap::allocate(heap::process_heap, 1 << 20));
    finish_page(heap::process_heap);
    missed += in_use() < before + (i << 20);
  }
  ends = true;
  writer.join();
  free_all(blocks);
  EXPECT_EQ(missed, 0u);
}

TEST(Stats, PageIsKeptFreshWithoutACall) {
  keep_page_fresh(heap::process_heap);
  const auto sequence = [] { return __atomic_load_n(&stats_page().sequence, __ATOMIC_ACQUIRE); };
  const auto in_use = [] { return __atomic_load_n(&stats_page().values[0], __ATOMIC_RELAXED); };
  const uint64_t before = sequence();
  const auto blocks = allocate_many(200000, 100);
  for (int i = 0; i < 200 && in_use() < 20000000; ++i) sys::sleep_ns(10000000);
  EXPECT_GT(sequence(), before);
  EXPECT_GE(in_use(), 20000000u);
  free_all(blocks);
}

}  // namespace
}  // namespace mmt::observe
