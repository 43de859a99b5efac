#pragma once
// The thread-local words of the heap's slow paths, kept tiny because they live in static TLS. That
// of the fast paths is current_fast (fast_path.h).
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "heap/object/client.h"

namespace mmt::heap {

struct ThreadState {
  Client* client;      // nullptr: none yet
  uint32_t thread_id;  // 0: not asked for yet
  bool ended;          // its destructors have run: no client any more
  bool gives_back;     // it is giving pages back, perhaps by a call that may allocate
  bool may_gather;     // a large block that is refused is tried for again with all that is free
};

extern __thread ThreadState thread_state;

// Returns the calling thread's own caches, also where fast paths are shut. The result is the empty
// part amid an Entry, and where there is no client or the kernel restarts no sequences.
inline FastPart* own_fast_part() {
  Client* const client = thread_state.client;
  if (client == nullptr || !client->restartable) return &empty_fast_part;
  // Relaxed: it is the thread's own.
  return client->busy_frame.load(std::memory_order_relaxed) == 0 ? &client->fast : &empty_fast_part;
}

// Gives the calling thread's id, which is cached.
uint32_t thread_id();

}  // namespace mmt::heap
