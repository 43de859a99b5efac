#include "heap/object/thread_state.h"

#include <mmt/sys/thread.h>

namespace mmt::heap {

constinit __thread ThreadState thread_state{};

uint32_t thread_id() {
  if (thread_state.thread_id == 0) thread_state.thread_id = sys::current_thread_id();
  return thread_state.thread_id;
}

}  // namespace mmt::heap
