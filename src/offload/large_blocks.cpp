#include "offload/large_blocks.h"

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/changed_pages.h"
#include "offload/heap.h"
#include "offload/page_hooks.h"
#include "offload/purger.h"
#include "offload/server.h"

namespace mmt::offload {
namespace {

// From this size on moving pages is cheaper than copying bytes.
constexpr size_t kMoveBytes = size_t{512} << 10;
// From this size on a fresh block gets pages of free runs, so many at most, each so long at least.
constexpr size_t kFilledBytes = size_t{1} << 20;
constexpr int kMostDonors = 128;
constexpr size_t kLeastDonor = size_t{256} << 10;
// Runs of free memory that one call gives back, at most; and bytes, where the memory thread asks
// for it.
constexpr int kMostRunsGivenBack = 64;
constexpr size_t kMostGivenBack = size_t{32} << 20;
// A moved run can cost two mappings, of which a process may have 65,530 by default.
constexpr uint32_t kMostMovedRuns = 8192;
// From this size on a zeroed block is made of fresh pages. Below, writing zeros over resident pages
// costs less than faulting in new ones.
constexpr size_t kDiscardBytes = size_t{128} << 20;

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

// Relaxed: a bound, which a few moves more do not hurt.
bool may_move() {
  return runtime.moved_runs.load(std::memory_order_relaxed) < kMostMovedRuns && !all_is_locked() &&
         !pages_stay();
}

// A refusal counts as many moves: a kernel that has no mappings left, or not the call, is soon no
// longer asked; one that was out of memory for a moment is.
void note_move(Move move) {
  const uint32_t price = move == Move::kDone ? 1 : kMostMovedRuns / 16;
  runtime.moved_runs.fetch_add(price, std::memory_order_relaxed);
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
  if (!clean) runtime.notify();
}

void give_large(void* block, bool moved) {
  if (DepotGuard guard(DepotWait::kBrief); guard.held())
    runtime.depot.give_large_locked(block, moved);
  else
    runtime.depot.return_large(block, moved);
  runtime.notify();
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
    if (donated < kLeastDonor) continue;
    note_move(move);
    if (move != Move::kDone) return {filled, move == Move::kBroken};
    filled += donated;
  }
  return {filled, false};
}

// At most so much of what lies free beyond the bound goes back to the system. By who is about to
// fault in as much fresh memory, since what one keeps for large blocks is not to add up; and by who
// frees, where the memory thread may not. Who watches may allocate and free: not again from there.
void give_back_excess(size_t bytes) {
  if (bytes < native::kSlotBytes || thread_state.gives_back || !Purger::is_excess()) return;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  thread_state.gives_back = true;
  native::Depot& depot = runtime.depot;
  for (int i = 0; i < kMostRunsGivenBack && bytes >= native::kSlotBytes && Purger::is_excess();
       ++i) {
    native::Slot first = 0;
    size_t count = 0;
    if (DepotGuard guard(DepotWait::kBrief); guard.held())
      count = depot.begin_purge_top_locked(bytes >> native::kSlotShift, &first);
    if (count == 0) break;
    const bool clean = depot.purge_pages(first, count, discard_for_watchers());
    put_donor_back(first, count, clean);
    if (!clean) break;
    bytes -= count << native::kSlotShift;
  }
  thread_state.gives_back = false;
}

bool worth_filling(size_t bytes) {
  return bytes >= kFilledBytes && runtime.depot.dirty_free_bytes() >= kLeastDonor && may_move();
}

// Sees to memory for what a large block has from `before` on, of `bytes`, and for what it will gain
// next, where its room reads as zero. False: that place was lost, and the block cut to `before`.
bool fill_growth(void* block, size_t before, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const size_t end = depot.clean_room_end(block);
  const size_t ahead = before + std::max(bytes / 8, kFilledBytes);
  const size_t until = std::min(core::align_up(std::max(bytes, ahead), native::kSlotBytes), end);
  if (bytes <= before || until <= before) return true;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  char* const place = static_cast<char*>(block) + before;
  Filled filled{};
  if (worth_filling(bytes)) filled = fill_from_free(place, until - before);
  if (filled.broken) {
    depot.cut_large(block, before);
    sys::unmap(place, end - before);
    return false;
  }
  depot.note_filled(block, before + filled.bytes);
  const size_t covered = before + filled.bytes;
  if (covered < bytes) give_back_excess(std::min(bytes, until) - covered);
  return true;
}

// Moves the pages of a large block to a place where it can grow. nullptr: nothing changed.
void* move_large(void* block, size_t bytes) {
  if (!may_move() || is_changed(block)) return nullptr;
  const sys::SignalsBlocked blocked;  // the contents are at one place or the other afterwards
  native::Depot& depot = runtime.depot;
  // All that may hold memory, not just what the program asked for: it may be more than `bytes`.
  const size_t pages = depot.large_extent(block);
  void* to = nullptr;
  if (DepotGuard guard(DepotWait::kPatient); guard.held())
    to = depot.take_growing_locked(bytes, pages);
  if (to == nullptr) return nullptr;
  Move move = Move::kBroken;
  if (fill_growth(to, pages, bytes)) move = move_to_fresh(block, to, pages);
  note_move(move);
  if (move == Move::kBroken) {
    abandon_large(to);
    return nullptr;
  }
  const bool moved = move == Move::kDone;
  give_large(moved ? block : to, moved);
  return moved ? to : nullptr;
}

// What the program has changed of a large block that is to be freed. False: the block was lost.
MMT_COLD bool renew_large(void* block, bool* renewed) {
  const Renewal renewal = renew_changed_large(block);
  *renewed = renewal == Renewal::kFresh;
  if (renewal != Renewal::kFailed) return true;
  abandon_large(block);
  return false;
}

// Makes what a changed block loses as it shrinks as new. False: the block was cut there.
MMT_COLD bool renew_tail(void* block, size_t bytes) {
  const size_t kept = core::align_up(bytes, native::kSlotBytes);
  const size_t extent = runtime.depot.large_extent(block);
  if (kept >= extent) return true;
  char* const tail = static_cast<char*>(block) + kept;
  if (renew_pages(tail, extent - kept, runtime.depot.large_change(block)) != Renewal::kFailed)
    return true;
  runtime.depot.cut_large(block, kept);
  sys::unmap(tail, extent - kept);
  return false;
}

// Grows or shrinks a large block where it stands. False: it holds what it held.
bool resize_large(void* block, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const size_t before = depot.large_extent(block);
  const size_t old_bytes = usable_size(block);
  if (MMT_UNLIKELY(is_changed(block)) && !renew_tail(block, bytes)) return true;
  size_t fresh = 0;
  bool resized = false;
  if (DepotGuard guard(DepotWait::kPatient); guard.held())
    resized = depot.resize_large_locked(block, bytes, &fresh);
  if (bytes < old_bytes) runtime.notify();  // of what was cut off
  if (fresh != 0) give_back_excess(fresh);
  return resized && fill_growth(block, before, bytes);
}

struct Taken {
  void* block = nullptr;
  native::CleanParts clean;  // what of it reads as zero
};

// Gives what of a block holds no memory pages that lie free elsewhere. False: the block was lost.
bool fill_clean(Taken& taken) {
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  for (auto& part : taken.clean) {
    const Filled filled = fill_from_free(part.start, part.bytes);
    if (filled.broken) {
      abandon_large(taken.block);
      return false;
    }
    part.start += filled.bytes;
    part.bytes -= filled.bytes;
    if (part.bytes >= kLeastDonor) break;  // nothing of use is left
  }
  return true;
}

// Null: none can be had. The heap is open.
Taken take_large(size_t bytes, size_t alignment) {
  Taken taken;
  if (DepotGuard guard(DepotWait::kThrifty); guard.held()) {
    taken.block = runtime.depot.take_large_locked(bytes, alignment, &taken.clean);
  } else if (taken.block = runtime.depot.carve_large(bytes, alignment); taken.block != nullptr) {
    taken.clean.add(taken.block, bytes);
    note_taken_past_lock(bytes);
  }
  if (taken.block == nullptr) return taken;
  if (!taken.clean.empty() && worth_filling(bytes) && !fill_clean(taken)) taken.block = nullptr;
  return taken;
}

MMT_NOINLINE void* take_any(size_t bytes, size_t alignment) {
  return take_large(bytes, alignment).block;
}

// Zeroes memory from the start of a page on: by giving its pages back where that is cheaper, and
// keeps memory that the program may never touch from being resident.
void clear(char* start, size_t bytes) {
  const size_t pages = bytes / sys::kPageSize * sys::kPageSize;
  if (bytes >= kDiscardBytes && !pages_stay() && sys::discard(start, pages))
    memset(start + pages, 0, bytes - pages);
  else
    memset(start, 0, bytes);
}

MMT_NOINLINE void* take_zeroed(size_t bytes) {
  const Taken taken = take_large(bytes, 1);
  auto* at = static_cast<char*>(taken.block);
  if (at == nullptr) return nullptr;
  char* const end = at + bytes;
  for (const auto& part : taken.clean) {
    if (part.bytes == 0) continue;
    clear(at, static_cast<size_t>(part.start - at));
    at = part.end();
  }
  clear(at, static_cast<size_t>(end - at));
  return taken.block;
}

}  // namespace

// The heap is opened, and the memory thread started, where the list of a block's clean parts is not
// on the stack.
void* allocate_large(size_t bytes, size_t alignment) {
  void* const block = open_runtime() ? take_any(bytes, alignment) : nullptr;
  if (block != nullptr) count_volume(bytes);
  return block;
}

void* allocate_large_zeroed(size_t bytes) {
  void* const block = open_runtime() ? take_zeroed(bytes) : nullptr;
  if (block != nullptr) count_volume(bytes);
  return block;
}

void deallocate_large(void* block) {
  const size_t bytes = usable_size(block);
  bool renewed = false;
  if (MMT_UNLIKELY(is_changed(block)) && !renew_large(block, &renewed)) return;
  give_large(block, renewed);
  if (Purger::is_excess() && pages_are_watched()) give_back_excess(bytes);
  if (!runtime.server_running()) note_direct_volume(bytes);
}

void give_back_as_told() {
  // Relaxed: a hint, from the memory thread, which may not do it.
  runtime.program_gives_back.store(false, std::memory_order_relaxed);
  if (pages_are_watched()) give_back_excess(kMostGivenBack);
}

bool reallocate_large(void** block, size_t bytes) {
  const size_t old_bytes = usable_size(*block);
  if (bytes > native::kMaxClassSize) {
    if (resize_large(*block, bytes)) return true;
    // A block that cannot shrink for want of the lock stays as it is.
    if (bytes <= old_bytes) return true;
  }
  if (bytes <= old_bytes || old_bytes < kMoveBytes) return false;
  void* const moved = move_large(*block, bytes);
  if (moved == nullptr) return false;
  *block = moved;
  return true;
}

}  // namespace mmt::offload
