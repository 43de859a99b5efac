#pragma once
// One client's synchronous requests to the memory thread: a request queue, a signal that wakes the
// memory thread and one that says "done" (the paper's section III-B).
#include <cstddef>

#include "agnostic/library.h"
#include "agnostic/options.h"
#include "agnostic/primitives.h"

namespace mmt::agnostic {

template <class Primitives>
class RequestQueue {
 public:
  // --- the client: each waits for the answer ---

  void* allocate(size_t bytes) {
    send({Kind::kAllocate, bytes, nullptr});
    done_.wait();
    return answer_;
  }
  // As a fork and join: the end of this free is waited for by the next request.
  void free(void* block) {
    send({Kind::kFree, 0, block});
    if (options.model == Model::kForkJoin) {
      is_under_way_ = true;
    } else {
      done_.wait();
    }
  }

  // --- the memory thread ---

  // False: there was none.
  bool serve() {
    if (!wakeup_.try_wait()) return false;
    lock_.lock();
    const Request request = request_;
    lock_.unlock();
    if (request.kind == Kind::kAllocate) {
      answer_ = library.malloc(request.bytes);
    } else {
      library.free(request.block);
    }
    done_.post();
    return true;
  }

  // Who has the client to himself: does what is under way.
  void clear() {
    while (serve()) {
    }
    if (is_under_way_) done_.wait();
    is_under_way_ = false;
  }

 private:
  enum class Kind { kAllocate, kFree };
  struct Request {
    Kind kind;
    size_t bytes;
    void* block;
  };

  void send(Request request) {
    if (is_under_way_) {
      Wake::now();
      done_.wait();
    }
    is_under_way_ = false;
    lock_.lock();
    request_ = request;
    lock_.unlock();
    wakeup_.post();
    Wake::now();
  }

  typename Primitives::Lock lock_;  // never contended: both parties wait for each other's post
  bool is_under_way_ = false;
  Request request_{};
  typename Primitives::Semaphore wakeup_;
  alignas(core::kNoSharing) typename Primitives::Semaphore done_;
  void* answer_ = nullptr;  // handed over by done_
};

}  // namespace mmt::agnostic
