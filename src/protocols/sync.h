#pragma once
// These are designs 1 and 2 of the paper. The memory thread answers each malloc while the client
// waits. A free waits as well (1), or is collected and handed over in bulk (2).
#include "protocols/free_queue.h"
#include "protocols/nothing_at_once.h"
#include "protocols/primitives.h"
#include "protocols/request.h"

namespace mmt::protocols {

template <class Primitives>
class Sync {
 public:
  class Client : public NothingAtOnce {
   public:
    void* allocate(size_t bytes) { return requests_.allocate(bytes); }
    void free(void* block) { requests_.free(block); }
    bool serve() { return requests_.serve(); }
    void clear() { requests_.clear(); }

   private:
    RequestQueue<Primitives> requests_;
  };
};

template <class Primitives>
class AsyncFree {
 public:
  class Client : public NothingAtOnce {
   public:
    void* allocate(size_t bytes) {
      count(bytes);
      return requests_.allocate(bytes);
    }
    void count(size_t bytes) {
      if (MMT_UNLIKELY(volume_.is_much(bytes)) && freed_.hand_over()) Wake::if_parked();
    }
    void free(void* block) {
      if (MMT_UNLIKELY(!freed_.is_filling()) && !await_queue()) return backend::library.free(block);
      is_queue_late_ = false;
      if (freed_.add(block)) Wake::if_parked();
    }
    // What the client waits for comes first.
    bool serve() {
      bool worked = requests_.serve();
      if (!freed_.is_full()) return worked;
      while (void* block = freed_.take()) {
        backend::library.free(block);
        requests_.serve();
      }
      return true;
    }
    void clear() {
      requests_.clear();
      freed_.clear();
    }

   private:
    // False: the memory thread is not done with it, and a thread that has waited long once does so
    // no more.
    bool await_queue() {
      if (is_queue_late_) return false;
      Wake::now();
      is_queue_late_ = !wait_until([&] { return freed_.is_filling(); }, patience_ns());
      if (is_queue_late_) Wake::no_more();
      return !is_queue_late_;
    }

    RequestQueue<Primitives> requests_;
    FreeQueue freed_;
    bool is_queue_late_ = false;  // as of the last time that it was full
    Volume volume_;
  };
};

}  // namespace mmt::protocols
