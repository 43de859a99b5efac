#include "heap/process/process_heap.h"

#include <pthread.h>

#include <atomic>

#include "heap/object/server_orders.h"
#include "heap/process/fork.h"

namespace mmt::heap {
namespace {

constinit std::atomic<bool> installed{false};

}  // namespace

constinit Heap process_heap{};

void install_fork_handlers() {
  // Relaxed: a second call comes from within the first, or long after it.
  if (installed.exchange(true, std::memory_order_relaxed)) return;
  adopt_process(process_heap);
  pthread_atfork([] { before_fork(process_heap); }, [] { after_fork_in_parent(process_heap); },
                 [] { after_fork_in_child(process_heap); });
}

}  // namespace mmt::heap
