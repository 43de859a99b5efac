#pragma once
// As Gate, before a heap that any number of threads may use: keeps only the signal handlers out
// that interrupted their own thread inside.
#include <atomic>

#include <mmt/core/compiler.h>

namespace mmt::heaps {

class ThreadGate {
 public:
  static constexpr bool kIsClosedAtFirst = false;

  MMT_ALWAYS_INLINE bool enter_quickly() {
    if (MMT_UNLIKELY(inside_ || attention_)) return false;
    inside_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
  }
  MMT_ALWAYS_INLINE void leave_quickly() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    inside_ = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  bool enter() {
    if (inside_) return false;
    inside_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // Relaxed: other threads may learn it late.
    attention_ = is_slow_.load(std::memory_order_relaxed);
    return true;
  }
  void leave() { leave_quickly(); }
  void ask_attention() { attention_ = true; }
  void stay_slow() {
    is_slow_.store(true, std::memory_order_relaxed);
    attention_ = true;
  }
  // The heap's own locks stop the others; this thread's fork handlers may allocate.
  bool prepare_fork() { return false; }
  // A thread that forked in a handler is inside still.
  void reset_in_child(bool) {}

 private:
  static inline thread_local bool inside_ = false;
  static inline thread_local bool attention_ = false;
  std::atomic<bool> is_slow_{false};
};

}  // namespace mmt::heaps
