#pragma once
// The census tells where every block is, by a walk over the depot and all clients. Nothing is
// counted while the program runs. The program holds what the spans have less all that is found free
// somewhere.
//
// Other threads are not stopped. Blocks that they move meanwhile are found twice or not at all. So
// a figure may be off by a cache or a span for each thread that is at work. When the threads rest,
// it is exact.
#include <cstddef>
#include <cstdint>

#include "heap/store/depot.h"

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::observe {

using heap::Heap;

// Blocks of one size class.
struct ClassCensus {
  uint64_t blocks;   // that the class's spans have
  uint64_t spare;    // free, in the depot
  uint64_t cached;   // free, in threads' caches and the spans they fill them from
  uint64_t surplus;  // freed, on their way to the depot

  uint64_t free() const { return spare + cached + surplus; }
  uint64_t in_use() const { return blocks > free() ? blocks - free() : 0; }
};

struct ClientTotals {
  uint64_t refills;
  uint64_t spans_self;
  uint64_t spans_carved;
  uint64_t flushes;
  uint64_t blocks_flushed;
  uint64_t blocks_returned;
};

struct Census {
  ClassCensus classes[store::kClassCount];
  store::DepotUsage depot;
  ClientTotals totals;  // of all threads, ended ones too
  uint32_t clients;
  uint32_t clients_live;
  size_t mapped_bytes;
  size_t charged_bytes;
  size_t metadata_bytes;
};

enum class CensusLock {
  kPieces,  // depot and clients one after the other: for the memory thread
  kWhole,   // the depot lock is held throughout
};

// `self` is the caller's identity for the depot lock; its signals are blocked (or it is the memory
// thread). A closed heap is all zero.
void take_census(Heap& heap, Census* census, uint32_t self, CensusLock lock);

}  // namespace mmt::observe
