#include "observe/stats.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/process/opening.h"
#include "observe/page_file.h"
#include "observe/residency.h"

extern "C" {
__attribute__((visibility("default"))) constinit mmt::observe::StatsPage mmt_stats_page{
    {'M', 'M', 'T', 'S', 'T', 'A', 'T', '\0'},
    mmt::observe::kStatsVersion,
    static_cast<uint32_t>(mmt::observe::Stat::kCount),
    0,
    {}};
__attribute__((visibility("default"))) constinit const mmt::store::DepotPeaks* mmt_stats_peaks{};
}

namespace mmt::observe {
namespace {

using store::kClassCount;
using store::kClasses;
using store::SizeClass;

constexpr uint64_t kRefreshNs = 50 * sys::kNanosAMilli;
// At most one part in so many of a thread's time is spent on statistics.
constexpr uint64_t kTimeShare = 100;
// How long the end of the process waits for the thread that writes the page, in turns of
// sys::give_way(). Some 100 ms: a census takes far less.
constexpr uint32_t kMostTurns = 1000;

std::atomic<bool> page_busy;
// The buffer of page_busy's holder, which may be a thread with a small stack.
constinit Census page_census{};
constinit uint64_t page_values[kStatsPageValues]{};
std::atomic<uint64_t> next_direct_look;
bool forked_child;
// Relaxed: the most that anyone has seen.
std::atomic<uint64_t> peak_in_use;
// In a fork's child: the depot's peak is the parent's, up to that amount.
std::atomic<bool> peak_is_inherited;
std::atomic<uint64_t> inherited_peak;

class Values {
 public:
  explicit Values(uint64_t* values) : values_(values) {}
  uint64_t& operator[](Stat stat) { return values_[static_cast<size_t>(stat)]; }

 private:
  uint64_t* values_;
};

void put_blocks(Values values, const Census& census) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const ClassCensus& here = census.classes[c];
    const uint64_t size = kClasses[c].size;
    values[Stat::kSmallInUseBlocks] += here.in_use();
    values[Stat::kSmallInUseBytes] += here.in_use() * size;
    values[Stat::kSpareBytes] += here.spare * size;
    values[Stat::kCachedBlocks] += here.cached;
    values[Stat::kCachedBytes] += here.cached * size;
    values[Stat::kSurplusBlocks] += here.surplus;
    values[Stat::kSurplusBytes] += here.surplus * size;
  }
  values[Stat::kLargeInUseBytes] = census.depot.large_bytes;
  values[Stat::kLargeInUseBlocks] = census.depot.large_blocks;
  values[Stat::kInUseBytes] = values[Stat::kSmallInUseBytes] + census.depot.large_bytes;
  values[Stat::kInUseBlocks] = values[Stat::kSmallInUseBlocks] + census.depot.large_blocks;
}

void put_memory(Values values, const Census& census) {
  values[Stat::kMappedBytes] = census.mapped_bytes;
  values[Stat::kChargedBytes] = census.charged_bytes;
  values[Stat::kHeapBytes] = census.depot.frontier_bytes;
  values[Stat::kFreeBytes] = census.depot.free_slot_bytes;
  values[Stat::kFreeDirtyBytes] = census.depot.dirty_free_bytes;
  values[Stat::kSpanBytes] = census.depot.span_bytes;
  values[Stat::kSpans] = census.depot.spans;
  values[Stat::kMetadataBytes] = census.metadata_bytes;
}

uint64_t raise_to(std::atomic<uint64_t>& peak, uint64_t value) {
  uint64_t highest = peak.load(std::memory_order_relaxed);
  while (value > highest &&
         !peak.compare_exchange_weak(highest, value, std::memory_order_relaxed)) {
  }
  return value > highest ? value : highest;
}

// What is seen when figures are collected, and the depot's own peaks.
void put_peaks(Values values, const Census& census) {
  const uint64_t large = census.depot.large_bytes_peak;
  if (peak_is_inherited.exchange(false, std::memory_order_relaxed))
    inherited_peak.store(large, std::memory_order_relaxed);
  const uint64_t least = large > inherited_peak.load(std::memory_order_relaxed) ? large : 0;
  const uint64_t held =
      census.depot.span_bytes + census.depot.large_bytes + census.depot.dirty_free_bytes;
  const uint64_t in_use = values[Stat::kInUseBytes];
  values[Stat::kHeldBytes] = held;
  values[Stat::kPeakInUseBytes] = raise_to(peak_in_use, in_use > least ? in_use : least);
  values[Stat::kPeakHeldBytes] = census.depot.peaks.held;
  values[Stat::kMostInUseBytes] = census.depot.peaks.used;
}

void put_clients(Values values, const Census& census) {
  values[Stat::kClients] = census.clients;
  values[Stat::kClientsLive] = census.clients_live;
  values[Stat::kRefills] = census.totals.refills;
  values[Stat::kSpansSelf] = census.totals.spans_self;
  values[Stat::kSpansCarved] = census.totals.spans_carved;
  values[Stat::kFlushes] = census.totals.flushes;
  values[Stat::kBlocksFlushed] = census.totals.blocks_flushed;
  values[Stat::kBlocksReturned] = census.totals.blocks_returned;
  values[Stat::kLargeTaken] = census.depot.large_taken;
  values[Stat::kLargeGiven] = census.depot.large_given;
}

void put_server(Heap& heap, Values values) {
  const heap::ServerCounters& counters = heap.server_counters;
  const uint32_t thread = heap.server_thread.load(std::memory_order_relaxed);
  values[Stat::kServerState] = static_cast<uint64_t>(heap.server.state());
  values[Stat::kServerCpuNs] = thread == 0 ? 0 : sys::thread_cpu_ns(thread);
  values[Stat::kServerRounds] = counters.rounds.get();
  values[Stat::kServerNaps] = counters.naps.get();
  values[Stat::kServerParks] = counters.parks.get();
  values[Stat::kServerWakes] = counters.wakes.get();
  values[Stat::kServerBatches] = counters.batches.get();
  values[Stat::kPrefaultHuge] = counters.prefault_huge.get();
  values[Stat::kPrefaultSmall] = counters.prefault_small.get();
  values[Stat::kPrefaultBytes] = counters.prefault_bytes.get();
  values[Stat::kPrefaultNs] = counters.prefault_ns.get();
  values[Stat::kPurges] = heap.purges.runs.load(std::memory_order_relaxed);
  values[Stat::kPurgedBytes] = heap.purges.bytes.load(std::memory_order_relaxed);
  values[Stat::kPurgeNs] = heap.purges.ns.load(std::memory_order_relaxed);
}

void put_all(Heap& heap, uint64_t* to, const Census& census, uint64_t resident) {
  memset(to, 0, kStatsPageValues * sizeof(uint64_t));
  const Values values(to);
  put_blocks(values, census);
  put_memory(values, census);
  put_peaks(values, census);
  put_clients(values, census);
  put_server(heap, values);
  Values own(to);
  own[Stat::kResidentBytes] = resident;
  own[Stat::kForkedChild] = forked_child;
  own[Stat::kCollectedNs] = sys::coarse_ns();
}

// The page's only writer is the holder of page_busy.
void write_to(StatsPage& page, const uint64_t* values) {
  const uint64_t sequence = page.sequence;
  __atomic_store_n(&page.sequence, sequence + 1, __ATOMIC_RELAXED);
  // A reader that sees a value of this writing must not see the even number before it.
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = 0; i < kStatsPageValues; ++i)
    __atomic_store_n(&page.values[i], values[i], __ATOMIC_RELAXED);
  // Release: whoever sees this even number sees the values.
  __atomic_store_n(&page.sequence, sequence + 2, __ATOMIC_RELEASE);
}

void write_page(Heap& heap, const uint64_t* values) {
  write_to(mmt_stats_page, values);
  if (PageFile* file = page_file(heap)) write_to(file->page, values);
}

// The observer: see Heap::observer.
uint64_t look(Heap& heap, uint32_t self, uint64_t now, bool urgent) {
  if (!urgent && now < next_direct_look.load(std::memory_order_relaxed)) return 0;
  const uint64_t before = sys::coarse_ns();
  refresh_page(heap, self, CensusLock::kPieces);
  const uint64_t rest = (sys::coarse_ns() - before) * kTimeShare;
  next_direct_look.store(now + rest, std::memory_order_relaxed);
  return now + (rest < kRefreshNs ? kRefreshNs : rest);
}

}  // namespace

bool refresh_page(Heap& heap, uint32_t self, CensusLock lock, uint64_t resident) {
  // Acquire and release: the sequence number is handed from writer to writer.
  if (page_busy.exchange(true, std::memory_order_acquire)) return false;
  take_census(heap, &page_census, self, lock);
  put_all(heap, page_values, page_census, resident);
  write_page(heap, page_values);
  page_busy.store(false, std::memory_order_release);
  return true;
}

void collect_census(Heap& heap, Census* census) {
  const sys::SignalsBlocked blocked;
  take_census(heap, census, heap::thread_id(), CensusLock::kWhole);
}

void collect_stats(Heap& heap, uint64_t* values) {
  static constinit Census census{};
  collect_census(heap, &census);
  const sys::SignalsBlocked blocked;
  put_all(heap, values, census, resident_bytes(heap, heap::thread_id()));
}

void finish_page(Heap& heap) {
  {
    const sys::SignalsBlocked blocked;
    const uint64_t resident = resident_bytes(heap, heap::thread_id());
    // A thread that is writing the page may have counted before the last changes.
    for (uint32_t turn = 0; turn < kMostTurns; ++turn, sys::give_way(turn))
      if (refresh_page(heap, heap::thread_id(), CensusLock::kWhole, resident)) break;
  }
  if (PageFile* file = page_file(heap))
    __atomic_store_n(&file->ended_ns, std::max(sys::coarse_ns(), file->opened_ns + 1),
                     __ATOMIC_RELEASE);
}

bool keep_page_fresh(Heap& heap) {
  if (!heap::open_heap(heap)) return false;
  {
    const sys::SignalsBlocked blocked;
    refresh_page(heap, heap::thread_id(), CensusLock::kWhole);
  }
  mmt_stats_peaks = heap.depot.tally().place_of_peaks();
  open_page_file(heap, mmt_stats_page, false);
  // Release: pairs with the acquire of whoever calls it.
  heap.observer.store(look, std::memory_order_release);
  return true;
}

// Whoever was writing the page when the process forked is not there.
void renew_page_in_child(Heap& heap) {
  forked_child = true;
  peak_is_inherited.store(true, std::memory_order_relaxed);
  peak_in_use.store(0, std::memory_order_relaxed);
  mmt_stats_page.sequence &= ~uint64_t{1};
  page_busy.store(false, std::memory_order_relaxed);
  next_direct_look.store(0, std::memory_order_relaxed);
  if (!leave_page_file_in_child(heap)) return;
  const sys::SignalsBlocked blocked;
  refresh_page(heap, heap::thread_id(), CensusLock::kWhole);
  open_page_file(heap, mmt_stats_page, true);
}

const StatsPage& stats_page() { return mmt_stats_page; }

}  // namespace mmt::observe
