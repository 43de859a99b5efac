#pragma once
// The thread-local words of the heap, kept tiny because they live in static TLS.
//
// current_fast is what the fast paths look at: the thread's client, or the empty part, whose caches
// are all empty and full, whenever the fast paths must not be taken (no client yet, a slow path is
// under way, the thread has ended, restartable sequences are not to be had or not wanted).
#include <cstdint>

#include "offload/client.h"

namespace mmt::offload {

struct ThreadState {
  Client* client;      // nullptr: none yet
  uint32_t thread_id;  // 0: not asked for yet
  bool ended;          // its destructors have run: no client any more
  bool gives_back;     // it is giving pages back, perhaps by a call that may allocate
  bool may_gather;     // a large block that is refused is tried for again with all that is free
};

extern __thread FastPart* current_fast;
extern __thread ThreadState thread_state;

// Constant: read by any thread.
extern FastPart empty_fast_part;

// The calling thread's id, cached.
uint32_t thread_id();

}  // namespace mmt::offload
