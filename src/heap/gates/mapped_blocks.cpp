#include "heap/gates/mapped_blocks.h"

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/gates/inspection.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/object/volume.h"
#include "heap/pages/page_hooks.h"

namespace mmt::heap {
namespace {

using core::align_up;
using sys::kPageSize;

size_t length_of(size_t bytes) { return align_up(bytes == 0 ? 1 : bytes, kPageSize); }

// No mapping can be so long, and no sum of two such lengths overflows.
bool too_long(size_t bytes) { return bytes > SIZE_MAX / 4; }

char* map_aligned(Heap& heap, size_t length, size_t alignment) {
  const size_t spare = alignment > kPageSize ? alignment - kPageSize : 0;
  auto* const start = static_cast<char*>(heap.depot.budget().map_anywhere(length + spare));
  if (start == nullptr || spare == 0) return start;
  const auto address = reinterpret_cast<uintptr_t>(start);
  const size_t before = align_up(address, alignment) - address;
  if (before != 0) heap.depot.budget().unmap(start, before);
  if (before != spare) heap.depot.budget().unmap(start + before + length, spare - before);
  return start + before;
}

// Pages that the program has owned.
void unmap_watched(Heap& heap, void* at, size_t bytes) {
  store::Budget& budget = heap.depot.budget();
  unmap_for_watchers(at, bytes) ? budget.lose(bytes) : budget.unmap(at, bytes);
}

// Under the lock; in a handler that interrupted its holder, in this very thread, where that was not
// about what is noted of mappings.
class MappingsGuard {
 public:
  explicit MappingsGuard(Heap& heap) : heap_(heap), guard_(heap) {}
  bool held() const { return guard_.held() || !heap_.depot.mapped().is_changing(); }
  operator LockToken() const { return guard_; }

 private:
  Heap& heap_;
  const DepotGuard guard_;
};

// Memory for what is noted of mappings, where that gets short: a system call, without the lock.
void make_mapping_room(Heap& heap) {
  store::Depot& depot = heap.depot;
  const size_t bytes = depot.mapped().wanted_room();
  if (MMT_LIKELY(bytes == 0)) return;
  store::MappingTable::Room room{heap.depot.budget().map_anywhere(bytes), bytes};
  if (room.at == nullptr) return;
  if (const MappingsGuard lock(heap); lock.held()) room = depot.mapped().use_room(lock, room);
  if (room.bytes != 0) heap.depot.budget().unmap(room.at, room.bytes);
}

bool note_mapped(Heap& heap, void* block, size_t length) {
  make_mapping_room(heap);
  const MappingsGuard lock(heap);
  return lock.held() && heap.depot.mapped().add(lock, block, length);
}

// Its length, 0 for none.
size_t forget_mapped(Heap& heap, void* block) {
  const MappingsGuard lock(heap);
  return lock.held() ? heap.depot.mapped().remove(lock, block) : 0;
}

// To a new mapping, where the old range is none that can be resized as one. nullptr: nothing has
// changed.
MMT_COLD void* move_pieces(Heap& heap, void* from, size_t bytes, size_t length) {
  void* const to = heap.depot.budget().map_anywhere(length);
  if (to == nullptr) return nullptr;
  if (heap.depot.budget().move_pieces(from, to, bytes) == sys::MoveResult::kMoved) {
    sys::make_writable(to, bytes);
    return to;
  }
  heap.depot.budget().unmap(to, length);
  return nullptr;
}

void* resize_or_move(Heap& heap, void* from, size_t bytes, size_t length) {
  void* const place = heap.depot.budget().resize_mapping(from, bytes, length);
  return place != nullptr ? place : move_pieces(heap, from, bytes, length);
}

}  // namespace

void* allocate_mapped(Heap& heap, size_t bytes, size_t alignment) {
  if (too_long(bytes) || too_long(alignment)) return nullptr;
  const size_t length = length_of(bytes);
  const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
  char* const block = map_aligned(heap, length, alignment);
  if (block == nullptr) return nullptr;
  if (heap.options.huge_pages == Switch::kOn && !sys::is_quiet())
    sys::prefer_huge_pages(block, length);
  if (!note_mapped(heap, block, length)) {
    heap.depot.budget().unmap(block, length);
    return nullptr;
  }
  return block;
}

// It rests until the memory thread has inspected it. False: too many do, or too large ones, or the
// program's own functions are to unmap it.
MMT_COLD bool leave_mapped(Heap& heap, void* block, size_t length) {
  if (!heap.server_running() || pages_are_watched() ||
      !heap.uninspected.admits(length, heap.depot.runs().in_use_bytes()))
    return false;
  heap.uninspected.add(length);
  for (auto& place : heap.uninspected.mapped) {
    void* none = nullptr;
    // Release: the block's owner is done with it; partner of inspect_mapped.
    if (!place.compare_exchange_strong(none, block, std::memory_order_release,
                                       std::memory_order_relaxed))
      continue;
    heap.notify();
    return true;
  }
  heap.uninspected.lose(length);
  return false;
}

void inspect_mapped(Heap& heap, uint32_t self) {
  for (auto& place : heap.uninspected.mapped) {
    void* const block = place.exchange(nullptr, std::memory_order_acquire);
    if (block == nullptr) continue;
    Inspections::see(heap, Batch::of_large(block, false));
    size_t length;
    {
      const DepotStep lock(heap, self);
      length = heap.depot.mapped().remove(lock, block);
    }
    heap.uninspected.lose(length);
    if (length != 0) heap.depot.budget().unmap(block, length);
  }
}

bool has_uninspected_mapped(Heap& heap) {
  for (const auto& place : heap.uninspected.mapped)
    if (place.load(std::memory_order_relaxed) != nullptr) return true;
  return false;
}

bool deallocate_mapped(Heap& heap, void* block) {
  if (!heap.depot.mapped().has_any()) return false;
  const sys::SignalsBlocked blocked;  // as above
  const size_t inspected = Inspections::kAny ? mapped_size(heap, block) : 0;
  if (inspected != 0 && !is_mapping_unknown(heap)) {
    if (leave_mapped(heap, block, inspected)) return true;
    Inspections::see(heap, Batch::of_large(block, false));
  }
  // First, since another thread may be given the place at once.
  const size_t length = forget_mapped(heap, block);
  if (length == 0) return is_mapping_unknown(heap);  // then it is let go
  unmap_watched(heap, block, length);
  if (!heap.server_running()) note_direct_volume(heap, length);  // gone already
  return true;
}

size_t mapped_size(Heap& heap, const void* block) {
  if (!heap.depot.mapped().has_any()) return 0;
  const MappingsGuard lock(heap);
  return lock.held() ? heap.depot.mapped().bytes_of(lock, block) : kPageSize;
}

bool is_mapping_unknown(Heap& heap) {
  return MMT_UNLIKELY(heap.depot.mapped().is_changing()) && is_amid_depot_step(heap, thread_id());
}

bool reallocate_mapped(Heap& heap, void** block, size_t bytes) {
  // However small it becomes, it stays a mapping: to copy it could read pages that cannot be read.
  if (too_long(bytes)) return false;
  const size_t length = length_of(bytes);
  if (pages_are_watched() && length > mapped_size(heap, *block)) return false;  // it may not move
  store::Depot& depot = heap.depot;
  const sys::SignalsBlocked blocked;  // as above
  size_t before;
  {
    const MappingsGuard lock(heap);
    if (!lock.held()) return false;
    before = depot.mapped().begin_move(lock, *block);
  }
  void* const from = *block;
  void* place = from;
  if (length < before)
    unmap_watched(heap, static_cast<char*>(from) + length, before - length);
  else if (length > before)
    place = resize_or_move(heap, from, before, length);
  const bool done = place != nullptr;
  if (done) *block = place;
  const MappingsGuard lock(heap);
  depot.mapped().end_move(lock, from, *block, before, done ? length : before);
  return done;
}

void* move_to_mapping(Heap& heap, void* from, size_t extent, size_t bytes) {
  if (too_long(bytes) || extent >= length_of(bytes)) return nullptr;
  const size_t length = length_of(bytes);
  store::Depot& depot = heap.depot;
  if (!note_mapped(heap, from, extent)) return nullptr;
  {
    const MappingsGuard lock(heap);
    depot.mapped().begin_move(lock, from);
  }
  void* place = resize_or_move(heap, from, extent, length);
  if (place == from) {  // it grew into what may become the region's
    heap.depot.budget().unmap(static_cast<char*>(from) + extent, length - extent);
    place = nullptr;
  }
  const MappingsGuard lock(heap);
  depot.mapped().end_move(lock, from, place != nullptr ? place : from, extent,
                          place != nullptr ? length : extent);
  if (place == nullptr) depot.mapped().remove(lock, from);
  return place;
}

}  // namespace mmt::heap
