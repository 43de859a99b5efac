#include "offload/rights.h"

#include <atomic>

#include <mmt/sys/clock.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

#include "offload/runtime.h"
#include "offload/server_thread.h"
#include "offload/volume.h"

namespace mmt::offload {
bool stop_for_change(Heap& heap) {
  const uint32_t thread = stop_server(heap);
  if (thread == 0) return false;
  if (sys::is_quiet()) return true;
  // Others can still see the rights of a thread that has run its last instruction.
  sys::wait_until_uncounted(thread);
  heap.keeper.absence.note_end(sys::coarse_ns(), fetched_volume(heap));
  return true;
}

void note_changed_identity(Heap& heap, bool of_all) {
  stop_for_change(heap);
  if (of_all || sys::is_quiet() || heap.keeper.absence.is_for_good()) return;
  // Another thread, which has more rights now, would give them to the memory thread.
  if (at_home(heap) && sys::has_other_threads()) heap.keeper.absence.note_difference();
}

void note_changed_capabilities(Heap& heap, bool of_bounding_set) {
  const sys::Kept now = heap.keeper.kept.load(std::memory_order_relaxed);
  if (now == sys::Kept::kUnknown || (of_bounding_set && now == sys::Kept::kBoundingSet))
    stop_for_change(heap);
}

bool rights_forbid_start(Heap& heap, uint64_t fetched) {
  return heap.keeper.absence.holds(fetched);
}

void note_all_kept(Heap& heap) {
  heap.keeper.kept.store(sys::Kept::kUnknown, std::memory_order_relaxed);
}

bool give_up_rights(Heap& heap) {
  if (sys::is_filtered()) return false;
  heap.keeper.kept.store(sys::give_up_capabilities(), std::memory_order_relaxed);
  return true;
}

void note_left_for_rights(Heap& heap, bool differing) {
  heap.keeper.absence.note_end(sys::coarse_ns(), fetched_volume(heap));
  if (differing) heap.keeper.absence.note_difference();
}

void reset_rights_in_child(Heap& heap) {
  heap.keeper.absence.reset_in_child();
  heap.keeper.kept.store(sys::Kept::kNothing, std::memory_order_relaxed);
}

}  // namespace mmt::offload
