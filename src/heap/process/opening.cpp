#include "heap/process/opening.h"

#include <mmt/core/checked.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/placement.h>
#include <mmt/sys/random.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/server_thread.h"
#include "heap/thread/attach.h"
#include "heap/thread/end_thread.h"

namespace mmt::heap {

namespace {

// The first slot is one of so many, 2 MiB, by which the heap's place has five bits more.
constexpr uint64_t kFirstSlots = 32;

// For threads that begin to allocate where no fault is welcome.
constexpr uint32_t kClientsAhead = 4;

// Apart from the reading of options, which takes much of the stack by itself.
MMT_NOINLINE void open_once(Heap& heap) {
  const Options& options = heap.options;
  heap.repeatable = sys::addresses_are_fixed();
  const uint64_t random = heap.repeatable ? 0 : sys::random_bits();
  const auto first = static_cast<store::Slot>(random % kFirstSlots);
  const bool opened = heap.depot.open(options.huge_pages == Switch::kOn, first);
  heap.cpus = sys::affinity_cpus();
  if (opened) prepare_thread_ends(end_thread);
  heap.starter = start_server_if_due;
  sys::prepare_barrier();
  heap.can_sweep = sys::prepare_restarts();
  // Without memory it stays closed, for the next call to try again.
  heap.opening.finish(opened);
}

}  // namespace

bool open_heap(Heap& heap) {
  auto& opening = heap.opening;
  if (MMT_LIKELY(heap.is_open())) return true;
  const sys::SignalsBlocked blocked;
  if (opening.begin()) {
    read_options(&heap.options);
    open_once(heap);
  }
  for (uint32_t turn = 0; opening.state() == opening.kOpening; ++turn) sys::give_way(turn);
  return heap.is_open();
}

namespace {

// All of them, also where no block has been used yet.
void make_spans_resident(Heap& heap) {
  const store::Region& region = heap.depot.region();
  const auto is_span = [&](store::Slot slot) {
    const uint8_t code = region.class_of(slot);
    return code != store::kNoClass && code < kClassCount;
  };
  const store::Slot end = region.frontier();
  for (store::Slot slot = 0; slot < end; ++slot) {
    const store::Slot first = slot;
    while (slot < end && is_span(slot)) ++slot;
    if (slot != first)
      sys::populate(region.address(first), size_t{slot - first} << store::kSlotShift);
  }
}

}  // namespace

void prepare_for_no_faults(Heap& heap) {
  if (sys::is_quiet() || !open_heap(heap)) return;
  attach_client(heap);
  while (heap.clients.count() <= kClientsAhead && add_client_ahead(heap)) {
  }
  const uint32_t all = heap.clients.count();
  for (uint32_t i = 0; i < all && i <= kClientsAhead; ++i)
    if (Client* client = heap.clients.at(i)) sys::populate(client, Client::footprint());
  const auto record = reinterpret_cast<uintptr_t>(&heap);
  const uintptr_t start = core::align_down(record, sys::kPageSize);
  sys::populate(reinterpret_cast<void*>(start),
                core::align_up(record + sizeof heap, sys::kPageSize) - start);
  make_spans_resident(heap);
}

}  // namespace mmt::heap
