// Thread exit through a pthread key, and fork.
//
// fork: the prepare handler takes the depot lock, and waits for who maps the next piece of the heap
// without it, so depot and region are consistent in the child; the memory thread, other threads'
// clients and their half-done work are not there. The child keeps the forking thread's client,
// takes over what the others' held, and starts its own memory thread when it has allocated enough.
//
// Between our handlers the forking thread holds both, and may allocate: in the program's handlers,
// in signal handlers, in the child before our handler there, where its cached id is the parent's
// still. It may even fork again.
#include "offload/lifecycle.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>

#include <mmt/sys/thread.h>

#include "offload/changed_pages.h"
#include "offload/depot_guard.h"
#include "offload/entry.h"
#include "offload/reclaim.h"
#include "offload/runtime.h"
#include "offload/server.h"
#include "offload/server_thread.h"
#include "offload/sweeper.h"
#include "offload/thread_state.h"

namespace mmt::offload {
namespace {

constexpr uint64_t kFreedByChild = 256 << 10;

pthread_key_t end_key;
bool have_end_key;
constinit std::atomic<bool> installed{false};

void on_thread_end(void*) { end_thread(); }

// In all three no signal handler may find the locks half taken.
void before_fork() {
  const sys::SignalsBlocked blocked;
  if (!open_runtime()) return;
  const uint32_t self = thread_id();
  if (!hold_depot_for_fork(self)) return;
  hold_cpu_caches(self);
  // Relaxed, here and below: who misses it helps itself at the frontier.
  runtime.forking.store(true, std::memory_order_relaxed);
  runtime.depot.begin_fork(lock_of_fork(self));
}

void after_fork_in_parent() {
  const sys::SignalsBlocked blocked;
  if (!ends_outermost_fork(thread_id())) return;
  runtime.depot.end_fork(lock_of_fork(thread_id()));
  runtime.forking.store(false, std::memory_order_relaxed);
  release_cpu_caches(thread_id());
  release_depot_after_fork(thread_id());
}

// Takes over what other threads' clients held. A client that was inside a slow path is left alone.
void adopt_orphans() {
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = runtime.clients.at(i);
    if (client == nullptr) continue;
    undo_sweep_in_child(*client);
    client->reader.reset_in_child();
    if (client == thread_state.client) continue;
    const bool idle = client->busy_frame.load(std::memory_order_relaxed) == 0;
    if (client->life.state() == client->life.kFree || !idle) continue;
    client->life.orphan_in_child();
    client->surplus.forget_held_in_child();
    client->held_blocks.store(0, std::memory_order_relaxed);
    reclaim_client(runtime, thread_state.thread_id, *client);
    client->life.end_reclaim();
  }
}

// Ends nested forks as well: the outer fork goes on in a child that has one thread.
void after_fork_in_child() {
  const sys::SignalsBlocked blocked;
  const uint32_t id_in_parent = thread_state.thread_id;
  thread_state.thread_id = sys::current_thread_id();
  if (Client* client = thread_state.client)
    client->thread.store(thread_state.thread_id, std::memory_order_relaxed);
  runtime.forking.store(false, std::memory_order_relaxed);
  runtime.depot.reset_in_child();
  const bool amid_step = reset_depot_lock_in_child(thread_state.thread_id);
  reset_cpu_caches_in_child(thread_state.thread_id, id_in_parent);
  reset_server_in_child();
  note_mlockall(false);
  if (runtime.opening.state() == runtime.opening.kClosed || amid_step) return;
  adopt_orphans();
  // What the parent's memory thread would soon have given back; but a child that frees hardly
  // anything itself, as one that soon ends, starts none for that.
  const uint64_t start = runtime.options.start_bytes;
  runtime.freed_unserved.store(
      std::min<uint64_t>(runtime.depot.dirty_free_bytes(), start - std::min(start, kFreedByChild)),
      std::memory_order_relaxed);
  runtime.thrifty.store(false, std::memory_order_relaxed);
  runtime.widened.store(thread_state.client != nullptr ? thread_state.client->widened : 0,
                        std::memory_order_relaxed);
  runtime.holders.store(thread_state.client != nullptr && thread_state.client->holds,
                        std::memory_order_relaxed);
}

}  // namespace

void prepare_thread_ends() { have_end_key = pthread_key_create(&end_key, on_thread_end) == 0; }

void watch_thread_end() {
  if (have_end_key) pthread_setspecific(end_key, thread_state.client);
}

void install_fork_handlers() {
  // Relaxed: a second call comes from within the first, or long after it.
  if (installed.exchange(true, std::memory_order_relaxed)) return;
  adopt_process();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

}  // namespace mmt::offload
