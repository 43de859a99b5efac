#pragma once
// The memory thread is nobody's thread in the program's eyes: where the program makes itself small,
// or is made small, it goes along.
#include <cstdint>

#include <mmt/sys/last_thread.h>

#include "offload/server.h"

namespace mmt::offload {

struct Following {
  bool possible;  // false: it cannot be scheduled as the program's main thread is
  unsigned cpus;  // that threads of the program may run on
};

// Gives `thread`, the memory thread's id, the class and niceness of the program's main thread, and
// CPUs on which threads of the program may run: the main thread's, and where that is bound to one,
// also those of the others that have clients. What options ask for goes before. Sets what differs,
// and nothing else. Any thread.
Following follow_program(uint32_t thread);

// A limit of the process, or of its user, that the memory thread would use up: of CPU time, or of
// tasks. Any thread, any context.
bool limits_forbid();

// The same of its control groups: so few tasks may be started yet. One thread at a time; opens
// files.
struct GroupLimit {
  bool forbids;
  bool exists;
  bool is_near;
};
GroupLimit limit_of_groups();

// The memory thread's own looks at all this. It is the only one to use one.
class Follower {
 public:
  void open(const Orders& orders, uint32_t self);

  // Goes along, where a look is due, or was asked for. True: it has looked.
  bool look(uint64_t now);
  // After a long sleep.
  void look_soon() { next_look_ = 0; }

  // What the program bears, and for how many CPUs.
  Duty duty() const { return duty_; }
  unsigned cpus() const { return cpus_; }
  // It does not bear a thread of ours at all.
  bool is_dismissed() const { return is_dismissed_ || is_left_; }
  // `wait`, negative for without limit, unless others may use up the last tasks meanwhile, or the
  // main thread may end.
  int64_t longest_sleep(int64_t wait);
  void note_work() { main_looks_.note_work(); }
  // Before it sleeps: the main thread has ended, perhaps as the program's last one and not by an
  // exit of the process (a raw call, a seccomp filter that kills). The memory thread is not to keep
  // the process.
  bool is_left();

 private:
  void look_at_groups(uint64_t now);

  uint32_t self_ = 0;
  unsigned cpus_ = 2;
  Duty most_ = Duty::kServe;
  Duty duty_ = Duty::kServe;
  bool is_dismissed_ = false;
  bool is_left_ = false;
  sys::MainThreadLooks main_looks_;
  bool watches_groups_ = false;
  bool is_near_limit_ = false;
  uint64_t next_look_ = 0;
  uint64_t next_groups_ = 0;
};

}  // namespace mmt::offload
