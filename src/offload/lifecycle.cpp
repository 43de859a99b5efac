// Thread exit through a pthread key, and fork.
//
// fork: the prepare handler takes the depot lock, which no thread holds across a system call, so
// the depot is consistent in the child; the memory thread, other threads' clients and their
// half-done work are not there. The child keeps the forking thread's client, takes over what the
// others' held, and starts its own memory thread when it has allocated enough.
#include "offload/lifecycle.h"

#include <pthread.h>

#include <mmt/sys/thread.h>

#include "offload/entry.h"
#include "offload/runtime.h"
#include "offload/server.h"
#include "offload/server_thread.h"
#include "offload/thread_state.h"

namespace mmt::offload {
namespace {

pthread_key_t end_key;
bool have_end_key;
bool locked_by_fork;

void on_thread_end(void*) { end_thread(); }

void before_fork() {
  if (!open_runtime()) return;
  locked_by_fork = runtime.depot.lock().lock(thread_id());
  // Relaxed, here and below: who misses it helps itself at the frontier.
  runtime.forking.store(true, std::memory_order_relaxed);
}

void after_fork_in_parent() {
  runtime.forking.store(false, std::memory_order_relaxed);
  if (locked_by_fork) runtime.depot.lock().unlock(thread_id());
}

// What other threads' clients held is taken over, but for those caught inside a slow path.
void adopt_orphans_locked() {
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = runtime.clients.at(i);
    if (client == nullptr || client == thread_state.client) continue;
    const bool idle = client->busy_frame.load(std::memory_order_relaxed) == 0;
    if (client->life.state() == client->life.kFree || !idle) continue;
    client->life.orphan_in_child();
    client->surplus.forget_held_in_child();
    client->held_blocks.store(0, std::memory_order_relaxed);
    reclaim_client_locked(*client);
    client->life.end_reclaim();
  }
}

void after_fork_in_child() {
  thread_state.thread_id = sys::current_thread_id();
  runtime.forking.store(false, std::memory_order_relaxed);
  runtime.depot.reset_in_child();
  reset_server_in_child();
  if (runtime.opening.state() == runtime.opening.kClosed) return;
  DepotGuard guard;
  adopt_orphans_locked();
}

}  // namespace

void prepare_thread_ends() { have_end_key = pthread_key_create(&end_key, on_thread_end) == 0; }

void watch_thread_end() {
  if (have_end_key) pthread_setspecific(end_key, thread_state.client);
}

void install_fork_handlers() {
  adopt_process();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

}  // namespace mmt::offload
