#pragma once
// These are the ways in which the preallocating protocols hand freed blocks over. They differ in
// how requests are served from the blocks before they are handed over:
// - not at all (the paper)
// - by the last few of the shared queue, or by queues of one size each (the slides' designs 2 and
//   3)
//
// Each way has these functions:
// - give: false: both queues are full
// - hand_over: what large blocks there are, though the queue is not full
// - recycle: a block of that size, as the library tells sizes, or nullptr; 0: of none
// - drain: the memory thread frees what is full, and calls between() now and then
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "backend/library.h"
#include "interprocess/protocol_options.h"
#include "protocols/free_queue.h"
#include "protocols/primitives.h"

namespace mmt::protocols {

// Two queues, of which one is the client's at any time.
class DoubleQueue {
 public:
  static constexpr uint32_t kStep = 8;  // blocks between two calls of between()

  // `handed`, here and below: counts what is handed over, before the memory thread is woken.
  bool give(void* block, std::atomic<uint32_t>* handed = nullptr) {
    FreeQueue& queue = queues_[filling_];
    if (MMT_UNLIKELY(!queue.is_filling())) return false;
    if (queue.add(block)) exchange(handed);
    return true;
  }
  void hand_over(std::atomic<uint32_t>* handed = nullptr) {
    if (queues_[filling_].hand_over()) exchange(handed);
  }
  // The client's, if it has one now.
  FreeQueue* filling() { return queues_[filling_].is_filling() ? &queues_[filling_] : nullptr; }

  // How many were full.
  template <class Between>
  uint32_t drain(Between&& between) {
    uint32_t drained = 0;
    for (FreeQueue& queue : queues_) {
      if (!queue.is_full()) continue;
      uint32_t done = 0;
      while (void* block = queue.take()) {
        backend::library.free(block);
        if (++done % kStep == 0) between();
      }
      ++drained;
    }
    return drained;
  }
  void clear() {
    for (FreeQueue& queue : queues_) queue.clear();
  }

 private:
  void exchange(std::atomic<uint32_t>* handed) {
    filling_ ^= 1;
    if (handed != nullptr) {
      // Release: pairs with SizedRecycling::drain, the queue is full before it is counted.
      handed->store(handed->load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    Wake::if_parked();
  }

  uint32_t filling_ = 0;
  FreeQueue queues_[2];
};

class KeptApart : public DoubleQueue {
 public:
  static void* recycle(size_t) { return nullptr; }
};

class SharedRecycling : public DoubleQueue {
 public:
  void* recycle(size_t size) {
    FreeQueue* const queue = size == 0 ? nullptr : filling();
    if (queue == nullptr) return nullptr;
    for (uint32_t under = 0; under < backend::options.depth; ++under) {
      void* const block = queue->at_end(under);
      if (block == nullptr) return nullptr;
      if (backend::library.usable_size(block) != size) continue;
      queue->take_at_end(under);
      return block;
    }
    return nullptr;
  }
};

class SizedRecycling {
 public:
  bool give(void* block) {
    return queues_[index_of(backend::library.usable_size(block))].give(block, &handed_);
  }
  void hand_over() { queues_[kSizes - 1].hand_over(&handed_); }
  void* recycle(size_t size) {
    const size_t index = index_of(size);
    if (size == 0 || index == kSizes - 1) return nullptr;
    FreeQueue* const queue = queues_[index].filling();
    void* const block = queue == nullptr ? nullptr : queue->at_end(0);
    if (block == nullptr || backend::library.usable_size(block) != size) return nullptr;
    queue->take_at_end(0);
    return block;
  }

  template <class Between>
  bool drain(Between&& between) {
    if (handed_.load(std::memory_order_acquire) == drained_) return false;
    for (DoubleQueue& queue : queues_) drained_ += queue.drain(between);
    return true;
  }
  void clear() {
    for (DoubleQueue& queue : queues_) queue.clear();
    drained_ = handed_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kGranule = 16;
  static constexpr size_t kSizes = 1024 / kGranule + 2;  // the last for all that are larger

  static size_t index_of(size_t size) {
    return size / kGranule < kSizes - 1 ? size / kGranule : kSizes - 1;
  }

  DoubleQueue queues_[kSizes];
  // With one writer each: a look for work is a look at two numbers, not at every queue, of which
  // many threads have many.
  std::atomic<uint32_t> handed_{0};
  uint32_t drained_ = 0;
};

}  // namespace mmt::protocols
