#include "heap/keeper/rights.h"

#include <atomic>

#include <mmt/sys/clock.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/server_orders.h"
#include "heap/object/volume.h"

namespace mmt::heap {

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
  if (heap.keeper.thread.has_more_than(of_bounding_set)) stop_for_change(heap);
}

bool rights_forbid_start(Heap& heap, uint64_t fetched) {
  return heap.keeper.absence.holds(fetched);
}

void note_left_for_rights(Heap& heap, bool differing) {
  heap.keeper.absence.note_end(sys::coarse_ns(), fetched_volume(heap));
  if (differing) heap.keeper.absence.note_difference();
}

}  // namespace mmt::heap
