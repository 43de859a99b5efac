// The prepare handler of fork takes the depot lock, and waits for a thread that maps the next piece
// of the heap without the lock. So depot and region are consistent in the child. The memory thread
// and the other threads are not there, and what they had half done remains so. The child keeps the
// forking thread's client, takes over what the others' clients held, and starts its own memory
// thread when it has allocated enough.
//
// Between our handlers the forking thread holds both, and may allocate. It may do so in the
// program's handlers, in signal handlers, and in the child before our handler there. There the
// thread's cached id is still the parent's. The thread may even fork again.
#include "heap/process/fork.h"

#include <algorithm>
#include <atomic>

#include <mmt/sys/thread.h>

#include "heap/gates/surplus_reader.h"
#include "heap/keeper/server_thread.h"
#include "heap/keeper/sweeper.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/pages/changed_pages.h"
#include "heap/process/opening.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/reclaim.h"

namespace mmt::heap {
namespace {

constexpr uint64_t kFreedByChild = 256 << 10;

// Takes over what other threads' clients held. A client that was inside a slow path is left alone.
void adopt_orphans(Heap& heap) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = heap.clients.at(i);
    if (client == nullptr) continue;
    undo_sweep_in_child(*client);
    if (client == thread_state.client) continue;
    const bool idle = client->busy_frame.load(std::memory_order_relaxed) == 0;
    if (client->lease.state() == client->lease.kFree || !idle) continue;
    client->lease.orphan_in_child();
    client->surplus.forget_held_in_child();
    client->held_blocks.store(0, std::memory_order_relaxed);
    reclaim_client(heap, thread_state.thread_id, *client);
    client->lease.end_reclaim();
  }
}

}  // namespace

// In all three no signal handler may find the locks half taken.
void before_fork(Heap& heap) {
  const sys::SignalsBlocked blocked;
  if (!open_heap(heap)) return;
  const uint32_t self = thread_id();
  if (!hold_depot_for_fork(heap, self)) return;
  hold_cpu_caches(heap, self);
  // Relaxed, here and below: a thread that misses it helps itself at the frontier.
  heap.forking.store(true, std::memory_order_relaxed);
  heap.depot.begin_fork(lock_of_fork(heap, self));
}

void after_fork_in_parent(Heap& heap) {
  const sys::SignalsBlocked blocked;
  if (!ends_outermost_fork(heap, thread_id())) return;
  heap.depot.end_fork(lock_of_fork(heap, thread_id()));
  heap.forking.store(false, std::memory_order_relaxed);
  release_cpu_caches(heap, thread_id());
  release_depot_after_fork(heap, thread_id());
}

// Ends nested forks as well: the outer fork goes on in a child that has one thread.
void after_fork_in_child(Heap& heap) {
  const sys::SignalsBlocked blocked;
  const uint32_t id_in_parent = thread_state.thread_id;
  thread_state.thread_id = sys::current_thread_id();
  if (Client* client = thread_state.client)
    client->thread.store(thread_state.thread_id, std::memory_order_relaxed);
  heap.forking.store(false, std::memory_order_relaxed);
  heap.depot.reset_in_child();
  const bool amid_step = reset_depot_lock_in_child(heap, thread_state.thread_id);
  reset_cpu_caches_in_child(heap, thread_state.thread_id, id_in_parent);
  reset_readers_in_child(heap, thread_state.thread_id, id_in_parent);
  reset_server_in_child(heap);
  note_mlockall(heap, false);
  if (heap.opening.state() == heap.opening.kClosed || amid_step) return;
  adopt_orphans(heap);
  // The parent's memory thread would soon have given this memory back. A child that frees hardly
  // anything itself, as one that soon ends, starts no memory thread for it.
  const uint64_t start = heap.options.start_bytes;
  heap.freed_unserved.store(
      std::min<uint64_t>(heap.depot.runs().dirty_bytes(), start - std::min(start, kFreedByChild)),
      std::memory_order_relaxed);
  heap.thrifty.store(false, std::memory_order_relaxed);
  heap.widened.store(thread_state.client != nullptr ? thread_state.client->widened : 0,
                     std::memory_order_relaxed);
  heap.holders.store(thread_state.client != nullptr && thread_state.client->holds,
                     std::memory_order_relaxed);
}

}  // namespace mmt::heap
