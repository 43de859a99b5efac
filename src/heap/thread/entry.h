#pragma once
// An Entry is the entry to the slow path. While one is alive, this thread alone uses its client. A
// signal handler that allocates finds the empty fast part then and is served from the depot.
//
// A handler may leave an interrupted slow path for good (siglongjmp). The entry it abandoned is
// recognised when the thread comes again. The entry's cookie, on the abandoned stack frame, is
// overwritten then or lies below the stack in use. All is consistent at every instruction but one
// thing. A class's cache cannot be told from its surplus after the surplus is given, until the
// cache no longer holds it. The cache is then dropped: the blocks of one cache are lost
// (docs/fast_path.md has its size). Elsewhere at most the blocks in hand are lost: one bitmap
// word's, one span's, or two dozen.
#include <mmt/core/compiler.h>

#include "heap/object/heap.h"
#include "heap/object/thread_state.h"
#include "heap/thread/attach.h"

namespace mmt::heap {

class Entry {
 public:
  MMT_ALWAYS_INLINE explicit Entry(Heap& heap) {
    Client* client = thread_state.client;
    if (MMT_UNLIKELY(client == nullptr))
      client = thread_state.ended ? nullptr : attach_client(heap);
    if (MMT_UNLIKELY(client == nullptr)) return;
    const uintptr_t busy = client->busy_frame.load(std::memory_order_relaxed);
    if (MMT_UNLIKELY(busy != 0) && !recover(*client, busy)) return;
    cookie_ = kCookie ^ reinterpret_cast<uintptr_t>(this);
    // A signal may arrive between these stores: its handler sees either an idle client or a busy
    // one. Both are true, since nothing has been touched yet.
    client->busy_frame.store(reinterpret_cast<uintptr_t>(this), std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    current_fast = &empty_fast_part;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    client_ = client;
    // Acquire: pairs with the release of the sweeper, which is done with it. The order of the store
    // above and this load is the sweeper's barrier's: see sweeper.h.
    if (MMT_UNLIKELY(client->swept_now.load(std::memory_order_acquire))) leave_to_sweeper();
  }
  MMT_ALWAYS_INLINE ~Entry() {
    if (MMT_LIKELY(client_ != nullptr)) leave();
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  // nullptr: this thread has no client, or is inside another entry that a signal interrupted, or
  // the sweeper has the client.
  Client* client() const { return client_; }

  // The cache of class `c` cannot be trusted from here to the end of the entry: see above.
  static void rebuilding(Client& client, SizeClass c) {
    client.busy_class = c;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

 private:
  MMT_ALWAYS_INLINE void leave() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    client_->busy_class = 0;
    // Release: pairs with the sweeper's acquire.
    client_->busy_frame.store(0, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (MMT_LIKELY(client_->restartable &&
                   !client_->heap->slow_paths_only.load(std::memory_order_relaxed)))
      current_fast = &client_->fast;
    cookie_ = 0;
  }
  MMT_COLD void leave_to_sweeper() {
    leave();
    client_ = nullptr;
  }

  static constexpr uintptr_t kCookie = 0x6d6d742d656e7472;

  // True when the entry at `frame` was abandoned; its client is then in order again.
  static bool recover(Client& client, uintptr_t frame);

  volatile uintptr_t cookie_ = 0;
  Client* client_ = nullptr;
};

// The last Entry of the calling thread, `self`, was abandoned. It may have held a CPU's cache or
// the reading end of a channel. These are nobody's again.
void recover_holds(Heap& heap, uint32_t self);

// No fast path is taken any more: by the calling thread from now on, by every other once it has
// been in a slow path. Any thread may call it, in any context.
void keep_to_slow_paths(Heap& heap);

}  // namespace mmt::heap
