#include "heap/pages/changed_pages.h"

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/pages/page_hooks.h"

namespace mmt::heap {

using store::Change;
using ChangedPages = store::NotedChanges::Pages;

void note_changed_pages(Heap& heap, const void* start, size_t bytes, Change change) {
  const store::Region& region = heap.depot.region();
  const auto from = reinterpret_cast<uintptr_t>(start);
  const auto base = reinterpret_cast<uintptr_t>(region.base());
  if (MMT_LIKELY(bytes == 0 || base == 0 || from >= base + region.mapped_bytes() ||
                 from + bytes <= base))
    return;
  if (from + bytes < from) return;  // the kernel refuses that
  if (const DepotGuard lock(heap); lock.held())
    heap.depot.changes().note(lock, static_cast<const char*>(start), bytes, change);
  else
    note_unseen_changes(heap);
}

void join_pages_to_move(Heap& heap, const void* start, size_t bytes) {
  const store::Region& region = heap.depot.region();
  auto* const at = const_cast<char*>(static_cast<const char*>(start));
  if (reinterpret_cast<uintptr_t>(start) % sys::kPageSize != 0 || bytes == 0 ||
      bytes > region.mapped_bytes() || pages_are_watched() ||
      heap.unseen_changes.load(std::memory_order_relaxed))
    return;
  bytes = core::align_up(bytes, sys::kPageSize);
  {
    const DepotGuard lock(heap);
    if (!lock.held() || !heap.depot.changes().is_in_unchanged_large(lock, at, bytes)) return;
  }
  sys::join_mappings(at, bytes);
}

// Relaxed, here and below: switches, by which nothing else is found.
void note_mlockall(Heap& heap, bool locked) {
  heap.mlockall.store(locked, std::memory_order_relaxed);
  heap.samples.pause(locked);
}
bool mlockall_holds(Heap& heap) { return heap.mlockall.load(std::memory_order_relaxed); }

void note_unseen_changes(Heap& heap) { heap.unseen_changes.store(true, std::memory_order_relaxed); }

Renewal renew_pages(Heap& heap, void* start, size_t bytes, Change change) {
  const bool keeps = heap.keeps_all();
  if (keeps && change == Change::kNone) return Renewal::kKept;
  if (keeps && change == Change::kFlags && sys::restore(start, bytes)) return Renewal::kKept;
  tell_watchers_of_loss(start, bytes);
  return sys::renew(start, bytes) ? Renewal::kFresh : Renewal::kFailed;
}

namespace {

// False: the calling thread is amid a step.
bool take_changes(Heap& heap, void* block, ChangedPages* pages) {
  const DepotGuard lock(heap);
  if (lock.held()) *pages = heap.depot.changes().take(lock, block);
  return lock.held();
}

}  // namespace

bool renew_changed_block(Heap& heap, void* block) {
  ChangedPages pages;
  if (!take_changes(heap, block, &pages)) return false;
  if (pages.bytes == 0) return true;
  if (renew_pages(heap, pages.start, pages.bytes, pages.change) == Renewal::kFailed) return false;
  if (pages_are_watched()) take_changes(heap, block, &pages);  // our own call was noted, too
  return true;
}

bool is_changed(Heap& heap, const void* large_block) {
  return heap.depot.changes().of_large(large_block) != Change::kNone ||
         MMT_UNLIKELY(heap.unseen_changes.load(std::memory_order_relaxed));
}

Renewal renew_changed_large(Heap& heap, void* block) {
  ChangedPages pages;
  if (!take_changes(heap, block, &pages)) return Renewal::kFailed;
  return renew_pages(heap, pages.start, pages.bytes, pages.change);
}

void forget_changes(Heap& heap, void* large_block) {
  ChangedPages pages;
  take_changes(heap, large_block, &pages);
}

void renew_changed_runs(Heap& heap) {
  store::Depot& depot = heap.depot;
  while (MMT_UNLIKELY(depot.changes().has_runs())) {
    const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
    ChangedPages pages;
    {
      const DepotGuard lock(heap);
      if (!lock.held()) return;
      pages = depot.changes().take_run(lock);
    }
    if (pages.bytes == 0) return;
    const Renewal renewal = renew_pages(heap, pages.start, pages.bytes, pages.change);
    if (renewal == Renewal::kFailed) heap.depot.budget().unmap(pages.start, pages.bytes);
    DepotGuard lock(heap);
    const store::Slot first = depot.region().slot_of(pages.start);
    const size_t count = pages.bytes >> store::kSlotShift;
    if (renewal == Renewal::kFailed)
      depot.purging().abandon(lock, first, count);
    else
      depot.purging().end(lock, first, count, renewal == Renewal::kFresh);
  }
}

}  // namespace mmt::heap
