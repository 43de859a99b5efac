#include "heap/keeper/server_thread.h"

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <mmt/sys/cpus.h>
#include <mmt/sys/forced_signals.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/following.h"
#include "heap/keeper/keeper.h"
#include "heap/keeper/rights.h"
#include "heap/object/heap.h"
#include "heap/object/server_orders.h"
#include "heap/object/volume.h"
#include "sys/message.h"

namespace mmt::heap {
namespace {

void thread_main(void* served) {
  auto& heap = *static_cast<Heap*>(served);
  run_keeper(heap, heap.keeper.orders);
  heap.keeper.thread.has_left();
  heap.server_thread.store(0, std::memory_order_relaxed);
  heap.server.end();
}

bool stays_away(Heap& heap) {
  if (heap.keeper.thread.stays_away()) return true;
  if (heap.options.server == Switch::kOn) return false;
  // When it gives memory back depends on time.
  return heap.repeatable || heap.options.server == Switch::kOff;
}

bool may_serve(const Heap& heap) {
  return heap.options.server == Switch::kOn || sys::has_quota_for_two();
}

void report_failure(Heap& heap, long error) {
  if (heap.options.quiet) return;
  sys::Message line;
  line.text("mmt: the memory thread cannot be started (error ")
      .number(static_cast<uint64_t>(error));
  line.text("); memory is managed on the program's own threads").print();
}

void put_off(Heap& heap) {
  postpone_server(heap);
  heap.server.end();
}

void start_server(Heap& heap) {
  if (!heap.server.claim_start()) return;
  if (stays_away(heap) || sys::are_calls_trapped()) return heap.server.stay_away();
  if (!heap.keeper.thread.is_gone()) return heap.server.end();  // try again later
  if (limits_forbid(heap)) return put_off(heap);
  const GroupLimit tasks = limit_of_groups(heap);
  if (tasks.forbids) return put_off(heap);
  heap.keeper.orders = {may_serve(heap) ? Duty::kServe : Duty::kKeepHouse, tasks.exists};
  const long result = heap.keeper.thread.start(thread_main, &heap);
  if (result == 0) return;
  if (result == -EAGAIN) return put_off(heap);  // a limit on tasks, which is the program's to meet
  report_failure(heap, -result);
  heap.server.fail();
}

}  // namespace

void start_no_server(Heap& heap, bool forks_too) {
  heap.keeper.thread.start_none(forks_too);
  if (heap.server.claim_start()) heap.server.stay_away();
}

void start_server_early(Heap& heap) {
  if (at_home(heap)) start_server(heap);
}

void start_server_if_due(Heap& heap) {
  if (heap.server.state() != heap.server.kNotStarted) return;
  // Once one has ended by itself, to ask more might kill.
  if (heap.keeper.thread.stays_away() && heap.server.claim_start()) return heap.server.stay_away();
  const uint64_t moved = telling_volume(heap);
  if (moved >= heap.options.start_bytes &&
      moved >= heap.keeper.postponed_to.load(std::memory_order_relaxed) &&
      !rights_forbid_start(heap, moved) && at_home(heap))
    start_server(heap);
}

void reconsider_server(Heap& heap) {
  const uint32_t id = heap.keeper.thread.id();
  // Where a filter might kill for what must be asked, the thread, which is under none, asks itself.
  if (id != 0 && !sys::is_quiet() && at_home(heap)) {
    follow_program(heap, id, nullptr);
    if (limits_forbid(heap)) {
      postpone_server(heap);
      stop_server(heap);
      return;
    }
  }
  if (id == 0) return heap.keeper.postponed_to.store(0, std::memory_order_relaxed);
  // Also where it was just about to do what was right before.
  ask_server_to_look(heap);
  heap.parker.wake();
}

void reset_server_in_child(Heap& heap) {
  heap.server.reset_in_child();
  heap.server_thread.store(0, std::memory_order_relaxed);
  heap.spans_fetched.store(0, std::memory_order_relaxed);
  heap.freed_unserved.store(0, std::memory_order_relaxed);
  heap.depot.prepared().forget();
  heap.parker.reset_in_child();
  heap.keeper.postponed_to.store(0, std::memory_order_relaxed);
  heap.keeper.asked_to_look.store(false, std::memory_order_relaxed);
  heap.keeper.absence.reset_in_child();
  heap.keeper.thread.reset_in_child() ? adopt_process(heap) : start_no_server(heap, true);
}

}  // namespace mmt::heap
