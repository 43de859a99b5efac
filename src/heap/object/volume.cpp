#include "heap/object/volume.h"

#include <algorithm>
#include <bit>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {
namespace {

// What may start it lies above: see Heap::starter.
void start_if_due(Heap& heap) {
  if (heap.starter != nullptr) heap.starter(heap);
}

}  // namespace

void note_direct_volume(Heap& heap, size_t bytes) {
  const uint64_t before = heap.direct_volume.fetch_add(bytes, std::memory_order_relaxed);
  const uint64_t after = before + bytes;
  // Whenever it has quadrupled, from one span on, and every 8 MiB.
  const auto level = [](uint64_t volume) { return (std::bit_width(volume >> 16) + 1) / 2; };
  const bool grown = level(before) != level(after);
  if (MMT_LIKELY(before >> 23 == after >> 23 && !grown)) return;
  const Observer observer = heap.observer.load(std::memory_order_acquire);
  if (observer == nullptr) return;
  const sys::SignalsBlocked blocked;
  observer(heap, thread_id(), sys::coarse_ns(), grown);
}

void count_volume(Heap& heap, size_t bytes) {
  if (!heap.server_running()) note_direct_volume(heap, bytes);
  heap.spans_fetched.fetch_add(bytes, std::memory_order_relaxed);
  if (MMT_UNLIKELY(heap.server.state() == heap.server.kNotStarted)) start_if_due(heap);
}

uint64_t fetched_volume(const Heap& heap) {
  return heap.spans_fetched.load(std::memory_order_relaxed);
}

uint64_t telling_volume(const Heap& heap) {
  return std::max(fetched_volume(heap), heap.freed_unserved.load(std::memory_order_relaxed));
}

void count_freed(Heap& heap, size_t bytes) {
  if (MMT_LIKELY(heap.server_running())) return;
  note_direct_volume(heap, bytes);
  if (heap.server.state() != heap.server.kNotStarted) return;
  heap.freed_unserved.fetch_add(bytes, std::memory_order_relaxed);
  start_if_due(heap);
}

}  // namespace mmt::heap
