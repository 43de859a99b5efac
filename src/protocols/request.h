#pragma once
// A RequestQueue has one client's synchronous requests to the memory thread. It is a request queue,
// a signal that wakes the memory thread and one that says "done" (the paper's section III-B). While
// a request is under way that was not waited for to its end, the client calls the library itself.
#include <cstddef>

#include "backend/library.h"
#include "interprocess/protocol_options.h"
#include "protocols/primitives.h"

namespace mmt::protocols {

template <class Primitives>
class RequestQueue {
 public:
  // --- the client: each waits for the answer ---

  void* allocate(size_t bytes) {
    if (MMT_UNLIKELY(is_under_way_) && !join()) return backend::library.malloc(bytes);
    send({Kind::kAllocate, bytes, nullptr});
    return await() ? answer_ : backend::library.malloc(bytes);
  }
  // As a fork and join: the end of this free is waited for by the next request.
  void free(void* block) {
    if (MMT_UNLIKELY(is_under_way_) && !join()) return backend::library.free(block);
    send({Kind::kFree, 0, block});
    if (backend::options.model == backend::Model::kForkJoin) {
      is_under_way_ = true;
    } else {
      await();
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
      answer_ = backend::library.malloc(request.bytes);
    } else {
      backend::library.free(request.block);
    }
    done_.post();
    return true;
  }

  // Does what is under way. The caller has the client to itself.
  void clear() {
    while (serve()) {
    }
    if (is_under_way_ && done_.try_wait()) end_late();
  }

 private:
  enum class Kind { kAllocate, kFree };
  struct Request {
    Kind kind;
    size_t bytes;
    void* block;
  };

  void send(Request request) {
    lock_.lock();
    request_ = request;
    lock_.unlock();
    wakeup_.post();
    Wake::now();
  }

  // False: the memory thread did not answer in time.
  bool await() {
    if (MMT_LIKELY(done_.wait_for(patience_ns()))) return true;
    Wake::no_more();
    is_under_way_ = is_late_ = true;
    return false;
  }
  // False: it still has not answered the request before.
  bool join() {
    if (is_late_) {
      if (!done_.try_wait()) return false;
    } else {
      Wake::now();
      if (!await()) return false;
    }
    end_late();
    return true;
  }
  // Nobody has waited for its answer.
  void end_late() {
    is_under_way_ = is_late_ = false;
    if (request_.kind == Kind::kAllocate && answer_ != nullptr) backend::library.free(answer_);
  }

  typename Primitives::Lock lock_;  // never contended: both parties wait for each other's post
  bool is_under_way_ = false;
  bool is_late_ = false;  // beyond the client's patience
  Request request_{};
  typename Primitives::Semaphore wakeup_;
  alignas(core::kNoSharing) typename Primitives::Semaphore done_;
  void* answer_ = nullptr;  // handed over by done_
};

}  // namespace mmt::protocols
