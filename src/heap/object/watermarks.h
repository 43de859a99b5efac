#pragma once
// The program wakes the memory thread at a watermark from a sleep that has an end. A watermark is
// passed when half of what lies ready is used, or a channel is half full. The memory thread sets
// the watermarks before it sleeps. The first thread that passes one wakes the memory thread, and
// clears the watermark. Nothing is found by them: all orders are relaxed. All zero is valid: the
// first fresh memory wakes the memory thread.
#include <atomic>
#include <cstddef>

#include <mmt/core/compiler.h>

namespace mmt::heap {

class alignas(core::kNoSharing) Watermarks {
 public:
  static constexpr size_t kNone = ~size_t{0};

  // --- Memory thread ---

  // `frontier`: an offset in the region, or kNone.
  void set(size_t frontier, bool surplus) {
    frontier_.store(frontier, std::memory_order_relaxed);
    surplus_.store(surplus, std::memory_order_relaxed);
  }
  void clear() { set(kNone, false); }
  // Whether surplus is welcome at all.
  void refuse_surplus(bool refuse) { refuses_.store(refuse, std::memory_order_relaxed); }

  // --- Any thread: true for one of those that pass it ---

  bool refuses_surplus() const { return refuses_.load(std::memory_order_relaxed); }

  // Fresh memory up to this offset is in use.
  bool passes_frontier(size_t end) {
    if (end < frontier_.load(std::memory_order_relaxed)) return false;
    return frontier_.exchange(kNone, std::memory_order_relaxed) != kNone;
  }
  // A channel is half full, or a thread has ended.
  bool passes_surplus() {
    return surplus_.load(std::memory_order_relaxed) &&
           surplus_.exchange(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<size_t> frontier_;
  std::atomic<bool> surplus_;
  std::atomic<bool> refuses_;
};

}  // namespace mmt::heap
