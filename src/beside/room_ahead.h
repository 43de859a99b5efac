#pragma once
// RoomAhead is room that the library keeps ahead of its use, so that there is something to be made
// resident. By itself a library asks the system for its heap's next piece at a time. We tell glibc
// to ask for more. The break of other libraries is moved further than they say (program_break.h).
//
// States of glibc:
// - plain -> kept, once the thread for whom it is done lives and the heap is large enough;
// - kept -> plain for good, as the program sets the parameters itself or there is a limit.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::beside {

class RoomAhead {
 public:
  // What is told where the next block will lie.
  using Note = void (*)(const void* block);

  // As the library is loaded: what the user has set by the environment.
  void look_around();
  // A growth thread is about to be started. The thread that counts what is allocated calls it.
  void begin();
  // That thread was started, and nothing is known that forbids to take more than is needed.
  void allow(bool may) { may_keep_.store(may, std::memory_order_relaxed); }
  // By that thread, or as it is known to live.
  void note_thread();

  // --- by whoever may call the library; errno is kept ---

  // Now and then, with a new block: does what is due.
  MMT_ALWAYS_INLINE void keep_up(const void* block, Note note) {
    if (MMT_UNLIKELY(is_due_.load(std::memory_order_relaxed))) keep(block, note);
    if (is_kept_.load(std::memory_order_relaxed)) keep_for_threads();
  }
  // From now on memory is limited.
  void give_up(Note note);
  // The program is about to set parameters: the others are as they would be without us.
  void leave_parameters();

  // --- anyone ---

  // What leave_parameters() says will be so, from now on.
  void note_parameters() { has_parameters_.store(true, std::memory_order_relaxed); }
  // There is room ahead in glibc's heap, whose thresholds are ours.
  bool is_glibcs() const { return is_kept_.load(std::memory_order_relaxed); }
  // No more than so many bytes does glibc then keep free at a heap's end.
  static size_t most_free();

 private:
  void keep(const void* block, Note note);
  void keep_for_threads();
  // glibc's heap has grown so that room ahead of it would be used.
  bool is_worth_it(const void* block) const;

  // Relaxed: the library's own lock orders what is done by them, and each may come too late anyhow.
  std::atomic<bool> has_parameters_{false};  // those below, by the program or the user
  std::atomic<bool> has_thread_{false};
  std::atomic<bool> is_due_{false};    // as the thread has asked, and so lives
  std::atomic<bool> may_keep_{false};  // there was no limit
  std::atomic<bool> is_kept_{false};
  std::atomic<bool> is_for_threads_{false};
  std::atomic<bool> has_limit_{false};
  std::atomic<uintptr_t> begin_{0};  // where the break was
};

}  // namespace mmt::beside
