#include "offload/rights.h"

#include <atomic>

#include <mmt/sys/clock.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

#include "offload/absence.h"
#include "offload/server.h"
#include "offload/server_thread.h"

namespace mmt::offload {
namespace {

constinit offload::Absence absence{};
// Relaxed: who sees it late ends a thread that has given up all already.
constinit std::atomic<sys::Kept> kept{sys::Kept::kNothing};

}  // namespace

bool stop_for_change(Heap& heap) {
  const uint32_t thread = stop_server(heap);
  if (thread == 0) return false;
  if (sys::is_quiet()) return true;
  // Others can still see the rights of a thread that has run its last instruction.
  sys::wait_until_uncounted(thread);
  absence.note_end(sys::coarse_ns(), fetched_volume(heap));
  return true;
}

void note_changed_identity(Heap& heap, bool of_all) {
  stop_for_change(heap);
  if (of_all || sys::is_quiet() || absence.is_for_good()) return;
  // Another thread, which has more rights now, would give them to the memory thread.
  if (at_home() && sys::has_other_threads()) absence.note_difference();
}

void note_changed_capabilities(Heap& heap, bool of_bounding_set) {
  const sys::Kept now = kept.load(std::memory_order_relaxed);
  if (now == sys::Kept::kUnknown || (of_bounding_set && now == sys::Kept::kBoundingSet))
    stop_for_change(heap);
}

bool rights_forbid_start(uint64_t fetched) { return absence.holds(fetched); }

void note_all_kept() { kept.store(sys::Kept::kUnknown, std::memory_order_relaxed); }

bool give_up_rights() {
  if (sys::is_filtered()) return false;
  kept.store(sys::give_up_capabilities(), std::memory_order_relaxed);
  return true;
}

void note_left_for_rights(Heap& heap, bool differing) {
  absence.note_end(sys::coarse_ns(), fetched_volume(heap));
  if (differing) absence.note_difference();
}

void reset_rights_in_child() {
  absence.reset_in_child();
  kept.store(sys::Kept::kNothing, std::memory_order_relaxed);
}

}  // namespace mmt::offload
