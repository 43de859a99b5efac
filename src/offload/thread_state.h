#pragma once
// The thread-local words of the heap, kept tiny because they live in static TLS.
//
// current_fast is what the fast paths look at: the thread's client, or the empty part, whose caches
// are all empty and full, whenever the fast paths must not be taken (no client yet, a slow path is
// under way, the thread has ended, restartable sequences are not to be had or not wanted).
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

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

// The calling thread's own caches, also where fast paths are shut; the empty part amid an Entry,
// and where there is no client or the kernel restarts no sequences.
inline FastPart* own_fast_part() {
  Client* const client = thread_state.client;
  if (client == nullptr || !client->restartable) return &empty_fast_part;
  // Relaxed: the thread's own.
  return client->busy_frame.load(std::memory_order_relaxed) == 0 ? &client->fast : &empty_fast_part;
}

// Which sizes are the fast path's. None, until there is a client: it may be that the library has
// not been relocated, and current_fast cannot be read.
class alignas(core::kNoSharing) FastSizes {
 public:
  // As an atomic load compilers do not make it part of the comparison. Who sees it late takes the
  // slow path.
  MMT_ALWAYS_INLINE bool include(size_t bytes) const {
    if constexpr (core::kThreadSanitizer) return bytes < __atomic_load_n(&end_, __ATOMIC_RELAXED);
    return bytes < end_;
  }
  void open() { __atomic_store_n(&end_, native::kMaxSmallSize + 1, __ATOMIC_RELAXED); }

 private:
  size_t end_ = 0;
};
// Hidden, as all that is read before the relocation: never by the table of offsets.
[[gnu::visibility("hidden")]] extern FastSizes fast_sizes;

// The calling thread's id, cached.
uint32_t thread_id();

}  // namespace mmt::offload
