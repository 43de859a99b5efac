#pragma once
// A Gate lets one thread at a time into the heap. While the program has one thread, no atomic
// operation is paid for. A thread that is inside already (a signal handler that interrupted this
// very thread's malloc) is told so, instead of waiting for itself.
//
// After enter() has returned true, leave() must follow. For a fork, prepare_fork() is an entry,
// which the parent leaves. The child, whose thread has another id, calls reset_in_child() with what
// prepare_fork() told. That is false in a handler that interrupted an entry, which goes on in the
// child too.
#include <sys/single_threaded.h>

#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/try_lock.h>
#include <mmt/sys/thread.h>

namespace mmt::heaps {

class Gate {
 public:
  // Until enter() nothing is read that needs a relocation of the library: see names/process_heap.h.
  static constexpr bool kIsClosedAtFirst = true;

  // The common case, in line: one thread, nobody inside, nobody asked for attention. False:
  // enter().
  MMT_ALWAYS_INLINE bool enter_quickly() {
    if (MMT_UNLIKELY(inside_ || attention_)) return false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (MMT_UNLIKELY(__libc_single_threaded == 0)) return false;
    inside_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
  }
  MMT_ALWAYS_INLINE void leave_quickly() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    inside_ = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  // A program whose only thread is inside makes no threads, as that is no part of malloc. So each
  // entry is left the way it was entered.
  bool enter() {
    if (inside_) return false;
    if (__libc_single_threaded == 0) return lock_.lock(self());
    inside_ = true;
    attention_ = is_slow_;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
  }
  void leave() {
    if (inside_) return leave_quickly();
    lock_.unlock(self());
  }
  // The next entry takes the slow path.
  void ask_attention() { attention_ = true; }
  // All entries take the slow path from now on.
  void stay_slow() { is_slow_ = attention_ = true; }

  bool prepare_fork() { return enter(); }
  void reset_in_child(bool is_entry) {
    self_ = 0;
    lock_.reset_in_child();
    inside_ = !is_entry;
  }

 private:
  // The calling thread's id; a fork's child asks the kernel again.
  static uint32_t self() {
    if (MMT_UNLIKELY(self_ == 0)) self_ = sys::current_thread_id();
    return self_;
  }

  static inline thread_local uint32_t self_ = 0;
  // The program's only thread is inside. Signal handlers see it in the order of the fences.
  bool inside_ = false;
  bool attention_ = true;
  bool is_slow_ = false;
  sync::TryLock<> lock_;
};

}  // namespace mmt::heaps
