#include "heap/thread/hand_over.h"

#include <algorithm>

#include <mmt/core/compiler.h>

#include "heap/gates/arrive.h"
#include "heap/gates/leave.h"
#include "heap/gates/surplus_reader.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/entry.h"

namespace mmt::heap {
namespace {

// Surplus on its way, for each of up to two clients; the same for all together, if there are more.
constexpr size_t kInFlightFloor = size_t{2} << 20;
constexpr size_t kInFlightShare = 64;
constexpr uint32_t kFullShares = 2;
// For each client that is thrifty, whose batches are its own to put back: less is not worth a turn
// of the lock.
constexpr size_t kThriftyUnderWay = size_t{8} << 10;
// So many flushes of a thread, without a cache that ran empty, are no coming and going.
constexpr uint32_t kTelling = 4;

// A batch of so many blocks or more goes past the caches. That costs a fence, and saves the
// fetching of each line from the memory thread's core. So many offsets, of whole lines, are worked
// out at a time: the program's stack may be a small one.
constexpr uint32_t kStreamedBlocks = 64;
static_assert(kStreamedBlocks * sizeof(uint32_t) % core::kCacheLine == 0);

using Words = uint64_t __attribute__((vector_size(32), aligned(8)));
using Offsets = uint32_t __attribute__((vector_size(16), aligned(4)));

// Offsets of `count` blocks, all in one window.
void write_offsets(Heap& heap, void* const* blocks, size_t count, uint32_t* offsets) {
  const auto base = reinterpret_cast<uintptr_t>(heap.depot.region().base());
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Words four =
        (*reinterpret_cast<const Words*>(blocks + i) - base) >> store::kOffsetUnitShift;
    *reinterpret_cast<Offsets*>(offsets + i) = __builtin_convertvector(four, Offsets);
  }
  for (; i < count; ++i)
    offsets[i] = static_cast<uint32_t>((reinterpret_cast<uintptr_t>(blocks[i]) - base) >>
                                       store::kOffsetUnitShift);
}

uint32_t window_of(Heap& heap, const void* block) {
  return static_cast<uint32_t>(
      static_cast<size_t>(static_cast<const char*>(block) - heap.depot.region().base()) >>
      kWindowShift);
}

// Length of the leading run of blocks in one window.
size_t window_run(Heap& heap, void* const* blocks, size_t count) {
  const size_t frontier = size_t{heap.depot.region().frontier()} << store::kSlotShift;
  if (frontier >> kWindowShift == 0) return count;
  const uint32_t window = window_of(heap, blocks[0]);
  size_t run = 1;
  while (run < count && window_of(heap, blocks[run]) == window) ++run;
  return run;
}

// The offsets of a batch, from the `at`-th entry on.
void write_batch(Heap& heap, SurplusRing& ring, uint32_t at, void* const* blocks, uint32_t count) {
  uint32_t offsets[kStreamedBlocks];
  if (count < kStreamedBlocks) {
    write_offsets(heap, blocks, count, offsets);
    for (uint32_t i = 0; i < count; ++i) ring.entry(at + i) = offsets[i];
    return;
  }
  for (uint32_t done = 0; done < count; done += kStreamedBlocks) {
    const uint32_t some = std::min(count - done, kStreamedBlocks);
    write_offsets(heap, blocks + done, some, offsets);
    ring.stream(at + done, offsets, some);
  }
}

// All in one window. False: the channel is full.
bool send(Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  SurplusRing& ring = client.surplus;
  const bool streamed = count >= kStreamedBlocks;
  const BatchHeader header{c, window_of(heap, blocks[0]), streamed ? ring.to_line(1) : 0,
                           static_cast<uint32_t>(count)};
  hand_over_held(client);
  if (!ring.reserve(header.words())) return false;
  ring.entry(0) = header.pack();
  write_batch(heap, ring, 1 + header.padding, blocks, header.count);
  Entry::rebuilding(client, c);
  if (streamed) {
    ring.hold(header.words());
    // Relaxed: for statistics alone.
    client.held_class.store(c, std::memory_order_relaxed);
    client.held_blocks.store(header.count, std::memory_order_relaxed);
  } else {
    ring.publish(header.words());
  }
  ring.prefetch_write(streamed ? 1 : header.words());
  if (ring.size_hint() != 0) heap.notify();
  return true;
}

enum class Channel : uint8_t { kOpen, kFull, kOverfull };

uint64_t bytes_under_way(const Client& client) {
  return client.sent_bytes - client.drained_bytes.get();
}

size_t bound_of(const Client& client) {
  Heap& heap = *client.heap;
  if (client.thrifty) return kThriftyUnderWay;
  // Relaxed: a bound.
  const uint32_t holders = heap.holders.load(std::memory_order_relaxed);
  const size_t whole = kInFlightFloor + heap.depot.runs().in_use_bytes() / kInFlightShare;
  return whole * kFullShares / std::max(holders, kFullShares);
}

bool is_half_full(const Client& client) {
  return client.surplus.size_hint() >= kRingCapacity / 2 ||
         bytes_under_way(client) >= bound_of(client) / 2;
}

// Surplus in the channel is bounded: a memory thread that is late must not hoard what the program
// could use. The client then puts blocks back itself.
Channel channel_of(const Client& client) {
  const uint64_t under_way = bytes_under_way(client);
  const size_t bound = bound_of(client);
  if (under_way < bound) return Channel::kOpen;
  return under_way < 2 * bound ? Channel::kFull : Channel::kOverfull;
}

bool put_oneself(Client& client, SizeClass c, void* const* blocks, size_t count, DepotWait wait) {
  Heap& heap = *client.heap;
  [[maybe_unused]] const Inspections::SignalsBlocked blocked;
  // The lock is not to be had: nothing is inspected that is to be inspected again.
  if (Inspections::kAny && is_amid_depot_step(heap, thread_id())) return false;
  SurplusReader reader(heap, client, thread_id());
  const size_t most = client.thrifty ? ~size_t{0} : SurplusReader::kBatchesAHold;
  const size_t ready = reader.held() ? reader.look(most) : 0;
  const Batch batch = Batch::of_blocks(c, blocks, count);
  if (Inspections::kAny) Inspections::see(heap, batch);
  const DepotGuard lock(heap, Inspections::kAny ? DepotWait::kForever : wait);
  if (!lock.held()) return false;
  hand_over_held(client);
  if (reader.held()) {
    const bool is_empty = reader.put(lock, ready);
    if (client.thrifty && is_empty) client.surplus.rewind();
  }
  merge_some_resting(heap, lock);
  Entry::rebuilding(client, c);
  put(heap.depot, lock, batch);
  return true;
}

// Lock-free, and there is always room: whoever holds the lock next will find them.
void leave_in_bitmaps(Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  Entry::rebuilding(client, c);
  rest(heap, Batch::of_blocks(c, blocks, count));
  client.counters.blocks_returned.add(count);
  heap.notify();
}

// Nobody waits for a memory thread that holds the lock and does not run.
void put_directly(Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  const auto wait = heap.server_running() ? DepotWait::kBrief : DepotWait::kForever;
  const bool is_put = leave(heap, Batch::of_blocks(c, blocks, count), wait, [&] {
    hand_over_held(client);
    Entry::rebuilding(client, c);
  });
  if (!is_put) client.counters.blocks_returned.add(count);
  heap.notify();
}

// It pays while a thread takes something down, and a CPU is free for that: see
// docs/memory_thread.md.
bool goes_by_channel(const Client& client) {
  Heap& heap = *client.heap;
  if (!heap.server_running()) return false;
  if (Inspections::kAny) return true;
  if (heap.options.drain == Switch::kOff) return false;
  if (heap.options.drain == Switch::kOn) return true;
  // Relaxed: a manner, not an order.
  const uint32_t holders = heap.holders.load(std::memory_order_relaxed);
  return client.flushes_in_a_row >= kTelling && holders < heap.cpus &&
         !heap.watermarks.refuses_surplus();
}

bool wake_for_surplus(Heap& heap) {
  if (!heap.watermarks.passes_surplus()) return false;
  heap.wake();
  return true;
}

// What the memory thread does not take in time the client sees to.
void give_run(Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  const bool is_awake = heap.parker.state() == sync::Parker<>::kAwake;
  if (is_half_full(client) && !is_awake && !wake_for_surplus(heap))
    return put_directly(client, c, blocks, count);
  const bool is_first = client.surplus.size_hint() == 0;
  const Channel channel = channel_of(client);
  if (channel != Channel::kOpen) {
    const auto wait = channel == Channel::kOverfull ? DepotWait::kPatient : DepotWait::kBrief;
    if (put_oneself(client, c, blocks, count, wait)) {
      heap.notify();
      return;
    }
  }
  if (channel == Channel::kOverfull || !send(client, c, blocks, count))
    return leave_in_bitmaps(client, c, blocks, count);
  client.sent_bytes += count * kClasses[c].size;
  if (is_first && !is_awake && client.surplus.size_hint() != 0) wake_for_surplus(heap);
}

}  // namespace

void hand_over_held(Client& client) {
  client.surplus.publish_held();
  client.held_blocks.store(0, std::memory_order_relaxed);
}

void give_back(Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  const bool offloaded = goes_by_channel(client);
  if (client.thrifty && !Inspections::kAny) {
    Entry::rebuilding(client, c);
    const size_t left = leave_to_cpu(client, c, blocks, count);
    blocks += left;
    count -= left;
  }
  while (count != 0) {
    const size_t run = window_run(heap, blocks, count);
    if (offloaded)
      give_run(client, c, blocks, run);
    else
      put_directly(client, c, blocks, run);
    blocks += run;
    count -= run;
  }
}

}  // namespace mmt::heap
