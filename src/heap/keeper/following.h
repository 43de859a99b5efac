#pragma once
// The memory thread is nobody's thread in the program's eyes: where the program makes itself small,
// or is made small, it goes along.
#include <cstdint>

#include <mmt/sys/last_thread.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/scheduling.h>

#include "heap/object/duty.h"

namespace mmt::heap {

struct Heap;

struct Following {
  unsigned cpus;  // that threads of the program may run on
  // False: the program's threads are real-time ones, and it cannot be one.
  bool is_possible = true;
  bool is_weaker = false;       // it is scheduled as one that is weaker than the main thread
  bool is_left_behind = false;  // it is weaker than all, and cannot change that
};

// Gives `thread`, the memory thread's id, the weakest class and niceness of the program's threads.
// These are the main thread, the caller, the threads with clients, and what was `seen` (or
// nullptr). The call also gives `thread` CPUs on which threads of the program may run: the main
// thread's. Where the main thread is bound to one CPU, those of the others that have clients are
// given, too. Wishes of the options come first. The call sets what differs, and nothing else. Any
// thread may make it.
Following follow_program(Heap& heap, uint32_t thread, const sys::Scheduling* seen);

// A limit of the process, or of its user, that the memory thread would use up: of CPU time, or of
// tasks. Any thread may call it, in any context.
bool limits_forbid(Heap& heap);

// The same of its control groups: so few tasks may be started yet. One thread at a time; opens
// files.
struct GroupLimit {
  bool forbids;
  bool exists;
  bool is_near;
};
GroupLimit limit_of_groups(Heap& heap);

// The memory thread's own looks at all this. It is the only one to use one.
class Follower {
 public:
  explicit Follower(Heap& heap) : heap_(heap) {}

  void open(const Orders& orders, uint32_t self, bool is_filtered);

  // Goes along, where a look is due, or was asked for. True: it has looked.
  bool look(uint64_t now);
  // It is called after a long sleep.
  void look_soon() { next_look_ = 0; }

  // What the program bears, and for how many CPUs.
  Duty duty() const { return duty_; }
  // It does not bear a thread of ours at all.
  bool is_dismissed() const { return is_dismissed_ || is_left_ || is_strange_; }
  // `wait`, negative for without limit, unless others may use up the last tasks meanwhile.
  int64_t longest_sleep(int64_t wait) const;
  // Files may be opened: in a table of its own, and no filter forbids it.
  bool may_open_files() const { return watches_rights_; }
  // How it sleeps for long.
  sys::WatchfulSleep& sleep() { return sleep_; }
  void note_work() { sleep_.note_work(); }
  // The memory thread asks before it sleeps. True: the main thread has ended. It was perhaps the
  // program's last thread, and ended without an exit of the process (a raw call, a seccomp filter
  // that kills). The memory thread is not to keep the process.
  bool is_left();

 private:
  void look_at_groups(uint64_t now);
  void look_at_rights(uint64_t now, bool at_length);
  void leave_for_rights(bool differing);

  Heap& heap_;
  uint32_t self_ = 0;
  unsigned cpus_ = 2;
  Duty most_ = Duty::kServe;
  Duty duty_ = Duty::kServe;
  bool is_dismissed_ = false;
  bool is_left_ = false;
  sys::WatchfulSleep sleep_;
  bool watches_groups_ = false;
  bool is_near_limit_ = false;
  uint64_t next_look_ = 0;
  uint64_t next_groups_ = 0;
  // See rights.h.
  sys::RightsWatch rights_;
  bool watches_rights_ = false;
  bool is_strange_ = false;  // the program's threads have others
};

}  // namespace mmt::heap
