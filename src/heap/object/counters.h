#pragma once
// What the memory thread and the returning of memory have done so far, for statistics. Nothing here
// is touched on the application's fast paths. All zero is valid.
#include <atomic>
#include <cstdint>

#include <mmt/sync/counter.h>

namespace mmt::heap {

// Written by the memory thread (`batches` by the depot lock's holder), read by any.
struct ServerCounters {
  sync::Counter<> rounds;  // that found work
  sync::Counter<> naps;
  sync::Counter<> parks;
  sync::Counter<> wakes;    // parks that work ended
  sync::Counter<> batches;  // of surplus taken back
  sync::Counter<> prefault_huge;
  sync::Counter<> prefault_small;
  sync::Counter<> prefault_bytes;
  sync::Counter<> prefault_ns;
};

// Written by the memory thread and by threads in malloc_trim.
struct PurgeCounters {
  std::atomic<uint64_t> runs;
  std::atomic<uint64_t> bytes;
  std::atomic<uint64_t> ns;

  void add(uint64_t purged_bytes, uint64_t spent_ns) {
    runs.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(purged_bytes, std::memory_order_relaxed);
    ns.fetch_add(spent_ns, std::memory_order_relaxed);
  }
};

}  // namespace mmt::heap
