#include "observe/census.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "heap/gates/leave.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/pages/changed_pages.h"
#include "heap/thread/cpu_caches.h"

namespace mmt::observe {
namespace {

using heap::BatchHeader;
using heap::Client;
using heap::DepotStep;
using heap::LockToken;
using store::kClassCount;
using store::kClasses;
using store::SizeClass;

// As threads may go on to return blocks, this must end.
constexpr int kReturnedSteps = 1000;
constexpr size_t kReturnedSpansAStep = 64;

// Reads what another thread may write meanwhile, as does count_caches; see the head of census.h.
__attribute__((no_sanitize("thread"))) uint64_t count_bits(const uint64_t* words, uint32_t from,
                                                           uint32_t to) {
  uint64_t count = 0;
  for (uint32_t i = from; i < to; ++i)
    count += static_cast<uint64_t>(std::popcount(__atomic_load_n(&words[i], __ATOMIC_RELAXED)));
  return count;
}

void collect_returned(Heap& heap, uint32_t self) {
  for (int i = 0; i < kReturnedSteps && heap::merge_resting(heap, self, kReturnedSpansAStep); ++i) {
  }
}

void count_depot(Heap& heap, LockToken lock, Census* census) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    ClassCensus& here = census->classes[c];
    here.spare = heap.depot.free_blocks(lock, c);
    here.cached += heap::cached_by_cpus(heap, c);
    here.blocks = heap.depot.spans().class_spans(c) * kClasses[c].blocks;
  }
  heap.depot.measure(lock, &census->depot);
}

// Blocks in the channel to the depot: while the lock is held nobody takes any out.
void count_surplus(LockToken, Census* census, Client& client) {
  const uint32_t size = client.surplus.readable_to_others();
  for (uint32_t i = 0; i < size;) {
    const BatchHeader header = BatchHeader::unpack(client.surplus.at(i));
    if (header.size_class >= kClassCount || header.words() > size - i) return;
    census->classes[header.size_class].surplus += header.count;
    i += header.words();
  }
}

__attribute__((no_sanitize("thread"))) void count_caches(Census* census, Client& client) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const Client::Source& source = client.sources[c];
    ClassCensus& here = census->classes[c];
    void** const top = __atomic_load_n(&client.fast.top[c], __ATOMIC_RELAXED);
    const auto cached = static_cast<size_t>(top - source.floor);
    if (cached <= kClasses[c].widest_cache) here.cached += cached;
    const uint32_t words = kClasses[c].words;
    if (source.slot != store::kNoSlot && source.words != nullptr && source.word_count <= words)
      here.cached += count_bits(source.words, source.word, source.word_count);
  }
}

void add_totals(Census* census, const heap::ClientCounters& counters) {
  ClientTotals& totals = census->totals;
  totals.refills += counters.refills.get();
  totals.spans_self += counters.spans_self.get();
  totals.spans_carved += counters.spans_carved.get();
  totals.flushes += counters.flushes.get();
  totals.blocks_flushed += counters.blocks_flushed.get();
  totals.blocks_returned += counters.blocks_returned.get();
}

void count_client(LockToken lock, Census* census, Client& client) {
  ++census->clients;
  add_totals(census, client.counters);
  const auto state = client.lease.state();
  if (state == client.lease.kFree) return;
  if (state == client.lease.kLive) ++census->clients_live;
  count_surplus(lock, census, client);
  census->classes[client.held_class.load(std::memory_order_relaxed)].surplus +=
      client.held_blocks.load(std::memory_order_relaxed);
  count_caches(census, client);
}

template <class Visit>
void for_each_client(Heap& heap, Visit&& visit) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* client = heap.clients.at(i)) visit(*client);
}

void count_in_pieces(Heap& heap, Census* census, uint32_t self) {
  {
    const DepotStep lock(heap, self);
    count_depot(heap, lock, census);
  }
  for_each_client(heap, [&](Client& client) {
    const DepotStep lock(heap, self);
    count_client(lock, census, client);
  });
}

void count_whole(Heap& heap, Census* census, uint32_t self) {
  const DepotStep lock(heap, self);
  count_depot(heap, lock, census);
  for_each_client(heap, [&](Client& client) { count_client(lock, census, client); });
}

// Mapped memory that is not touched. It is what lies ahead of all that was ever used or prepared,
// and free memory that went back. Memory that a huge page makes resident beside what is touched is
// left out. With mlockall all is there at once.
size_t untouched_bytes(Heap& heap, const store::DepotUsage& usage) {
  if (heap::mlockall_holds(heap)) return 0;
  const store::Region& region = heap.depot.region();
  const size_t frontier = size_t{region.frontier()} << store::kSlotShift;
  const size_t used =
      core::align_up(std::max(frontier, heap.depot.prepared().through()), sys::kHugePageSize);
  const size_t mapped = region.mapped_bytes();
  const size_t ahead = mapped > used ? mapped - used : 0;
  return ahead + usage.clean_free_bytes;
}

}  // namespace

void take_census(Heap& heap, Census* census, uint32_t self, CensusLock lock) {
  memset(static_cast<void*>(census), 0, sizeof(*census));
  if (!heap.is_open() || heap::is_amid_depot_step(heap, self)) return;
  collect_returned(heap, self);
  if (lock == CensusLock::kWhole)
    count_whole(heap, census, self);
  else
    count_in_pieces(heap, census, self);
  // In this order: what is mapped in between is charged.
  const size_t untouched = untouched_bytes(heap, census->depot);
  census->mapped_bytes = heap.depot.budget().mapped();
  census->charged_bytes = census->mapped_bytes - std::min(untouched, census->mapped_bytes);
  census->metadata_bytes =
      heap.depot.region().metadata_bytes() + census->clients * Client::footprint();
}

}  // namespace mmt::observe
