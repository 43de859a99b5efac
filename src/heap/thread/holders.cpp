#include "heap/thread/holders.h"

#include <algorithm>

#include <mmt/sys/clock.h>

namespace mmt::heap {
namespace {

// So many clients, or twice as many as there are CPUs, need not be thrifty.
constexpr uint32_t kFewHolders = 16;
// There must have been fewer for so long. Threads that each run to their end in a slice of the
// CPU's time are many, though few hold something at any moment.
constexpr uint64_t kFewForNs = 1'000'000'000;

uint32_t few_holders(Heap& heap) { return std::max(kFewHolders, 2 * heap.cpus); }

}  // namespace

void count_holder(Client& client) {
  Heap& heap = *client.heap;
  client.holds = true;
  const uint32_t holders = heap.holders.fetch_add(1, std::memory_order_relaxed) + 1;
  if (holders <= few_holders(heap)) return;
  heap.many_held_ns.store(sys::coarse_ns(), std::memory_order_relaxed);
  heap.thrifty.store(true, std::memory_order_relaxed);
}

void end_thrift(Heap& heap, uint64_t now) {
  // All are relaxed: they are a manner, not an order.
  if (!heap.thrifty.load(std::memory_order_relaxed)) return;
  const uint64_t many = heap.many_held_ns.load(std::memory_order_relaxed);
  if (now < many + kFewForNs) return;
  if (heap.holders.load(std::memory_order_relaxed) <= few_holders(heap) / 2)
    heap.thrifty.store(false, std::memory_order_relaxed);
}

void no_longer_holds(Client& client) {
  Heap& heap = *client.heap;
  if (!client.holds) return;
  client.holds = false;
  heap.widened.fetch_sub(client.widened, std::memory_order_relaxed);
  client.widened = 0;
  heap.holders.fetch_sub(1, std::memory_order_relaxed);
  end_thrift(heap, sys::coarse_ns());
}

}  // namespace mmt::heap
