#include "heap/thread/end_thread.h"

#include <atomic>

#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/thread/entry.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/reclaim.h"
#include "heap/thread/thread_ends.h"
#include "heap/thread/thrift.h"

namespace mmt::heap {

namespace {

// Stands for an entry's frame while a thread ends.
constexpr uintptr_t kEndingFrame = 1;

}  // namespace

MMT_COLD void end_thread(Heap& heap) {
  [[maybe_unused]] const ThreadEnds ends(heap);
  Client* client = thread_state.client;
  thread_state.ended = true;
  if (client == nullptr) return;
  // In this order: the entry of a signal's handler in between would set the fast part again.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread_state.client = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  current_fast = &empty_fast_part;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // An entry that is still open was abandoned by the thread's cancellation.
  if (client->busy_class != 0) client->drop(client->busy_class);
  client->busy_class = 0;
  if (client->busy_frame.load(std::memory_order_relaxed) != 0) recover_holds(heap, thread_id());
  // As an Entry, but for its frame.
  client->busy_frame.store(kEndingFrame, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool swept = client->swept_now.load(std::memory_order_acquire);
  if (!swept) {
    if (client->thrifty) leave_caches(*client);
    hand_over_held(*client);
  }
  // What it has streamed past the caches is there before the thread that reclaims it sees that it
  // has left.
  if (swept) core::store_fence();
  const uint32_t self = thread_id();
  if (heap.server_running() || swept || is_amid_depot_step(heap, self)) {
    client->busy_frame.store(0, std::memory_order_release);
    client->zombie_since.set(sys::coarse_ns());
    client->lease.leave();
    heap.watermarks.passes_surplus() ? heap.wake() : heap.notify();
    return;
  }
  client->lease.leave_to_self();
  client->busy_frame.store(0, std::memory_order_release);
  {
    const sys::SignalsBlocked blocked;
    client->zombie_since.set(sys::coarse_ns());
    reclaim_client(heap, self, *client) ? client->lease.end_reclaim() : client->lease.put_back();
  }
  heap.notify();
}

}  // namespace mmt::heap
