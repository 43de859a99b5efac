#pragma once
// These are designs 3 to 5 of the paper: clients allocate themselves, and the memory thread frees.
// A lock stands before malloc and free, as in the paper, whose libraries knew of no threads. Other
// calls go to the library without the lock, and the library must bear several threads (or
// one_at_a_time.h). Designs 3 and 4 hand over each freed block by a queue with a lock and a
// semaphore. Those are pthread's in design 3 and minimal ones in design 4. Design 5 hands blocks
// over in bulk.
#include <atomic>
#include <cstddef>

#include "backend/library.h"
#include "protocols/free_queue.h"
#include "protocols/nothing_at_once.h"
#include "protocols/primitives.h"
#include "protocols/traced_lock.h"

namespace mmt::protocols {

template <class Primitives>
class LockedLibrary {
 public:
  static void* allocate(size_t bytes) {
    const bool is_held = lock();
    void* block = backend::library.malloc(bytes);
    if (MMT_LIKELY(is_held)) lock_.unlock();
    return block;
  }
  static void free(void* block) {
    const bool is_held = lock();
    backend::library.free(block);
    if (MMT_LIKELY(is_held)) lock_.unlock();
  }
  static void reset_in_child() {
    lock_.reset_in_child();
    is_late_.store(false, std::memory_order_relaxed);
  }

 private:
  // False: a client's patience is over, and the library has to do without the lock (see Wake). Then
  // nobody waits until the lock is to be had again.
  static bool lock() {
    if (LongWait::is_server) {
      lock_.lock();
      return true;
    }
    const bool was_late = is_late_.load(std::memory_order_relaxed);
    const bool is_held = lock_.lock_for(was_late ? 0 : patience_ns());
    if (MMT_UNLIKELY(is_held == was_late)) is_late_.store(!is_held, std::memory_order_relaxed);
    return is_held;
  }

  static inline constinit std::atomic<bool> is_late_{false};  // relaxed: a hint
  static inline TracedLock<typename Primitives::Lock> lock_;
};

template <class Primitives>
class MainAlloc {
 public:
  using Shared = LockedLibrary<Primitives>;
  class Client : public NothingAtOnce {
   public:
    void* allocate(size_t bytes) { return Shared::allocate(bytes); }
    // A memory thread that is late is not waited for.
    void free(void* block) {
      if (MMT_UNLIKELY(blocks_ == nullptr) && !open()) return Shared::free(block);
      lock_.lock();
      const bool has_room = end_ - begin_ != room_;
      if (has_room) blocks_[end_++ % room_] = block;
      lock_.unlock();
      if (MMT_UNLIKELY(!has_room)) return Shared::free(block);
      queued_.post();
      Wake::if_parked();
    }
    bool serve() {
      if (!queued_.try_wait()) return false;
      lock_.lock();
      void* block = blocks_[begin_++ % room_];
      lock_.unlock();
      Shared::free(block);
      return true;
    }
    void clear() {
      while (serve()) {
      }
    }
    void reset_in_child() { lock_.reset_in_child(); }

   private:
    bool open() {
      room_ = backend::options.queue;
      blocks_ = open_blocks(room_);
      return blocks_ != nullptr;
    }

    TracedLock<typename Primitives::Lock> lock_;
    typename Primitives::Semaphore queued_;
    uint64_t begin_ = 0;
    uint64_t end_ = 0;
    uint32_t room_ = 0;
    void** blocks_ = nullptr;
  };
};

template <class Primitives>
class MainAllocBulk {
 public:
  using Shared = LockedLibrary<Primitives>;
  class Client : public NothingAtOnce {
   public:
    void* allocate(size_t bytes) {
      count(bytes);
      return Shared::allocate(bytes);
    }
    void count(size_t bytes) {
      if (MMT_UNLIKELY(volume_.is_much(bytes)) && freed_.hand_over()) Wake::if_parked();
    }
    void free(void* block) {
      if (MMT_UNLIKELY(!freed_.is_filling())) return Shared::free(block);
      if (freed_.add(block)) Wake::if_parked();
    }
    bool serve() {
      if (!freed_.is_full()) return false;
      while (void* block = freed_.take()) Shared::free(block);
      return true;
    }
    void clear() { freed_.clear(); }

   private:
    FreeQueue freed_;
    Volume volume_;
  };
};

}  // namespace mmt::protocols
