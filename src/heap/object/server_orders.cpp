#include "heap/object/server_orders.h"

#include <atomic>

#include <mmt/sys/scheduling.h>
#include <mmt/sys/thread.h>

#include "heap/object/heap.h"
#include "heap/object/volume.h"

namespace mmt::heap {
namespace {

// Where the last attempt did not suit the system: how much later the next is made.
constexpr uint64_t kPostponedBytes = uint64_t{256} << 20;

}  // namespace

bool at_home(Heap& heap) { return heap.keeper.thread.at_home(); }

void postpone_server(Heap& heap) {
  const uint64_t moved = telling_volume(heap);
  heap.freed_unserved.store(moved, std::memory_order_relaxed);
  heap.keeper.postponed_to.store(moved + kPostponedBytes, std::memory_order_relaxed);
}

void ask_server_to_look(Heap& heap) {
  heap.keeper.asked_to_look.store(true, std::memory_order_relaxed);
}

bool is_asked_to_look(Heap& heap) {
  return heap.keeper.asked_to_look.load(std::memory_order_relaxed) &&
         heap.keeper.asked_to_look.exchange(false, std::memory_order_relaxed);
}

void lend_priority_to_server(Heap& heap) {
  const uint32_t id = heap.server_thread.load(std::memory_order_relaxed);
  if (id == 0 || !heap.depot.lock().held_by(id) || sys::is_quiet()) return;
  if (sys::lend_real_time(id)) ask_server_to_look(heap);
}

// Either the thread finds the request before it parks, or it is woken: see sync/parker.h. A nap
// that begins at this moment ends by itself.
uint32_t stop_server(Heap& heap) {
  return heap.keeper.thread.stop([&heap] { heap.parker.wake(); });
}

bool told_to_leave(Heap& heap, uint32_t thread_id) {
  return heap.keeper.thread.must_leave(thread_id);
}

void adopt_process(Heap& heap) { heap.keeper.thread.adopt_process(); }

}  // namespace mmt::heap
