#include "offload/large_blocks.h"

#include <algorithm>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/arrive.h"
#include "offload/changed_pages.h"
#include "offload/depot_guard.h"
#include "offload/heap.h"
#include "offload/leave.h"
#include "offload/mapped_blocks.h"
#include "offload/moved_pages.h"
#include "offload/page_hooks.h"
#include "offload/purger.h"
#include "offload/samples.h"
#include "offload/server.h"
#include "offload/sparse_bytes.h"
#include "offload/thread_state.h"

namespace mmt::offload {
namespace {

// From this size on moving pages is cheaper than copying bytes.
constexpr size_t kMoveBytes = size_t{512} << 10;
// From this size on a zeroed block is made of fresh pages. Below, writing zeros over resident pages
// costs less than faulting in new ones.
constexpr size_t kDiscardBytes = size_t{128} << 20;

bool may_grow() { return runtime.depot.seams().allow_growth() && !moves_are_refused(); }

// Where a mapping was moved away, memory is mapped again. False: somebody else was faster, or there
// is none.
bool map_left_place(void* from, size_t bytes) {
  if (sys::map_at(from, bytes) != sys::MapResult::kMapped) return false;
  runtime.depot.seams().note_renewed(slot_of(from), bytes >> native::kSlotShift);
  return true;
}

// The place of a large block, which could not be mapped again as a whole: nobody's from now on.
// What of it is mapped, pages moved there before included, goes back.
void abandon_large(void* block) {
  native::Depot& depot = runtime.depot;
  const size_t extent = std::max(depot.large_extent(block), depot.clean_room_end(block));
  depot.abandon_large(block);
  sys::unmap(block, extent);
}

void give_large(void* block, bool moved) {
  leave(runtime, Batch::of_large(block, moved), DepotWait::kBrief);
  runtime.notify();
}

// Pages that are filled in count as used: of a kind that is not, they would be lost.
bool is_to_be_filled(Kind kind) {
  return runtime.samples.is_dense(kind) && !runtime.samples.is_due(kind);
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
  const Kind kind = kind_of_growth(bytes);
  if (worth_filling(bytes) && is_to_be_filled(kind)) filled = fill_from_free(place, until - before);
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

// Moves the pages of a large block to another, which holds none, and gives the first back.
Move move_contents(void* block, void* to, size_t pages, size_t bytes) {
  if (!fill_growth(to, pages, bytes)) return Move::kBroken;
  const Move move = move_to_fresh(block, to, pages);
  if (move == Move::kDone) give_large(block, true);
  return move;
}

// The same where the pages are one mapping: that then has the room to grow as well, so that the
// next move is of one mapping too.
Move move_whole(void* block, void* to, size_t pages, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const size_t room = depot.clean_room_end(to);
  const Move move = note_move(sys::move_mapping(block, pages, to, room), to, room);
  if (move != Move::kDone) return move;
  depot.seams().note_moved_mapping(slot_of(to), room >> native::kSlotShift);
  if (map_left_place(block, pages))
    give_large(block, true);
  else
    depot.abandon_large(block);
  if (bytes > pages) give_back_excess(bytes - pages);
  return move;
}

// Moves the pages of a large block to a place where it can grow. nullptr: nothing changed.
void* move_large(void* block, size_t bytes) {
  if (!may_grow()) return nullptr;
  const sys::SignalsBlocked blocked;  // the contents are at one place or the other afterwards
  native::Depot& depot = runtime.depot;
  // All that may hold memory, not just what the program asked for: it may be more than `bytes`.
  const size_t pages = depot.large_extent(block);
  const size_t slots = pages >> native::kSlotShift;
  void* to = nullptr;
  depot.map_for_growing(bytes, pages);
  if (DepotGuard lock(DepotWait::kPatient); lock.held())
    to = take_growing(depot, lock, bytes, pages);
  if (to == nullptr) return nullptr;
  const bool whole = depot.seams().whole_run(slot_of(block), slots) == slots;
  const Move move =
      whole ? move_whole(block, to, pages, bytes) : move_contents(block, to, pages, bytes);
  if (move == Move::kDone) return to;
  if (move == Move::kBroken)
    abandon_large(to);
  else
    give_large(to, false);
  return nullptr;
}

// Moves a large block out of the region, as one mapping that grows from now on by itself. nullptr:
// nothing changed.
void* move_apart(void* block, size_t bytes) {
  native::Depot& depot = runtime.depot;
  const sys::SignalsBlocked blocked;  // the contents are at one place or the other afterwards
  const size_t extent =
      std::min(depot.large_extent(block), core::align_down(bytes, sys::kPageSize));
  void* const to = move_to_mapping(block, extent, bytes);
  if (to == nullptr) return nullptr;
  if (MMT_UNLIKELY(is_changed(block))) forget_changes(block);
  // Somebody else may have come to lie there.
  if (map_left_place(block, extent))
    give_large(block, depot.large_extent(block) == extent);
  else
    depot.abandon_large(block);
  return to;
}

// A block whose pages the program has changed grows: they are moved as they are, since to copy them
// could read what cannot be read. nullptr: nothing changed.
MMT_COLD void* move_changed(void* block, size_t bytes) {
  void* const to = move_apart(block, bytes);
  if (to != nullptr) sys::make_writable(to, core::align_up(bytes, sys::kPageSize));
  return to;
}

// What the program has changed of a large block that is to be freed. False: the block was lost.
MMT_COLD bool renew_large(void* block, bool* renewed) {
  const Renewal renewal = renew_changed_large(block);
  *renewed = renewal == Renewal::kFresh;
  if (renewal != Renewal::kFailed) return true;
  abandon_large(block);
  return false;
}

// Makes what a changed block loses as it shrinks to so many bytes as new, also where the slots stay
// its own. False: the slots behind `kept` could not be, and the block was cut there.
MMT_COLD bool renew_tail(void* block, size_t bytes, size_t kept) {
  const size_t from = core::align_up(bytes, sys::kPageSize);
  const size_t extent = runtime.depot.large_extent(block);
  if (from >= extent) return true;
  char* const start = static_cast<char*>(block);
  const native::Change change = runtime.depot.large_change(block);
  if (renew_pages(start + from, extent - from, change) != Renewal::kFailed) return true;
  if (kept >= extent) return true;
  runtime.depot.cut_large(block, kept);
  sys::unmap(start + kept, extent - kept);
  return false;
}

// Grows or shrinks a large block where it stands; `asked` is what the program wants of it. False:
// it holds what it held.
bool resize_large(void* block, size_t asked) {
  const size_t bytes = std::max(asked, native::kMaxClassSize + 1);
  native::Depot& depot = runtime.depot;
  const size_t before = depot.large_extent(block);
  const size_t old_bytes = usable_size(block);
  if (MMT_UNLIKELY(is_changed(block)) &&
      !renew_tail(block, asked, core::align_up(bytes, native::kSlotBytes)))
    return true;
  size_t fresh = 0;
  bool resized = false;
  depot.map_for_resizing(block, bytes);
  if (DepotGuard lock(DepotWait::kPatient); lock.held())
    resized = depot.resize_large(lock, block, bytes, &fresh);
  if (bytes < old_bytes) {  // of what was cut off
    runtime.notify();
    count_freed(old_bytes - bytes);
  }
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

size_t clean_bytes(const Taken& taken) {
  size_t bytes = 0;
  for (const auto& part : taken.clean) bytes += part.bytes;
  return bytes;
}

void sample_clean(const Taken& taken, size_t bytes) {
  for (const auto& part : taken.clean)
    runtime.samples.add_part(runtime.depot, kind_of_large(bytes), part.start, part.bytes);
}

// Null: none can be had, or is to be had before the caller has gathered. The heap is open.
Taken take_large(size_t bytes, size_t alignment) {
  Taken taken;
  bool held = false;
  const bool keeps = Purger::keeps_all();
  if (DepotGuard lock(keeps ? DepotWait::kPatient : DepotWait::kThrifty); (held = lock.held())) {
    if (thread_state.may_gather && runtime.depot.is_scattered(lock, bytes, alignment)) return taken;
    taken.block = offload::take_large(runtime.depot, lock, bytes, alignment, &taken.clean);
  }
  if (taken.block == nullptr) {
    taken.block = take_fresh_large(runtime.depot, bytes, alignment);
    if (taken.block == nullptr) return taken;
    taken.clean.add(taken.block, bytes);
    if (!held) note_taken_past_lock(bytes);
  }
  if (taken.clean.empty()) return taken;
  if (worth_filling(bytes) && is_to_be_filled(kind_of_large(bytes)) && !fill_clean(taken))
    taken.block = nullptr;
  if (taken.block != nullptr) sample_clean(taken, bytes);
  if (taken.block != nullptr && bytes >= kFilledBytes) give_back_excess(clean_bytes(taken));
  return taken;
}

MMT_NOINLINE void* take_any(size_t bytes, size_t alignment) {
  return take_large(bytes, alignment).block;
}

MMT_NOINLINE void* take_for_copy(size_t bytes, bool* zeroed) {
  const Taken taken = take_large(bytes, 1);
  *zeroed = taken.block != nullptr && clean_bytes(taken) >= bytes;
  return taken.block;
}

// Zeroes memory from the start of a page on: by giving its pages back where that is cheaper, and
// keeps memory that the program may never touch from being resident.
void clear(char* start, size_t bytes, Kind kind) {
  const size_t pages = bytes / sys::kPageSize * sys::kPageSize;
  if (bytes >= kDiscardBytes && !pages_stay() && sys::discard(start, pages))
    memset(start + pages, 0, bytes - pages);
  else if (runtime.samples.is_dense(kind))
    memset(start, 0, bytes);
  else
    clear_sparsely(start, bytes);
}

MMT_NOINLINE void* take_zeroed(size_t bytes) {
  const Taken taken = take_large(bytes, 1);
  auto* at = static_cast<char*>(taken.block);
  if (at == nullptr) return nullptr;
  char* const end = at + bytes;
  const Kind kind = kind_of_large(bytes);
  for (const auto& part : taken.clean) {
    if (part.bytes == 0) continue;
    clear(at, static_cast<size_t>(part.start - at), kind);
    at = part.end();
  }
  clear(at, static_cast<size_t>(end - at), kind);
  return taken.block;
}

// In the region, or in a mapping of its own: the size says where first; where that is full, the
// other. The heap is opened, and the memory thread started, where the list of a block's clean parts
// is not on the stack.
template <class TakeInRegion>
void* allocate_somewhere(size_t bytes, size_t alignment, TakeInRegion&& take_in_region) {
  if (!open_runtime()) return nullptr;
  const bool apart = (bytes >= kMappedBytes || alignment >= kMappedBytes) && !Purger::keeps_all();
  void* block = apart ? allocate_mapped(bytes, alignment) : take_in_region();
  if (block == nullptr && thread_state.may_gather) return nullptr;
  if (block == nullptr) block = apart ? take_in_region() : allocate_mapped(bytes, alignment);
  if (block != nullptr) count_volume(bytes);
  return block;
}

}  // namespace

void* allocate_large(size_t bytes, size_t alignment) {
  return allocate_somewhere(bytes, alignment, [=] { return take_any(bytes, alignment); });
}

void* allocate_large_zeroed(size_t bytes) {
  return allocate_somewhere(bytes, 1, [=] { return take_zeroed(bytes); });
}

void* allocate_large_for_copy(size_t bytes, bool* zeroed) {
  *zeroed = false;
  return allocate_somewhere(bytes, 1, [=] { return take_for_copy(bytes, zeroed); });
}

void deallocate_large(void* block) {
  const size_t bytes = usable_size(block);
  bool renewed = false;
  runtime.samples.look_at_freed(kind_of_large(bytes), static_cast<const char*>(block), bytes);
  if (MMT_UNLIKELY(is_changed(block)) && !renew_large(block, &renewed)) return;
  give_large(block, renewed);
  if (Purger::is_excess() && pages_are_watched()) give_back_excess(bytes);
  count_freed(bytes);
}

bool reallocate_large(void** block, size_t bytes) {
  const size_t old_bytes = usable_size(*block);
  const bool grows = bytes > old_bytes;
  const bool changed = is_changed(*block);
  if (grows && bytes > native::kMaxClassSize)
    runtime.samples.look_at_grown(static_cast<const char*>(*block), old_bytes,
                                  kind_of_growth(bytes));
  // Growing only: all that it holds goes along, by whole pages.
  if (grows && (changed || bytes >= kMappedBytes) && !moves_are_refused()) {
    if (void* const apart = changed ? move_changed(*block, bytes) : move_apart(*block, bytes)) {
      *block = apart;
      return true;
    }
  }
  // A changed block that shrinks stays large: to copy it could read pages that cannot be read.
  if ((changed && !grows) || bytes > native::kMaxClassSize) {
    if (resize_large(*block, bytes)) return true;
    // A block that cannot shrink for want of the lock stays as it is.
    if (!grows) return true;
  }
  if (!grows || changed || old_bytes < kMoveBytes) return false;
  void* const moved = move_large(*block, bytes);
  if (moved == nullptr) return false;
  *block = moved;
  return true;
}

}  // namespace mmt::offload
