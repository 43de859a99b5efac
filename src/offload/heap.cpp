#include "offload/heap.h"

#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/entry.h"
#include "offload/purger.h"
#include "offload/refill.h"
#include "offload/server.h"
#include "offload/surplus.h"

namespace mmt::offload {
namespace {

// From this size on moving pages is cheaper than copying bytes.
constexpr size_t kMoveBytes = size_t{512} << 10;
// From this size on a fresh block gets pages of free runs, so many at most, each so long at least.
constexpr size_t kFilledBytes = size_t{1} << 20;
// Runs of free memory that one call gives back, at most.
constexpr int kMostRunsGivenBack = 64;
constexpr int kMostDonors = 128;
constexpr size_t kLeastDonor = size_t{256} << 10;
// A moved run can cost two mappings, of which a process may have 65,530 by default.
constexpr uint32_t kMostMovedRuns = 8192;
// From this size on a zeroed block is made of fresh pages. Below, writing zeros over resident pages
// costs less than faulting in new ones.
constexpr size_t kDiscardBytes = size_t{128} << 20;

// For threads without a client, and for calls that interrupted a slow path.
void* allocate_direct(SizeClass c) {
  if (!open_runtime()) return nullptr;
  DepotGuard guard;
  return runtime.depot.take_block_locked(c);
}

MMT_NOINLINE void* allocate_of_class(SizeClass c) {
  Entry entry;
  Client* client = entry.client();
  if (client == nullptr) return allocate_direct(c);
  if (void* block = pop_exclusive(*client, c)) return block;
  return refill(*client, c);
}

enum class Move : uint8_t {
  kDone,
  kRefused,  // nothing has changed
  kBroken,   // a move that failed half-way had unmapped the place, which could not be mapped again
};

// Moves pages to a place that holds none.
Move move_to_fresh(void* from, void* to, size_t bytes) {
  if (sys::move_pages(from, to, bytes)) return Move::kDone;
  return sys::renew(to, bytes) ? Move::kRefused : Move::kBroken;
}

// The place of a large block, which could not be mapped again as a whole: nobody's from now on.
// What of it is mapped, pages moved there before included, goes back.
void abandon_large(void* block) {
  const size_t extent = runtime.depot.large_extent(block);
  runtime.depot.abandon_large(block);
  sys::unmap(block, extent);
}

void put_donor_back(native::Slot first, size_t count, bool clean) {
  if (DepotGuard guard(DepotWait::kBrief); guard.held())
    runtime.depot.end_purge_locked(first, count, clean);
  else
    runtime.depot.return_purged(first, count, clean);
}

void give_large(void* block, bool moved) {
  if (DepotGuard guard(DepotWait::kBrief); guard.held())
    runtime.depot.give_large_locked(block, moved);
  else
    runtime.depot.return_large(block, moved);
}

struct Filled {
  size_t bytes;  // from the start
  bool broken;   // what follows them is no longer mapped
};

// Gives a place that reads as zero pages that lie free elsewhere: moving a page costs a small part
// of faulting one in, and no more memory is resident than before.
Filled fill_from_free(char* place, size_t bytes) {
  native::Depot& depot = runtime.depot;
  size_t filled = 0;
  native::Slot from = 0;
  for (int i = 0; i < kMostDonors && bytes - filled >= kLeastDonor; ++i) {
    native::Slot first = 0;
    size_t count = 0;
    if (DepotGuard guard(DepotWait::kBrief); guard.held())
      count = depot.begin_purge_locked(from, (bytes - filled) >> native::kSlotShift, false, &first);
    if (count == 0) break;
    from = first + static_cast<native::Slot>(count);
    const size_t donated = count << native::kSlotShift;
    Move move = Move::kRefused;
    if (donated >= kLeastDonor)
      move = move_to_fresh(depot.region().address(first), place + filled, donated);
    put_donor_back(first, count, move == Move::kDone);
    if (move == Move::kBroken) return {filled, true};
    if (move != Move::kDone) continue;
    filled += donated;
    runtime.moved_runs.fetch_add(1, std::memory_order_relaxed);
  }
  return {filled, false};
}

// The program is about to fault in so much fresh memory. Where too much lies free already, as much
// of that goes back to the system: what one keeps for large blocks is not to add up.
void balance_fresh(size_t bytes) {
  if (bytes < native::kSlotBytes || !Purger::is_excess()) return;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  native::Depot& depot = runtime.depot;
  for (int i = 0; i < kMostRunsGivenBack && bytes >= native::kSlotBytes && Purger::is_excess();
       ++i) {
    native::Slot first = 0;
    size_t count = 0;
    if (DepotGuard guard(DepotWait::kBrief); guard.held())
      count = depot.begin_purge_top_locked(bytes >> native::kSlotShift, &first);
    if (count == 0) return;
    put_donor_back(first, count, depot.purge_pages(first, count));
    bytes -= count << native::kSlotShift;
  }
}

bool may_fill(size_t bytes) {
  return bytes >= kFilledBytes &&
         runtime.moved_runs.load(std::memory_order_relaxed) < kMostMovedRuns;
}

bool worth_filling(size_t bytes) {
  return may_fill(bytes) && runtime.depot.dirty_free_bytes() >= kLeastDonor;
}

void* allocate_large(size_t bytes, size_t alignment, bool* zeroed) {
  if (!open_runtime()) return nullptr;
  void* block;
  {
    DepotGuard guard(DepotWait::kThrifty);
    if (guard.held()) {
      block = runtime.depot.take_large_locked(bytes, alignment, zeroed);
    } else {
      block = runtime.depot.carve_large(bytes, alignment);
      *zeroed = true;
    }
  }
  if (block == nullptr) return nullptr;
  count_volume(bytes);
  if (!*zeroed || !worth_filling(bytes)) return block;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  const Filled filled = fill_from_free(static_cast<char*>(block), bytes);
  *zeroed = filled.bytes == 0;
  if (!filled.broken) return block;
  abandon_large(block);
  return nullptr;
}

void deallocate_large(void* block) {
  const size_t bytes = usable_size(block);
  give_large(block, false);
  if (runtime.server_running())
    runtime.notify();
  else
    note_direct_volume(bytes);
}

void deallocate_of_class(void* block, SizeClass c) {
  Entry entry;
  Client* client = entry.client();
  if (client == nullptr) {
    DepotGuard guard;
    runtime.depot.put_block_locked(block);
    return;
  }
  if (push_exclusive(*client, c, block)) return;
  flush(*client, c);
  push_exclusive(*client, c, block);
}

void* copy_to(void* from, size_t old_bytes, size_t bytes) {
  void* to = allocate(bytes);
  if (to == nullptr) return nullptr;
  memcpy(to, from, old_bytes < bytes ? old_bytes : bytes);
  deallocate(from);
  return to;
}

// A large block that has just grown beyond its extent of `before` bytes gets free pages for what it
// gained, and some for what it will gain next. False: it had to be cut to `before` again.
bool fill_growth(void* block, size_t before, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const size_t end = depot.clean_room_end(block);
  const size_t ahead = before + (bytes / 8 > kFilledBytes ? bytes / 8 : kFilledBytes);
  const size_t wanted = core::align_up(bytes > ahead ? bytes : ahead, native::kSlotBytes);
  const size_t until = wanted < end ? wanted : end;
  if (bytes <= before || until <= before) return true;
  const sys::SignalsBlocked blocked;
  char* const place = static_cast<char*>(block) + before;
  Filled filled{};
  if (worth_filling(bytes)) filled = fill_from_free(place, until - before);
  if (!filled.broken) {
    depot.note_filled(block, before + filled.bytes);
    balance_fresh(until - before - filled.bytes);
    return true;
  }
  depot.cut_large(block, before);
  sys::unmap(place, until - before);
  return false;
}

// Moves the pages of a large block, its extent, to a place where it can grow. nullptr: nothing
// changed.
void* move_large(void* block, size_t bytes, size_t* extent) {
  const sys::SignalsBlocked
      blocked;  // the block's contents are at one place or the other afterwards
  native::Depot& depot = runtime.depot;
  void* to = nullptr;
  if (DepotGuard guard(DepotWait::kPatient); guard.held()) to = depot.take_growing_locked(bytes);
  if (to == nullptr) return nullptr;
  // All that may hold memory, not just what the program asked for.
  const size_t pages = depot.large_extent(block);
  const Move move = move_to_fresh(block, to, pages);
  if (move == Move::kBroken) {
    abandon_large(to);
    return nullptr;
  }
  const bool moved = move == Move::kDone;
  give_large(moved ? block : to, moved);
  if (!moved) return nullptr;
  *extent = pages;
  return to;
}

// Zeroes a large block: by giving its pages back where that is cheaper, and keeps memory that the
// program may never touch from being resident.
void clear(void* block, size_t bytes) {
  const size_t pages = bytes / sys::kPageSize * sys::kPageSize;
  if (bytes >= kDiscardBytes && sys::discard(block, pages))
    memset(static_cast<char*>(block) + pages, 0, bytes - pages);
  else
    memset(block, 0, bytes);
}

void* reallocate_large(void* block, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const size_t old_bytes = usable_size(block);
  if (bytes > native::kMaxClassSize) {
    const size_t extent = depot.large_extent(block);
    bool resized = false;
    size_t fresh = 0;
    if (DepotGuard guard(DepotWait::kPatient); guard.held())
      resized = depot.resize_large_locked(block, bytes, &fresh);
    if (bytes < old_bytes && runtime.server_running()) runtime.notify();  // of what was cut off
    if (fresh != 0) balance_fresh(fresh);
    if (resized && fill_growth(block, extent, bytes)) return block;
    // A block that cannot shrink for want of the lock stays as it is.
    if (bytes <= old_bytes) return block;
  }
  if (bytes > old_bytes && old_bytes >= kMoveBytes) {
    size_t extent;
    if (void* moved = move_large(block, bytes, &extent)) {
      if (fill_growth(moved, extent, bytes)) return moved;
      block = moved;
    }
  }
  return copy_to(block, old_bytes, bytes);
}

// Everything that is free but not in the depot goes there, as far as the calling thread can reach:
// its own caches and supply, ended threads' clients, channels, returned blocks.
MMT_COLD void gather() {
  Entry entry;
  DepotGuard guard;
  if (Client* client = entry.client()) {
    hand_over_held(*client);
    reclaim_client_locked(*client);
  }
  reclaim_zombies_locked();
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* client = runtime.clients.at(i)) drain_batches_locked(*client, ~size_t{0});
  while (!runtime.depot.collect_returned_locked(~size_t{0})) {
  }
  runtime.depot.collect_large_locked();
}

// attempt(), and once more with all that can be gathered when memory is short.
template <class Attempt>
void* allocate_gathering(Attempt&& attempt) {
  void* block = attempt();
  if (MMT_LIKELY(block != nullptr) || !runtime.is_open()) return block;
  gather();
  return attempt();
}

void* allocate_or_gather(SizeClass c) {
  return allocate_gathering([c] { return allocate_of_class(c); });
}

void* allocate_large_or_gather(size_t bytes, size_t alignment, bool* zeroed) {
  return allocate_gathering([=] { return allocate_large(bytes, alignment, zeroed); });
}

}  // namespace

void* allocate_slow(size_t bytes) {
  if (bytes <= native::kMaxSmallSize) return allocate_or_gather(native::stepped_class(bytes));
  if (bytes <= native::kMaxClassSize) {
    const SizeClass c = native::geometric_class(bytes);
    return pop_cached(current_fast, c, [c] { return allocate_or_gather(c); });
  }
  bool zeroed;
  return allocate_large_or_gather(bytes, 1, &zeroed);
}

void* allocate_aligned(size_t bytes, size_t alignment) {
  if (alignment <= 16) return allocate(bytes);
  const SizeClass c = native::class_of_aligned_size(bytes, alignment);
  if (c == native::kNoClass) {
    bool zeroed;
    return allocate_large_or_gather(bytes, alignment, &zeroed);
  }
  return pop_cached(current_fast, c, [c] { return allocate_or_gather(c); });
}

void* allocate_zeroed(size_t bytes) {
  if (bytes > native::kMaxClassSize) {
    bool zeroed;
    void* block = allocate_large_or_gather(bytes, 1, &zeroed);
    if (block != nullptr && !zeroed) clear(block, bytes);
    return block;
  }
  void* block = allocate(bytes);
  if (block != nullptr) memset(block, 0, bytes);
  return block;
}

bool deallocate_slow(void* block) {
  if (!owns(block)) return false;
  const native::Region& region = runtime.depot.region();
  const uint8_t code = region.class_of(region.slot_of(block));
  if (code == native::kForeign) return false;
  if (code == native::kLargeHead)
    deallocate_large(block);
  else if (code != native::kNoClass && code < kClassCount)
    deallocate_of_class(block, code);
  return true;  // an address without a block is let go: checking is another mode's task
}

bool owns(const void* block) {
  const native::Region& region = runtime.depot.region();
  return region.contains(block) && region.class_of(region.slot_index(block)) != native::kForeign;
}

size_t usable_size(const void* block) {
  const native::Region& region = runtime.depot.region();
  const native::Slot slot = region.slot_of(block);
  const uint8_t code = region.class_of(slot);
  if (code == native::kNoClass) return 0;
  if (code < kClassCount) return kClasses[code].size;
  if (code != native::kLargeHead) return 0;
  const size_t bytes = region.span(slot).large_bytes;
  return (bytes + sys::kPageSize - 1) / sys::kPageSize * sys::kPageSize;
}

void* reallocate(void* block, size_t bytes) {
  const native::Region& region = runtime.depot.region();
  const uint8_t code = region.class_of(region.slot_of(block));
  if (code == native::kLargeHead) return reallocate_large(block, bytes);
  const size_t old_bytes = usable_size(block);
  // In place when the class is right, or a little too large.
  if (bytes <= old_bytes && bytes >= old_bytes / 2 + old_bytes / 4) return block;
  if (bytes <= old_bytes && bytes > 0 && native::class_of_size(bytes) == code) return block;
  return copy_to(block, old_bytes, bytes);
}

bool trim() {
  if (!open_runtime()) return false;
  gather();
  return purge_all();
}

}  // namespace mmt::offload
