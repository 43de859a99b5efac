#pragma once
// GrowthThread is the growth thread's coming and going. The thread is below libc. So it must not be
// in the way of calls that change the user, the name space, or what system calls there are. It
// leaves before such calls, and comes again after them. Any thread, any context, unless stated.
#include <atomic>
#include <cstdint>

#include <mmt/sync/parker.h>
#include <mmt/sys/hidden_thread.h>
#include <mmt/sys/last_thread.h>
#include <mmt/sys/rights.h>

#include "beside/growth.h"
#include "heap/object/absence.h"

namespace mmt::beside {

class GrowthThread {
 public:
  // Notes a new block of the library's.
  MMT_ALWAYS_INLINE void note(const void* block) {
    growth_.note(block);
    parker_.wake_if_parked();
  }

  // By the thread, as it leaves since the program's threads have other rights than it.
  using Left = void (*)();

  // From now on one is wanted, which calls `ask` (growth.h). Nothing happens where the system
  // forbids it or where there is one CPU.
  void want(Growth::Ask ask, Left left = nullptr);
  // What confine/background_thread.h says. Early: as if it was wanted, with the same `ask`.
  void start_if_due();
  void start_early(Growth::Ask ask, Left left = nullptr) { want(ask, left); }
  bool stop();
  void reconsider();
  void start_none(bool forks_too) { thread_.start_none(forks_too); }
  bool at_home() const { return thread_.at_home(); }
  // It ends, as the program has other rights now, or is about to. True: one may come again, by
  // want().
  bool leave_for_change();
  bool leave_for_identity(bool of_all);
  bool leave_for_capabilities(bool of_bounding_set);
  bool is_started() const { return thread_.id() != 0; }
  // None is ever started in this process.
  bool stays_away() const { return thread_.stays_away(); }

  // As the library is loaded, and in a fork's child, where there is no thread.
  void adopt_process();
  void reset_in_child();

 private:
  static void main(void* self);
  void await_settling() const;
  void park(Growth::Ask ask);
  bool must_leave() const;
  bool stays_away_long() const;
  void leave_for(sys::Standing standing);

  Growth growth_;
  sync::Parker<> parker_;
  sys::HiddenThread thread_;
  sys::WatchfulSleep sleep_;  // the thread's
  // All are relaxed, but for is_starting_, by which a starter sees what the one before did. Each of
  // the others is looked at again, or settled before there is a thread.
  std::atomic<Growth::Ask> ask_{nullptr};  // null: none is wanted yet
  std::atomic<Left> left_{nullptr};
  std::atomic<bool> is_starting_{false};
  std::atomic<bool> has_settled_{false};  // it has given up what it may
  heap::Absence absence_;
};

}  // namespace mmt::beside
