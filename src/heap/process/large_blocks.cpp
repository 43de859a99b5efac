#include "heap/process/large_blocks.h"

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/gates/arrive.h"
#include "heap/gates/leave.h"
#include "heap/gates/mapped_blocks.h"
#include "heap/keeper/purger.h"
#include "heap/object/depot_guard.h"
#include "heap/object/samples.h"
#include "heap/object/thread_state.h"
#include "heap/object/volume.h"
#include "heap/pages/changed_pages.h"
#include "heap/pages/page_hooks.h"
#include "heap/process/moved_pages.h"
#include "heap/process/opening.h"
#include "heap/process/sparse_bytes.h"
#include "heap/process/taken_block.h"

namespace mmt::heap {
namespace {

// From this size on moving pages is cheaper than copying bytes.
constexpr size_t kMoveBytes = size_t{512} << 10;
// From this size on a zeroed block is made of fresh pages. Below, writing zeros over resident pages
// costs less than faulting in new ones.
constexpr size_t kDiscardBytes = size_t{128} << 20;

bool may_grow(Heap& heap) { return heap.depot.seams().allow_growth() && !moves_are_refused(heap); }

// Where a mapping was moved away, memory is mapped again. False: somebody else was faster, or there
// is none.
bool map_left_place(Heap& heap, void* from, size_t bytes) {
  if (heap.depot.budget().map_at(from, bytes) != sys::MapResult::kMapped) return false;
  heap.depot.seams().note_renewed(slot_of(heap, from), bytes >> store::kSlotShift);
  return true;
}

// The place of a large block, which could not be mapped again as a whole: nobody's from now on.
// What of it is mapped, pages moved there before included, goes back.
void abandon_large(Heap& heap, void* block) {
  store::Depot& depot = heap.depot;
  const size_t extent = std::max(depot.large().extent(block), depot.growth().clean_room_end(block));
  depot.large().abandon(block);
  heap.depot.budget().unmap(block, extent);
}

void give_large(Heap& heap, void* block, bool moved) {
  leave(heap, Batch::of_large(block, moved), DepotWait::kBrief);
  heap.notify();
}

// Sees to memory for the part of a large block of `bytes` that begins at `before`, and for what the
// block will gain next. It does so where the block's room reads as zero. False: that place was
// lost, and the block cut to `before`.
bool fill_growth(Heap& heap, void* block, size_t before, size_t bytes) {
  store::Depot& depot = heap.depot;
  const size_t end = depot.growth().clean_room_end(block);
  const size_t ahead = before + std::max(bytes / 8, kFilledBytes);
  const size_t until = std::min(core::align_up(std::max(bytes, ahead), store::kSlotBytes), end);
  if (bytes <= before || until <= before) return true;
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  char* const place = static_cast<char*>(block) + before;
  Filled filled{};
  const Kind kind = kind_of_growth(bytes);
  if (worth_filling(heap, bytes, kind)) filled = fill_from_free(heap, place, until - before);
  if (filled.broken) {
    depot.growth().cut(block, before);
    heap.depot.budget().unmap(place, end - before);
    return false;
  }
  depot.growth().note_filled(block, before + filled.bytes);
  const size_t covered = before + filled.bytes;
  if (covered < bytes) give_back_excess(heap, std::min(bytes, until) - covered);
  return true;
}

// Moves the pages of a large block to another, which holds none, and gives the first back.
Move move_contents(Heap& heap, void* block, void* to, size_t pages, size_t bytes) {
  if (!fill_growth(heap, to, pages, bytes)) return Move::kBroken;
  const Move move = move_to_fresh(heap, block, to, pages);
  if (move == Move::kDone) give_large(heap, block, true);
  return move;
}

// Does the same where the pages are one mapping. That mapping then has the room to grow as well, so
// that the next move is of one mapping too.
Move move_whole(Heap& heap, void* block, void* to, size_t pages, size_t bytes) {
  store::Depot& depot = heap.depot;
  const size_t room = depot.growth().clean_room_end(to);
  const Move move =
      note_move(heap, heap.depot.budget().move_mapping(block, pages, to, room), to, room);
  if (move != Move::kDone) return move;
  depot.seams().note_moved_mapping(slot_of(heap, to), room >> store::kSlotShift);
  if (map_left_place(heap, block, pages))
    give_large(heap, block, true);
  else
    depot.large().abandon(block);
  if (bytes > pages) give_back_excess(heap, bytes - pages);
  return move;
}

// Moves the pages of a large block to a place where it can grow. nullptr: nothing changed.
void* move_large(Heap& heap, void* block, size_t bytes) {
  if (!may_grow(heap)) return nullptr;
  const sys::SignalsBlocked blocked;  // the contents are at one place or the other afterwards
  store::Depot& depot = heap.depot;
  // All that may hold memory, not just what the program asked for: it may be more than `bytes`.
  const size_t pages = depot.large().extent(block);
  const size_t slots = pages >> store::kSlotShift;
  void* to = nullptr;
  depot.growth().map_for_taking(bytes, pages);
  if (DepotGuard lock(heap, DepotWait::kPatient); lock.held())
    to = take_growing(heap, lock, bytes, pages);
  if (to == nullptr) return nullptr;
  const bool whole = depot.seams().whole_run(slot_of(heap, block), slots) == slots;
  const Move move = whole ? move_whole(heap, block, to, pages, bytes)
                          : move_contents(heap, block, to, pages, bytes);
  if (move == Move::kDone) return to;
  if (move == Move::kBroken)
    abandon_large(heap, to);
  else
    give_large(heap, to, false);
  return nullptr;
}

// Moves a large block out of the region, as one mapping that grows from now on by itself. nullptr:
// nothing changed.
void* move_apart(Heap& heap, void* block, size_t bytes) {
  store::Depot& depot = heap.depot;
  const sys::SignalsBlocked blocked;  // the contents are at one place or the other afterwards
  const size_t extent =
      std::min(depot.large().extent(block), core::align_down(bytes, sys::kPageSize));
  void* const to = move_to_mapping(heap, block, extent, bytes);
  if (to == nullptr) return nullptr;
  if (MMT_UNLIKELY(is_changed(heap, block))) forget_changes(heap, block);
  // Somebody else may have come to lie there.
  if (map_left_place(heap, block, extent))
    give_large(heap, block, depot.large().extent(block) == extent);
  else
    depot.large().abandon(block);
  return to;
}

// Moves a block that grows, and whose pages the program has changed. The pages are moved as they
// are, since a copy could read what cannot be read. nullptr: nothing changed.
MMT_COLD void* move_changed(Heap& heap, void* block, size_t bytes) {
  void* const to = move_apart(heap, block, bytes);
  if (to != nullptr) sys::make_writable(to, core::align_up(bytes, sys::kPageSize));
  return to;
}

// What the program has changed of a large block that is to be freed. False: the block was lost.
MMT_COLD bool renew_large(Heap& heap, void* block, bool* renewed) {
  const Renewal renewal = renew_changed_large(heap, block);
  *renewed = renewal == Renewal::kFresh;
  if (renewal != Renewal::kFailed) return true;
  abandon_large(heap, block);
  return false;
}

// Makes what a changed block loses as it shrinks to so many bytes as new, also where the slots stay
// its own. False: the slots behind `kept` could not be, and the block was cut there.
MMT_COLD bool renew_tail(Heap& heap, void* block, size_t bytes, size_t kept) {
  const size_t from = core::align_up(bytes, sys::kPageSize);
  const size_t extent = heap.depot.large().extent(block);
  if (from >= extent) return true;
  char* const start = static_cast<char*>(block);
  const store::Change change = heap.depot.changes().of_large(block);
  if (renew_pages(heap, start + from, extent - from, change) != Renewal::kFailed) return true;
  if (kept >= extent) return true;
  heap.depot.growth().cut(block, kept);
  heap.depot.budget().unmap(start + kept, extent - kept);
  return false;
}

// Grows or shrinks a large block where it stands; `asked` is what the program wants of it. False:
// it holds what it held.
bool resize_large(Heap& heap, void* block, size_t asked) {
  const size_t bytes = std::max(asked, store::kMaxClassSize + 1);
  store::Depot& depot = heap.depot;
  const size_t before = depot.large().extent(block);
  const size_t old_bytes = heap.depot.large().usable(block);
  if (MMT_UNLIKELY(is_changed(heap, block)) &&
      !renew_tail(heap, block, asked, core::align_up(bytes, store::kSlotBytes)))
    return true;
  size_t fresh = 0;
  bool resized = false;
  depot.growth().map_for_resizing(block, bytes);
  if (DepotGuard lock(heap, DepotWait::kPatient); lock.held())
    resized = depot.growth().resize(lock, block, bytes, &fresh);
  if (resized && bytes < old_bytes) {  // of what was cut off
    heap.notify();
    count_freed(heap, old_bytes - bytes);
  }
  if (fresh != 0) give_back_excess(heap, fresh);
  return resized && fill_growth(heap, block, before, bytes);
}

struct Attempt {
  void* block = nullptr;
  bool was_held = false;      // the lock was to be had
  bool is_to_gather = false;  // before fresh memory is taken
};

// Apart, as fresh memory is taken where less of the stack is in use.
MMT_NOINLINE Attempt take_under_lock(Heap& heap, size_t bytes, size_t alignment,
                                     store::CleanParts* clean) {
  Attempt attempt;
  const DepotGuard lock(heap, heap.keeps_all() ? DepotWait::kPatient : DepotWait::kThrifty);
  attempt.was_held = lock.held();
  if (!lock.held()) return attempt;
  attempt.is_to_gather =
      thread_state.may_gather && heap.depot.large().is_scattered(lock, bytes, alignment);
  if (!attempt.is_to_gather) attempt.block = heap::take_large(heap, lock, bytes, alignment, clean);
  return attempt;
}

// Null: none can be had, or is to be had before the caller has gathered. The heap is open.
Taken take_large(Heap& heap, size_t bytes, size_t alignment) {
  Taken taken;
  const Slot frontier = heap.depot.region().frontier();
  const Attempt attempt = take_under_lock(heap, bytes, alignment, &taken.clean);
  if (attempt.is_to_gather) return taken;
  taken.block = attempt.block;
  if (taken.block == nullptr) {
    taken.block = take_fresh_large(heap, bytes, alignment);
    if (taken.block == nullptr) return taken;
    taken.clean.add(taken.block, bytes);
    if (!attempt.was_held) note_taken_past_lock(heap, bytes);
  }
  taken.fresh = slot_of(heap, taken.block) >= frontier;
  if (!prepare_taken(heap, taken, bytes)) {
    abandon_large(heap, taken.block);
    taken.block = nullptr;
  }
  return taken;
}

MMT_NOINLINE void* take_any(Heap& heap, size_t bytes, size_t alignment) {
  return take_large(heap, bytes, alignment).block;
}

MMT_NOINLINE void* take_for_copy(Heap& heap, size_t bytes, bool* zeroed) {
  const Taken taken = take_large(heap, bytes, 1);
  *zeroed = taken.block != nullptr && clean_bytes(taken) >= bytes;
  return taken.block;
}

// Zeroes memory from the start of a page on. It gives the pages back where that is cheaper. It
// keeps memory that the program may never touch from being resident.
void clear(Heap& heap, char* start, size_t bytes, Kind kind) {
  const size_t pages = bytes / sys::kPageSize * sys::kPageSize;
  if (bytes >= kDiscardBytes && !pages_stay(heap) && sys::discard(start, pages))
    memset(start + pages, 0, bytes - pages);
  else if (heap.samples.is_dense(kind))
    memset(start, 0, bytes);
  else
    clear_sparsely(start, bytes);
}

MMT_NOINLINE void* take_zeroed(Heap& heap, size_t bytes) {
  const Taken taken = take_large(heap, bytes, 1);
  auto* at = static_cast<char*>(taken.block);
  if (at == nullptr) return nullptr;
  char* const end = at + bytes;
  const Kind kind = kind_of_large(bytes);
  for (const auto& part : taken.clean) {
    if (part.bytes == 0) continue;
    clear(heap, at, static_cast<size_t>(part.start - at), kind);
    at = part.end();
  }
  clear(heap, at, static_cast<size_t>(end - at), kind);
  return taken.block;
}

// In the region, or in a mapping of its own: the size says where first; where that is full, the
// other. The heap is opened, and the memory thread started, where the list of a block's clean parts
// is not on the stack.
template <class TakeInRegion>
void* allocate_somewhere(Heap& heap, size_t bytes, size_t alignment,
                         TakeInRegion&& take_in_region) {
  if (!open_heap(heap)) return nullptr;
  const bool apart = (bytes >= kMappedBytes || alignment >= kMappedBytes) && !heap.keeps_all();
  void* block = apart ? allocate_mapped(heap, bytes, alignment) : take_in_region();
  if (block == nullptr && thread_state.may_gather) return nullptr;
  if (block == nullptr) block = apart ? take_in_region() : allocate_mapped(heap, bytes, alignment);
  if (block != nullptr) count_volume(heap, bytes);
  return block;
}

}  // namespace

void* allocate_large(Heap& heap, size_t bytes, size_t alignment) {
  return allocate_somewhere(heap, bytes, alignment,
                            [=, &heap] { return take_any(heap, bytes, alignment); });
}

void* allocate_large_zeroed(Heap& heap, size_t bytes) {
  return allocate_somewhere(heap, bytes, 1, [=, &heap] { return take_zeroed(heap, bytes); });
}

void* allocate_large_for_copy(Heap& heap, size_t bytes, bool* zeroed) {
  *zeroed = false;
  return allocate_somewhere(heap, bytes, 1,
                            [=, &heap] { return take_for_copy(heap, bytes, zeroed); });
}

void deallocate_large(Heap& heap, void* block) {
  const size_t bytes = heap.depot.large().usable(block);
  bool renewed = false;
  heap.samples.look_at_freed(kind_of_large(bytes), static_cast<const char*>(block), bytes);
  if (MMT_UNLIKELY(is_changed(heap, block)) && !renew_large(heap, block, &renewed)) return;
  give_large(heap, block, renewed);
  if (Purger::is_excess(heap) && pages_are_watched()) give_back_excess(heap, bytes);
  count_freed(heap, bytes);
}

void deallocate_large_emptied(Heap& heap, void* block) {
  if (MMT_UNLIKELY(is_changed(heap, block))) return deallocate_large(heap, block);
  const size_t bytes = heap.depot.large().usable(block);
  give_large(heap, block, true);
  count_freed(heap, bytes);
}

bool reallocate_large(Heap& heap, void** block, size_t bytes) {
  const size_t old_bytes = heap.depot.large().usable(*block);
  const bool grows = bytes > old_bytes;
  const bool changed = is_changed(heap, *block);
  if (grows && bytes > store::kMaxClassSize)
    heap.samples.look_at_grown(static_cast<const char*>(*block), old_bytes, kind_of_growth(bytes));
  // Growing only: all that it holds goes along, by whole pages.
  if (grows && (changed || bytes >= kMappedBytes) && !moves_are_refused(heap)) {
    if (void* const apart =
            changed ? move_changed(heap, *block, bytes) : move_apart(heap, *block, bytes)) {
      *block = apart;
      return true;
    }
  }
  // A changed block that shrinks stays large: to copy it could read pages that cannot be read.
  if ((changed && !grows) || bytes > store::kMaxClassSize) {
    if (resize_large(heap, *block, bytes)) return true;
    // A block that cannot shrink for want of the lock stays as it is.
    if (!grows) return true;
  }
  if (!grows || changed || old_bytes < kMoveBytes) return false;
  void* const moved = move_large(heap, *block, bytes);
  if (moved == nullptr) return false;
  *block = moved;
  return true;
}

}  // namespace mmt::heap
