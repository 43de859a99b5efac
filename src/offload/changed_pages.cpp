#include "offload/changed_pages.h"

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/depot_guard.h"
#include "offload/page_hooks.h"
#include "offload/purger.h"
#include "offload/runtime.h"

namespace mmt::offload {

using native::Change;
using ChangedPages = native::Depot::ChangedPages;

void note_changed_pages(const void* start, size_t bytes, Change change) {
  const native::Region& region = runtime.depot.region();
  const auto from = reinterpret_cast<uintptr_t>(start);
  const auto base = reinterpret_cast<uintptr_t>(region.base());
  if (MMT_LIKELY(bytes == 0 || base == 0 || from >= base + region.mapped_bytes() ||
                 from + bytes <= base))
    return;
  if (from + bytes < from) return;  // the kernel refuses that
  if (const DepotGuard lock; lock.held())
    runtime.depot.note_changed(lock, static_cast<const char*>(start), bytes, change);
  else
    note_unseen_changes();
}

void join_pages_to_move(const void* start, size_t bytes) {
  const native::Region& region = runtime.depot.region();
  auto* const at = const_cast<char*>(static_cast<const char*>(start));
  if (reinterpret_cast<uintptr_t>(start) % sys::kPageSize != 0 || bytes == 0 ||
      bytes > region.mapped_bytes() || pages_are_watched() ||
      runtime.unseen_changes.load(std::memory_order_relaxed))
    return;
  bytes = core::align_up(bytes, sys::kPageSize);
  {
    const DepotGuard lock;
    if (!lock.held() || !runtime.depot.is_in_unchanged_large(lock, at, bytes)) return;
  }
  sys::join_mappings(at, bytes);
}

// Relaxed, here and below: switches, by which nothing else is found.
void note_mlockall(bool locked) { runtime.mlockall.store(locked, std::memory_order_relaxed); }
bool mlockall_holds() { return runtime.mlockall.load(std::memory_order_relaxed); }

void note_unseen_changes() { runtime.unseen_changes.store(true, std::memory_order_relaxed); }

Renewal renew_pages(void* start, size_t bytes, Change change) {
  const bool keeps = Purger::keeps_all();
  if (keeps && change == Change::kNone) return Renewal::kKept;
  if (keeps && change == Change::kFlags && sys::restore(start, bytes)) return Renewal::kKept;
  tell_watchers_of_loss(start, bytes);
  return sys::renew(start, bytes) ? Renewal::kFresh : Renewal::kFailed;
}

namespace {

// False: the calling thread is amid a step.
bool take_changes(void* block, ChangedPages* pages) {
  const DepotGuard lock;
  if (lock.held()) *pages = runtime.depot.take_changes(lock, block);
  return lock.held();
}

}  // namespace

bool renew_changed_block(void* block) {
  ChangedPages pages;
  if (!take_changes(block, &pages)) return false;
  if (pages.bytes == 0) return true;
  if (renew_pages(pages.start, pages.bytes, pages.change) == Renewal::kFailed) return false;
  if (pages_are_watched()) take_changes(block, &pages);  // our own call was noted, too
  return true;
}

bool is_changed(const void* large_block) {
  return runtime.depot.large_change(large_block) != Change::kNone ||
         MMT_UNLIKELY(runtime.unseen_changes.load(std::memory_order_relaxed));
}

Renewal renew_changed_large(void* block) {
  ChangedPages pages;
  if (!take_changes(block, &pages)) return Renewal::kFailed;
  return renew_pages(pages.start, pages.bytes, pages.change);
}

void forget_changes(void* large_block) {
  ChangedPages pages;
  take_changes(large_block, &pages);
}

void renew_changed_runs() {
  native::Depot& depot = runtime.depot;
  while (MMT_UNLIKELY(depot.has_changed_runs())) {
    const sys::SignalsBlocked blocked;  // what is on its way in between may not be left behind
    ChangedPages pages;
    {
      const DepotGuard lock;
      if (!lock.held()) return;
      pages = depot.take_changed_run(lock);
    }
    if (pages.bytes == 0) return;
    const Renewal renewal = renew_pages(pages.start, pages.bytes, pages.change);
    if (renewal == Renewal::kFailed) sys::unmap(pages.start, pages.bytes);
    DepotGuard lock;
    const native::Slot first = depot.region().slot_of(pages.start);
    const size_t count = pages.bytes >> native::kSlotShift;
    if (renewal == Renewal::kFailed)
      depot.abandon_run(lock, first, count);
    else
      depot.end_purge(lock, first, count, renewal == Renewal::kFresh);
  }
}

}  // namespace mmt::offload
