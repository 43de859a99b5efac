#include "unit/out_of_memory/workload.h"

#include <sys/mman.h>

#include <barrier>
#include <cstring>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/purger.h"
#include "heap/keeper/sweeper.h"
#include "heap/object/thread_state.h"
#include "heap/pages/changed_pages.h"
#include "heap/process/allocation.h"
#include "heap/process/opening.h"
#include "heap/process/process_heap.h"
#include "observe/stats.h"
#include "preload/info.h"
#include "support/expect.h"
#include "support/units.h"
#include "unit/out_of_memory/holding.h"

namespace mmt::out_of_memory {
namespace {

using test::kKiB;
using test::kMiB;

constexpr uint64_t kMillisecond = 1000000;

struct OptionValue {
  const char* name;
  const char* value;
};

// A memory thread from the first bytes on; free memory goes back soon.
constexpr OptionValue kCommon[] = {
    {"MMT_QUIET", "on"}, {"MMT_START", "64K"}, {"MMT_HUGE_FROM", "12M"}, {"MMT_DECAY", "30"}};

void set_options(Setting setting) {
  for (const OptionValue& option : kCommon) EXPECT(setenv(option.name, option.value, 1) == 0);
  EXPECT(setenv("MMT_SERVER", setting == Setting::kDirect ? "off" : "on", 1) == 0);
  EXPECT(setenv("MMT_HUGE_PAGES", setting == Setting::kHugePages ? "on" : "auto", 1) == 0);
}

class Workload {
 public:
  Workload(bool strict, Setting setting, std::atomic<const char*>* step)
      : strict_(strict), served_(setting != Setting::kDirect), step_(step), held_(strict, 1) {}

  void run();

 private:
  void enter(const char* step) { step_->store(step, std::memory_order_relaxed); }
  void small_blocks();
  void growing_heap();
  void supplied_blocks();
  void threads();
  void many_threads();
  void moved_blocks();
  void filled_blocks();
  void zeroed_blocks();
  void changed_blocks();
  void mapped_blocks();
  void sparse_spans();
  void idle_client();
  void kept_memory();
  void figures();

  bool strict_;
  bool served_;
  std::atomic<const char*>* step_;
  Holding held_;
};

// Every class, plain, aligned and zeroed.
void Workload::small_blocks() {
  enter("small blocks");
  for (store::SizeClass c = 1; c < store::kClassCount; ++c) {
    const size_t size = store::kClasses[c].size;
    for (size_t bytes = 0; bytes < 256 * kKiB && bytes < 24 * size; bytes += size)
      if (!held_.allocate(size)) break;
    held_.allocate_zeroed(size);
  }
  for (size_t alignment = 32; alignment <= 4 * kMiB; alignment *= 4)
    held_.allocate_aligned(3 * alignment / 2, alignment);
}

// Steadily, so that the memory thread sees growth and goes ahead of it: by small pages, then by
// huge ones.
void Workload::growing_heap() {
  enter("growing heap");
  for (size_t i = 0; i < 32; ++i) {
    held_.allocate(i < 10 ? 512 * kKiB : 2 * kMiB);
    if (served_ && !strict_) sys::sleep_ns(kMillisecond);
  }
}

// One class, from free memory that has been given back before.
void Workload::supplied_blocks() {
  enter("supplied blocks");
  constexpr size_t kBlocks = 12000;
  Holding many(strict_, 2);
  while (many.count() < kBlocks && many.allocate(112)) {
  }
  many.release_all();
  heap::trim(heap::process_heap);
  while (many.count() < kBlocks && many.allocate(112))
    if (many.count() % 500 == 0) sys::yield();
  many.check_all();
  many.release_all();
}

// A refusal is dear while the heap cannot even be opened.
constexpr int kMostRefused = 200;

// Random calls; the caller gets what is left.
void churn(Holding& mine, uint64_t seed) {
  int refused = 0;
  for (int i = 0; i < 2500 && refused < kMostRefused; ++i) {
    const uint64_t random = next_random(&seed);
    const size_t size = 1 + (random >> 8) % (random % 64 == 0 ? kMiB : 6000);
    const size_t index = mine.count() == 0 ? 0 : (random >> 40) % mine.count();
    if (mine.count() > 400 || (random % 5 == 0 && mine.count() != 0))
      mine.release(index);
    else if (random % 7 == 0 && mine.count() != 0)
      mine.resize(index, size);
    else
      refused += !mine.allocate(size);
  }
}

// Each frees what another thread has allocated, and leaves blocks behind.
void Workload::threads() {
  enter("threads");
  std::vector<Holding> holdings;
  for (uint64_t i = 0; i < 3; ++i) holdings.emplace_back(strict_, 10 + i);
  for (size_t i = 0; i < 2000; ++i)
    if (!holdings[i % 3].allocate(40 + i % 200)) break;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < holdings.size(); ++i)
    threads.emplace_back([&mine = holdings[i], i] { churn(mine, i); });
  for (std::thread& thread : threads) thread.join();
  for (Holding& holding : holdings) held_.adopt(std::move(holding));
}

// So many threads at once that they are thrifty, and share what the caches of the CPUs hold.
void Workload::many_threads() {
  enter("many threads");
  const size_t count = 2 * std::max(16U, 2 * sys::affinity_cpus());
  std::vector<Holding> holdings;
  for (uint64_t i = 0; i < count; ++i) holdings.emplace_back(strict_, 100 + i);
  std::barrier<> all_hold(static_cast<ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (Holding& holding : holdings) {
    threads.emplace_back([&mine = holding, &all_hold] {
      mine.allocate(48);
      all_hold.arrive_and_wait();
      while (mine.count() < 400 && mine.allocate(48 + mine.count() % 100)) {
      }
      mine.thin_out(10);
      all_hold.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Holding& holding : holdings) held_.adopt(std::move(holding));
}

// Large blocks whose neighbours keep them from growing where they are; and shrinking ones.
void Workload::moved_blocks() {
  enter("moved blocks");
  Holding large(strict_, 3);
  for (int i = 0; i < 16; ++i) large.allocate(576 * kKiB);
  for (size_t i = 0; i < large.count(); ++i) large.resize(i, 700 * kKiB + i * 64 * kKiB);
  for (size_t size = 64 * kKiB; size <= 64 * kMiB; size *= 4) large.allocate(size);
  for (size_t i = 0; i < large.count(); i += 3) large.resize(i, 5 * kMiB);
  large.check_all();
  for (size_t i = 0; i < large.count(); i += 2) large.resize(i, 600 * kKiB);
  for (size_t i = 0; i < large.count(); i += 4) large.resize(i, 100 * kKiB);
  while (large.count() > 4) large.release(large.count() / 2);
  held_.adopt(std::move(large));
}

// The blocks are of a size that the program is known to use whole. Pages for a fresh block of that
// size are moved in from what lies free in smaller pieces.
void Workload::filled_blocks() {
  enter("filled blocks");
  constexpr size_t kBytes = 8 * kMiB;
  constexpr size_t kGrown = 20 * kMiB;
  Holding pieces(strict_, 7);
  for (int round = 0; round < 12; ++round) {
    void* block = heap::allocate(heap::process_heap, kBytes);
    if (block == nullptr) continue;
    memset(block, 1, kBytes);
    if (void* const grown = heap::reallocate(heap::process_heap, block, kGrown))
      memset(block = grown, 1, kGrown);
    heap::deallocate(heap::process_heap, block);
  }
  // Now and then a growth is looked at instead, for what the program uses of it.
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 64; ++i) pieces.allocate(kMiB);
    for (size_t i = 0; i < pieces.count(); ++i) pieces.release(i);
    for (int i = 0; i < 4; ++i) pieces.allocate(kBytes);
    for (size_t i = 0; i < pieces.count(); ++i) pieces.resize(i, kGrown);
    pieces.check_all();
    pieces.release_all();
  }
}

// So large that fresh pages are cheaper than zeros, where something else lay before.
void Workload::zeroed_blocks() {
  enter("zeroed blocks");
  Holding large(strict_, 4);
  for (int i = 0; i < 2; ++i) {
    if (large.allocate(129 * kMiB)) large.release(0);
    large.allocate_zeroed(128 * kMiB + 100);
    large.allocate_zeroed(300 * kKiB);
    large.release_all();
  }
}

// Blocks of which the program has changed pages, which are made as new.
void Workload::changed_blocks() {
  enter("changed blocks");
  Holding changed(strict_, 6);
  for (int i = 0; i < 4; ++i) {
    void* const block = heap::allocate(heap::process_heap, kMiB);
    if (block == nullptr) continue;
    heap::note_changed_pages(heap::process_heap, block, kMiB, store::Change::kFlags);
    heap::deallocate(heap::process_heap, block);
    changed.allocate(kMiB);
  }
  // One that grows away from where it is, by pages.
  if (auto* const block = static_cast<char*>(heap::allocate(heap::process_heap, kMiB))) {
    EXPECT(mprotect(block + kMiB / 2, kMiB / 4, PROT_READ) == 0);
    heap::note_changed_pages(heap::process_heap, block + kMiB / 2, kMiB / 4, store::Change::kFlags);
    void* const grown = heap::reallocate(heap::process_heap, block, 200 * kMiB);
    heap::deallocate(heap::process_heap, grown != nullptr ? grown : block);
  }
  changed.check_all();
  held_.adopt(std::move(changed));
}

// So large that each has a mapping of its own, from the start or since it grew.
void Workload::mapped_blocks() {
  enter("mapped blocks");
  Holding mapped(strict_, 6);
  if (mapped.allocate_aligned(256 * kMiB, 2 * kMiB)) mapped.resize(0, 260 * kMiB);
  mapped.release_all();
  if (mapped.allocate(700 * kKiB)) mapped.resize(0, 256 * kMiB);
  mapped.check_all();
  mapped.release_all();
}

// Spans that a few blocks keep, whose free pages are given back.
void Workload::sparse_spans() {
  enter("sparse spans");
  Holding sparse(strict_, 5);
  while (sparse.count() < 4000 && sparse.allocate(528)) {
  }
  sparse.thin_out(120);
  heap::trim(heap::process_heap);
  while (sparse.count() < 1000 && sparse.allocate(528)) {
  }
  sparse.check_all();
  held_.adopt(std::move(sparse));
}

// Without a memory thread, which would sweep at a time of its own.
void Workload::idle_client() {
  if (served_) return;
  enter("idle client");
  constexpr uint64_t kLong = 10000 * kMillisecond;
  heap::Sweeper sweeper(heap::process_heap);
  sweeper.open(0, heap::thread_id());
  for (uint64_t now = sys::monotonic_ns() + kLong, looks = 0; looks < 3; ++looks, now += kLong) {
    sweeper.note_use(now - kLong);
    sweeper.run(now);
  }
  held_.check_all();
}

// The program has asked for memory to be kept, and for no faults: what it did not use yet is fresh.
void Workload::kept_memory() {
  enter("kept memory");
  heap::Purger::set_floor(heap::process_heap, heap::kKeepAll);
  heap::prepare_for_no_faults(heap::process_heap);
  for (store::SizeClass c = 1; c < store::kClassCount; ++c) {
    const size_t size = store::kClasses[c].size;
    for (size_t bytes = 0; bytes < 128 * kKiB; bytes += size)
      if (!held_.allocate(size)) break;
  }
  held_.check_all();
  heap::Purger::set_floor(heap::process_heap, heap::Purger::kDirtyFloor);
}

struct Figures {
  Figures() { observe::collect_stats(heap::process_heap, values); }
  uint64_t operator[](observe::Stat stat) const { return values[static_cast<size_t>(stat)]; }
  uint64_t values[observe::kStatsPageValues];
};

void Workload::figures() {
  using observe::Stat;
  enter("figures");
  held_.check_all();
  preload::info(heap::process_heap);
  const Figures held;
  EXPECT(held[Stat::kInUseBlocks] >= held_.count());
  held_.release_all();
  heap::trim(heap::process_heap);
  const Figures none;
  EXPECT(none[Stat::kInUseBlocks] == none[Stat::kLargeInUseBlocks], "%llu small blocks",
         static_cast<unsigned long long>(none[Stat::kInUseBlocks] - none[Stat::kLargeInUseBlocks]));
  EXPECT(none[Stat::kLargeInUseBlocks] == 0, "%llu large blocks",
         static_cast<unsigned long long>(none[Stat::kLargeInUseBlocks]));
  EXPECT(!strict_ || none[Stat::kClientsLive] != 0, "no thread gets a client any more");
}

void Workload::run() {
  small_blocks();
  growing_heap();
  supplied_blocks();
  threads();
  many_threads();
  moved_blocks();
  filled_blocks();
  zeroed_blocks();
  changed_blocks();
  mapped_blocks();
  sparse_spans();
  idle_client();
  kept_memory();
  figures();
}

}  // namespace

const char* name_of(Setting setting) {
  static constexpr const char* kNames[] = {"served", "on huge pages", "direct"};
  static_assert(std::size(kNames) == static_cast<size_t>(Setting::kCount));
  return kNames[static_cast<size_t>(setting)];
}

void run_workload(Setting setting, sys::fake::Faults* faults, std::atomic<const char*>* step) {
  set_options(setting);
  sys::fake::use(faults);
  Workload(false, setting, step).run();
  faults->disarm();
  Workload(true, setting, step).run();
}

}  // namespace mmt::out_of_memory
